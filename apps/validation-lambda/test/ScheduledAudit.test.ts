import { startFakeServer } from "@transferkit/fake/FakeServer"
import { describe, expect, it } from "vitest"
import type { AuditResult } from "../src/audit/ScheduledAudit.ts"
// Loaded before the time of an invocation runs.
import "../src/audit/ScheduledAudit.ts"
import { makeLambda, type Lambda } from "./invoke.ts"
import { capabilitiesText, forwardTo, sendJson, startService } from "./service.ts"
import { signed } from "./signed.ts"

const scheduled = {
  version: "0",
  id: "53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa",
  "detail-type": "Scheduled Event",
  source: "aws.events",
  account: "123456789012",
  time: "2024-09-01T12:00:00Z",
  region: "us-east-1",
  resources: ["arn:aws:events:us-east-1:123456789012:rule/hourly-audit"],
  detail: {},
}

/** One a minute from 10:00 to 12:59; every tenth is complete without a network transaction. */
const transfers = Array.from({ length: 180 }, (_, index) => ({
  id: `tr_${index}`,
  external_id: `order-${index}`,
  kind: "cash_in",
  status: "complete",
  ...(index % 10 === 0 ? {} : { network_transaction_id: `0x${index}` }),
  created_at: `2024-09-01T${10 + Math.floor(index / 60)}:${String(index % 60).padStart(2, "0")}:00Z`,
  source_total: { amount: "123.45", currency_code: "fiat/USD" },
}))

const startFake = () =>
  startFakeServer({ partners: ["partner:key"], data: transfers, capabilities: JSON.parse(capabilitiesText) })

const audit = async (lambda: Lambda, event: unknown, remaining?: number): Promise<AuditResult> =>
  // The test knows the event.
  (await lambda.invoke(event, remaining)) as AuditResult

describe("a scheduled audit", () => {
  it("covers the transfers created in the window that ends when the schedule fired", async () => {
    await using fake = await startFake()
    const lambda = makeLambda(fake.url)
    const result = await audit(lambda, scheduled)
    expect(result).toMatchObject({
      done: true,
      window: { since: "2024-09-01T11:00:00Z", until: "2024-09-01T12:00:00Z" },
      tally: { audited: 60, with_findings: 6, codes: { missing_network_transaction_id: 6 } },
      left_out: 0,
      capabilities: { age_seconds: 0 },
    })
    const ids = result.transfers.map(({ id }) => id).toSorted()
    expect(ids).toEqual(["tr_100", "tr_110", "tr_60", "tr_70", "tr_80", "tr_90"])
    expect(result).not.toHaveProperty("continuation")
    expect(lambda.log.filter(({ message }) => message === "transfer with findings")).toHaveLength(6)
    expect(JSON.stringify(lambda.log)).not.toContain("123.45")
  })

  it("takes the length of its window from the settings, and accepts EventBridge Scheduler's events", async () => {
    await using fake = await startFake()
    const lambda = makeLambda(fake.url, { TRANSFERS_AUDIT_WINDOW: "90 minutes" })
    expect(await audit(lambda, { ...scheduled, source: "aws.scheduler", detail: "{}" })).toMatchObject({
      tally: { audited: 90 },
    })
  })

  it("takes the settled statuses of the deployment from the settings", async () => {
    await using fake = await startFake()
    const lambda = makeLambda(fake.url, { TRANSFERS_SETTLED: "paid", TRANSFERS_FAILED: "declined" })
    expect(await audit(lambda, scheduled)).toMatchObject({ tally: { audited: 60, with_findings: 0, codes: {} } })
  })

  it("accepts a window of the caller's", async () => {
    await using fake = await startFake()
    const event = { audit: { since: "2024-09-01T12:30:00+02:00", until: "2024-09-01T10:31:00Z" } }
    expect(await audit(makeLambda(fake.url), event)).toMatchObject({ done: true, tally: { audited: 1 } })
  })

  it("stops before the deadline, and its continuations cover the rest, each transfer once", async () => {
    const many = Array.from({ length: 3600 }, (_, index) => ({
      ...transfers[0],
      id: `tr_${index}`,
      ...(index % 10 === 0 ? {} : { network_transaction_id: `0x${index}` }),
      created_at: new Date(Date.UTC(2024, 8, 1, 10) + index * 3000).toISOString(),
    }))
    const capabilities = JSON.parse(capabilitiesText)
    await using fake = await startFakeServer({ partners: ["partner:key"], data: many, capabilities })
    await using slow = await startService(forwardTo(fake.url, 150))
    const lambda = makeLambda(slow.url)
    const window = { audit: { since: "2024-09-01T10:00:00Z", until: "2024-09-01T13:00:00Z" } }
    // On a busy machine the time may be over before the first batch; then there is more for the next.
    let millis = 2800
    const more = async (event: object): ReturnType<typeof audit> => {
      for (;;) {
        const part = await audit(lambda, event, millis).catch((error: { readonly name: string }) => {
          if (error.name !== "OutOfTime" || millis > 60_000) throw error
        })
        if (part !== undefined) return part
        millis *= 1.2
      }
    }
    const parts = [await more(window)]
    for (let next = parts[0]?.continuation; next !== undefined && parts.length < 100;) {
      const part = await more(JSON.parse(JSON.stringify(next)))
      parts.push(part)
      next = part.continuation
    }
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.at(-1)).toMatchObject({ done: true, tally: { audited: 3600, with_findings: 360 } })
    const found = parts.flatMap((part) => part.transfers.map(({ id }) => id))
    expect(found.toSorted()).toEqual(
      many
        .filter((_, index) => index % 10 === 0)
        .map(({ id }) => id)
        .toSorted(),
    )
  })

  it("names all capabilities that its parts rest on, also merged, and is signed with them", async () => {
    await using fake = await startFake()
    const raised = capabilitiesText.replace(/("min_transfer": *)"[^"]*"/, '$1"500.00"')
    let current = capabilitiesText
    let searches = 0
    let allowed = Infinity
    const forward = forwardTo(fake.url)
    await using service = await startService((request, response) => {
      if (request.url === "/v1/capabilities") return sendJson(response, current)
      if ((searches += 1) > allowed) return void response.writeHead(500).end()
      forward(request, response)
    })
    const lambda = makeLambda(service.url)
    const day = { since: "2024-09-01T00:00:00Z", until: "2024-09-02T00:00:00Z" }
    const { parts } = Object(await lambda.invoke({ audit: { ...day, split: 2 } }))
    // A failure of the service, at the first call that leaves a part behind it.
    let first: AuditResult | undefined
    for (allowed = 1; first?.continuation === undefined; allowed += 1) {
      searches = 0
      first = await audit(lambda, parts[0]).catch(() => undefined)
    }
    allowed = Infinity
    current = raised
    lambda.advance(600_000)
    const second = await audit(lambda, first.continuation)
    const other = await audit(lambda, parts[1])
    const before = first.capabilities.hash
    expect(second).toMatchObject({ done: true, capabilities: { earlier: [before] } })
    expect(other.capabilities).toEqual({ hash: second.capabilities.hash, age_seconds: 0 })
    const merge = [second, other]
    expect(await lambda.invoke({ audit: { merge } })).toMatchObject({
      tally: { audited: 180 },
      capabilities: [before, second.capabilities.hash],
    })
    const { earlier: _, ...hidden } = second.capabilities
    for (const capabilities of [hidden, { ...hidden, earlier: ["x"] }, { ...hidden, earlier: [hidden.hash] }]) {
      const forged = { audit: { merge: [{ ...second, capabilities }, other] } }
      await expect(lambda.invoke(forged)).rejects.toMatchObject({ name: "MalformedAudit" })
    }
    const request = first.continuation?.audit
    for (const capabilities of [undefined, [], [hidden.hash], ["x"], 7]) {
      const forged = { audit: { ...request, capabilities } }
      await expect(lambda.invoke(forged)).rejects.toMatchObject({ name: "MalformedAudit" })
    }
  })

  it("is divided into parts of which one carries the capabilities so far", async () => {
    await using fake = await startFake()
    const hash = `sha256:${"0".repeat(64)}`
    const begun = signed({
      ...day,
      tally,
      capabilities: [hash],
      checkpoint: { query, remaining: [{ gte: "2024-09-01T12:00:00Z", lt: day.until }] },
    })
    const { parts } = Object(await makeLambda(fake.url).invoke({ audit: { ...begun, split: 2 } }))
    expect(parts.map((part: { readonly audit: object }) => Object(part.audit).capabilities)).toEqual([
      [hash],
      undefined,
    ])
  })

  it("fails if there is no time for a single window, so a loop over it ends", async () => {
    await using service = await startService((request, response) => {
      if (request.url === "/v1/capabilities") sendJson(response, capabilitiesText)
    })
    await expect(makeLambda(service.url).invoke(scheduled, 600)).rejects.toMatchObject({ name: "OutOfTime" })
  })

  it("fits its result into what a state machine passes on, and counts what it left out", async () => {
    await using fake = await startFakeServer({
      partners: ["partner:key"],
      capabilities: JSON.parse(capabilitiesText),
      data: Array.from({ length: 1500 }, (_, index) => ({
        id: `tr_${index}`,
        external_id: `${index}${"€".repeat(400)}`,
        kind: "cash_in",
        status: "complete",
        created_at: "2024-09-01T11:30:00Z",
      })),
    })
    const result = await audit(makeLambda(fake.url), scheduled, 60_000)
    expect(result).toMatchObject({ done: true, tally: { audited: 1500, with_findings: 1500 } })
    expect(result.transfers.length + result.left_out).toBe(1500)
    expect(result.left_out).toBeGreaterThan(0)
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(200 * 1024)
  })

  const day = { since: "2024-09-01T00:00:00Z", until: "2024-09-02T00:00:00Z" }
  const query = `CreatedAt(gte:${day.since} lt:${day.until})`
  const tally = { audited: 2, with_findings: 1, codes: { negative_amount: 1 } }
  const nothingLeft = { query, remaining: [] }
  const codesOf = (codes: Readonly<Record<string, number>>) => ({ tally: { ...tally, codes } })

  it.each([
    ["has other counts", { tally: { audited: 1_000_000, with_findings: 0, codes: {} } }],
    ["has less left to read", { checkpoint: { version: 2, query, transfers: 0, remaining: [] } }],
    ["is of a longer window", { until: "2024-09-03T00:00:00Z" }],
    ["is said to be a part", { part: { split: "0".repeat(64), index: 0, count: 1 } }],
    ["has no signature", { signature: undefined }],
    ["has a signature of another length", { signature: "0" }],
    ["is signed by another key", signed({ ...day, tally, checkpoint: nothingLeft }, "another")],
    ["has a text as a code", codesOf({ "order-77 to 0xWALLET": 1 })],
    ["has an inherited name as a code", codesOf(JSON.parse('{"__proto__":1}'))],
    ["has more transfers with findings than transfers", { tally: { ...tally, with_findings: 3 } }],
    ["has more transfers with findings than findings", { tally: { audited: 9, with_findings: 2, codes: tally.codes } }],
    ["has findings of no transfer", { tally: { ...tally, with_findings: 0 } }],
    ["has a count that is none", codesOf({ negative_amount: -1 })],
  ])("rejects a continuation that %s", async (_, change) => {
    await using fake = await startFake()
    const lambda = makeLambda(fake.url)
    const remaining = [{ gte: "2024-09-01T12:00:00Z", lt: day.until }]
    const genuine = signed({ ...day, tally, checkpoint: { query, remaining } })
    await expect(lambda.invoke({ audit: { ...genuine, ...change } })).rejects.toMatchObject({ name: "MalformedAudit" })
    expect(JSON.stringify(lambda.log)).not.toContain("0xWALLET")
    expect(await lambda.invoke({ audit: genuine })).toMatchObject({ done: true, tally: { audited: 62 } })
  })

  it("rejects an instant of a thousand digits: messages repeat it", async () => {
    const since = `2024-09-01T00:00:00.${"0".repeat(1000)}Z`
    await expect(makeLambda("http://127.0.0.1:1").invoke({ audit: { ...day, since } })).rejects.toMatchObject({
      name: "MalformedAudit",
      message: expect.stringMatching(/^since has more than 64 characters/),
    })
  })

  it.each([
    ["no object", 7, "not an object"],
    ["no start", { until: "2024-09-01T12:00:00Z" }, "no since"],
    ["a bad instant", { since: "yesterday", until: "2024-09-01T12:00:00Z" }, "RFC 3339"],
    ["an end before its start", { since: "2024-09-02T00:00:00Z", until: "2024-09-01T00:00:00Z" }, "before it starts"],
    [
      "another's checkpoint",
      { since: "2024-09-01T00:00:00Z", until: "2024-09-02T00:00:00Z", checkpoint: {} },
      "checkpoint",
    ],
    [
      "a checkpoint that is nested too deeply",
      {
        since: "2024-09-01T00:00:00Z",
        until: "2024-09-02T00:00:00Z",
        checkpoint: JSON.parse(`{"windows":${"[".repeat(20_000)}${"]".repeat(20_000)}}`),
      },
      "/checkpoint/windows/0/0",
    ],
    [
      "a broken tally",
      { since: "2024-09-01T00:00:00Z", until: "2024-09-02T00:00:00Z", tally: { audited: -1 } },
      "tally",
    ],
  ])("rejects an audit with %s", async (_, request, reason) => {
    await expect(makeLambda("http://127.0.0.1:1").invoke({ audit: request })).rejects.toMatchObject({
      name: "MalformedAudit",
      message: expect.stringContaining(reason),
    })
  })
})
