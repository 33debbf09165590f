/** The state machines of the audit, run with the handler itself. */
import { readFileSync } from "node:fs"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { type RunOptions, StateMachine } from "aws-local-stepfunctions"
import { describe, expect, it } from "vitest"
// Loaded before the time of an invocation runs.
import "../src/audit/ScheduledAudit.ts"
import { makeLambda } from "./invoke.ts"
import { capabilitiesText, forwardTo, startService } from "./service.ts"
import { signed } from "./signed.ts"

const substitutions = {
  Partition: "aws",
  FunctionArn: "arn:aws:lambda:us-east-1:123456789012:function:validation",
  FindingsTopicArn: "arn:aws:sns:us-east-1:123456789012:findings",
  AuditMachineArn: "arn:aws:states:us-east-1:123456789012:stateMachine:audit",
}

/** Checks the definition against the Amazon States Language, which takes a second. */
const read = (name: string): StateMachine => {
  const text = readFileSync(new URL(`../deploy/${name}`, import.meta.url), "utf8")
  return new StateMachine(
    JSON.parse(Object.entries(substitutions).reduce((all, [key, value]) => all.replaceAll(`\${${key}}`, value), text)),
  )
}

const machines = {
  "audit.asl.json": read("audit.asl.json"),
  "parallel-audit.asl.json": read("parallel-audit.asl.json"),
}

/** A cursor of many may hold a shorter one by chance, and is rejected. */
const key = "a-key-that-no-cursor-has"

const window = { audit: { since: "2024-09-01T00:00:00Z", until: "2024-09-02T00:00:00Z" } }

type Event = Parameters<StateMachine["run"]>[0]
type Handlers = NonNullable<NonNullable<RunOptions["overrides"]>["taskResourceLocalHandlers"]>

/**
 * Runs a machine over a service, with a function that stops after each `millis` of auditing, or of more if they are over
 * before the first batch, as on a busy machine.
 */
const runMachine = async (name: keyof typeof machines, url: string, event: Event, millis = 2800) => {
  const lambda = makeLambda(url, { TRANSFERS_SECRET_KEY: key })
  const published: Array<unknown> = []
  let invocations = 0
  let running = 0
  let mostRunning = 0
  const audit = (event: unknown, time: number): Promise<unknown> =>
    lambda.invoke(event, time).catch((error: { readonly name: string }) => {
      if (error.name !== "OutOfTime" || time > 60_000) throw error
      return audit(event, 2 * time)
    })
  const invoke = async (input: unknown) => {
    invocations += 1
    return { StatusCode: 200, Payload: JSON.parse(JSON.stringify(await audit(Object(input).Payload, millis))) }
  }
  const execute = async (file: keyof typeof machines, given: Event): Promise<Event> => {
    const handlers: Handlers = {
      AuditPart: invoke,
      Split: invoke,
      Merge: invoke,
      PublishFindings: async (input) => {
        published.push(Object(input).Message)
        return {}
      },
      AuditWindow: async (input) => {
        mostRunning = Math.max(mostRunning, (running += 1))
        const Output = await execute("audit.asl.json", Object(input).Input)
        running -= 1
        return { Output }
      },
    }
    const context = { Execution: { Name: `execution of ${file}`.replaceAll(" ", "-"), Id: "arn" } }
    const overrides = { taskResourceLocalHandlers: handlers, retryIntervalOverrides: { AuditPart: 0 } }
    // The emulator takes the whole context, and the machines read only these two.
    return await machines[file].run(given, { overrides, context: context as NonNullable<RunOptions["context"]> }).result
  }
  const output: unknown = await execute(name, event)
  return { output, published, invocations, mostRunning, log: lambda.log }
}

const run = (url: string, event: Event) => runMachine("audit.asl.json", url, event)

/** 3,600 transfers of three hours, every 120th without a finding's cause. */
const startFull = () =>
  startFakeServer({
    partners: [`partner:${key}`],
    capabilities: JSON.parse(capabilitiesText),
    data: Array.from({ length: 3600 }, (_, index) => ({
      id: `tr_${index}`,
      kind: "cash_in",
      status: "complete",
      created_at: new Date(Date.UTC(2024, 8, 1, 10) + index * 3000).toISOString(),
      ...(index % 120 === 0 ? {} : { network_transaction_id: "0x1" }),
    })),
  })

describe("the audit's loop", () => {
  it("passes continuations back until the whole window is audited, and publishes each part's findings", async () => {
    await using fake = await startFull()
    await using slow = await startService(forwardTo(fake.url, 150))
    const { output, published, invocations, log } = await run(slow.url, window)
    expect(output).toMatchObject({ tally: { audited: 3600, with_findings: 30 }, window: window.audit })
    expect(invocations).toBeGreaterThan(1)
    expect(published.flatMap((message) => Object(message).transfers)).toHaveLength(30)
    expect(new Set(log.map(({ correlation_id }) => correlation_id))).toEqual(new Set(["execution-of-audit.asl.json"]))
  })

  it("publishes nothing without findings, and accepts a schedule's event as it is", async () => {
    await using fake = await startFakeServer({ partners: [`partner:${key}`] })
    const time = "2024-09-01T12:00:00Z"
    const event = { "detail-type": "Scheduled Event", source: "aws.events", time, detail: {} }
    expect(await run(fake.url, event)).toMatchObject({
      published: [],
      invocations: 1,
      output: { tally: { audited: 0 } },
    })
  })

  it("retries a part if the service fails, and not if the event is wrong", async () => {
    let failures = 0
    await using fake = await startFakeServer({ partners: [`partner:${key}`] })
    const forward = forwardTo(fake.url)
    await using flaky = await startService((request, response) => {
      if ((failures += 1) <= 2) response.writeHead(503).end()
      else forward(request, response)
    })
    expect(await run(flaky.url, window)).toMatchObject({ invocations: 3, output: { tally: { audited: 0 } } })
    await expect(run(fake.url, { audit: { since: "x" } })).rejects.toMatchObject({
      message: expect.stringMatching(/MalformedAudit|has no until|RFC 3339/),
    })
  })
})

describe("the parallel audit", () => {
  const divided = (split: number) => ({ audit: { ...window.audit, split } })
  const runParallel = (url: string, event: Event) => runMachine("parallel-audit.asl.json", url, event, 30_000)

  it("audits parts of the window side by side, each transfer once, and adds up their results", async () => {
    await using fake = await startFull()
    const { output, published, mostRunning } = await runParallel(fake.url, divided(9))
    expect(output).toEqual({
      done: true,
      window: window.audit,
      tally: { audited: 3600, with_findings: 30, codes: { missing_network_transaction_id: 30 } },
      capabilities: [expect.stringMatching(/^sha256:/)],
    })
    const ids = published.flatMap((message) => Object(message).transfers.map(({ id }: { readonly id: string }) => id))
    expect({ ids: new Set(ids).size, count: ids.length }).toEqual({ ids: 30, count: 30 })
    expect(mostRunning).toBe(4)
  })

  it("goes on with what an earlier audit left, and keeps its counts", async () => {
    await using fake = await startFull()
    const tally = { audited: 7, with_findings: 2, codes: { negative_amount: 2 } }
    // The transfers are all in the second third of the day.
    const left = (gte: string, lt: string) => {
      const { since, until } = window.audit
      const query = `CreatedAt(gte:${since} lt:${until})`
      return {
        audit: {
          ...signed({ ...window.audit, tally, checkpoint: { query, remaining: [{ gte, lt }] } }, key),
          split: 5,
        },
      }
    }
    const { since, until } = window.audit
    expect(await runParallel(fake.url, left(since, "2024-09-01T08:00:00Z"))).toMatchObject({ output: { tally } })
    expect(await runParallel(fake.url, left("2024-09-01T08:00:00Z", until))).toMatchObject({
      output: {
        tally: {
          audited: 3607,
          with_findings: 32,
          codes: { negative_amount: 2, missing_network_transaction_id: 30 },
        },
      },
    })
  })

  it("audits an empty window in one part", async () => {
    await using fake = await startFull()
    const { since } = window.audit
    const { output, invocations } = await runParallel(fake.url, { audit: { since, until: since, split: 8 } })
    expect({ output, invocations }).toMatchObject({ output: { tally: { audited: 0 } }, invocations: 3 })
  })

  it.each([0, 41, 1.5, "8"])("rejects a split into %j parts", async (split) => {
    await using fake = await startFull()
    await expect(
      makeLambda(fake.url, { TRANSFERS_SECRET_KEY: key }).invoke({ audit: { ...window.audit, split } }),
    ).rejects.toMatchObject({
      name: "MalformedAudit",
      message: expect.stringContaining("split is not a number from 1 to 40."),
    })
  })

  it("rejects a part that is divided again: its total would be that of the window", async () => {
    await using fake = await startFull()
    const lambda = makeLambda(fake.url, { TRANSFERS_SECRET_KEY: key })
    const { parts } = Object(await lambda.invoke(divided(3)))
    await expect(lambda.invoke({ audit: { ...parts[1].audit, split: 2 } })).rejects.toMatchObject({
      name: "MalformedAudit",
      message: expect.stringContaining("A part is not divided again."),
    })
  })

  type Results = ReadonlyArray<Readonly<Record<string, object>>>
  const forged: ReadonlyArray<readonly [string, (results: Results, others: Results) => unknown]> = [
    ["whose counts were changed", ([a, b, c]) => [{ ...a, tally: { audited: 9, with_findings: 0, codes: {} } }, b, c]],
    ["of another window", ([a, b, c]) => [{ ...a, window: { ...a?.["window"], until: "2025-01-01T00:00:00Z" } }, b, c]],
    [
      "whose capabilities were changed",
      ([a, b, c]) => [{ ...a, capabilities: { hash: `sha256:${"0".repeat(64)}` } }, b, c],
    ],
    ["without a signature", ([a, b, c]) => [{ ...a, signature: undefined }, b, c]],
    ["of which one is missing", ([a, b]) => [a, b]],
    ["of which one is there twice", ([a, b]) => [a, b, b]],
    ["with one more", ([a, b, c]) => [a, b, c, c]],
    [
      "that say they are fewer",
      (all) =>
        all.slice(1).map((one) => ({
          ...one,
          window: { ...one["window"], part: { split: "0".repeat(64), index: 0, count: 1 } },
        })),
    ],
    ["of two splits", ([, b, c], [other]) => [other, b, c]],
  ]

  it.each(forged)("rejects results %s", async (_, change) => {
    await using fake = await startFull()
    const lambda = makeLambda(fake.url, { TRANSFERS_SECRET_KEY: key })
    const resultsOf = async (until: string): Promise<Results> => {
      const { parts } = Object(await lambda.invoke({ audit: { since: window.audit.since, until, split: 3 } }))
      return Promise.all(parts.map(async (part: unknown) => Object(await lambda.invoke(part))))
    }
    const results = await resultsOf(window.audit.until)
    expect(await lambda.invoke({ audit: { merge: results } })).toMatchObject({ done: true, tally: { audited: 3600 } })
    const merge = change(results, await resultsOf("2024-09-01T12:00:00Z"))
    await expect(lambda.invoke({ audit: { merge } })).rejects.toMatchObject({ name: "MalformedAudit" })
  })

  it.each([[[]], [7], [[{ tally: { audited: -1 } }]]])("rejects results such as %j", async (merge) => {
    await using fake = await startFull()
    await expect(
      makeLambda(fake.url, { TRANSFERS_SECRET_KEY: key }).invoke({ audit: { merge } }),
    ).rejects.toMatchObject({ name: "MalformedAudit" })
  })
})
