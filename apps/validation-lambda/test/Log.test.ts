import { globSync, readFileSync } from "node:fs"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { describe, expect, it } from "vitest"
import { makeLambda } from "./invoke.ts"
import { sendCapabilities, startService } from "./service.ts"

const proposal = (external_id: string, amount: string) => ({
  external_id,
  country_code: "US",
  payment_method: "debit_card",
  source: { amount, currency_code: "fiat/USD" },
  destination_currency_code: "ethereum/USDC",
})

const queueOf = (...bodies: ReadonlyArray<string>) => ({
  Records: bodies.map((body, index) => ({ messageId: `m-${index}`, body, attributes: {}, eventSource: "aws:sqs" })),
})

const namesIn = (markdown: string) => [...markdown.matchAll(/`([^`]+)`/g)].map(([, name]) => name)

describe("the log", () => {
  it("has one entry for an invocation, with its event, duration, counts and capabilities", async () => {
    await using service = await startService()
    const lambda = makeLambda(service.url)
    await lambda.invoke({ transfers: [proposal("order-1", "100.00"), proposal("order-2", "1.001")] })
    expect(lambda.log).toEqual([
      {
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        level: "INFO",
        message: "succeeded",
        requestId: "invocation-1",
        event: "Direct",
        cold_start: true,
        duration_ms: expect.any(Number),
        proposals: 2,
        invalid: 1,
        violations: { too_many_fraction_digits: 1, below_minimum: 1 },
        capabilities: { hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/), age_seconds: 0 },
      },
    ])
  })

  it("has the messages that README.md lists, and no others", () => {
    const folder = new URL("../", import.meta.url)
    const sources = globSync("src/**/*.ts", { cwd: folder }).map((file) => readFileSync(new URL(file, folder), "utf8"))
    const calls = sources.join("\n").matchAll(/\b(?:Log\.info|Effect\.log(?:Debug|Warning|Error))\(\s*"([^"]+)"/g)
    const listed = readFileSync(new URL("README.md", folder), "utf8").matchAll(
      /^\| `([^`]+)` \| (?:DEBUG|INFO|WARN|ERROR) /gm,
    )
    const messages = [...calls].map(([, message]) => message).toSorted()
    expect(messages.length).toBeGreaterThan(16)
    expect([...listed].map(([, message]) => message).toSorted()).toEqual(messages)
  })

  it("has the level and the fields that README.md lists for each message, and no others", async () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
    const rows = [...readme.matchAll(/^\| `([^`]+)` \| (DEBUG|INFO|WARN|ERROR) \| (.*) \|$/gm)]
    const listed = new Map(rows.map(([, message, level, fields = ""]) => [message, { level, fields: namesIn(fields) }]))
    const always = namesIn(/^The function logs JSON objects, one a line.*$/m.exec(readme)?.[0] ?? "")
    const log: Array<{ readonly [field: string]: unknown }> = []
    const invoke = async (url: string, ...events: ReadonlyArray<unknown>) => {
      const lambda = makeLambda(url, {
        TRANSFERS_METRICS_NAMESPACE: "validation",
        TRANSFERS_LOG_DEBUG_SAMPLE: "1",
        TRANSFERS_DUPLICATE_CHECK: "best-effort",
        TRANSFERS_CAPABILITIES_POLICY: "stale-if-error",
      })
      for (const event of events) {
        const context = { awsRequestId: "00000000", getRemainingTimeInMillis: () => 5000 }
        await lambda.handler(event, context).catch(() => undefined)
        lambda.advance(600_000)
      }
      log.push(...lambda.log)
    }
    const transfer = { id: "tr_1", kind: "cash_in", status: "complete", created_at: "2024-09-01T11:59:00Z" }
    await using fake = await startFakeServer({ partners: ["partner:key"], data: [transfer] })
    const audit = { audit: { since: "2024-09-01T00:00:00Z", until: "2024-09-02T00:00:00Z" } }
    const bad = { ...proposal("order-1", "0.01"), correlation_id: "c-1" }
    await invoke(fake.url, bad, queueOf(JSON.stringify(bad), "poison"), audit, { transfers: 7 }, { audit: {} })
    let calls = 0
    await using service = await startService((request, response) =>
      (calls += 1) === 1 ? sendCapabilities(request, response) : response.writeHead(503).end(),
    )
    await invoke(service.url, proposal("order-1", "5.00"), proposal("order-1", "5.00"))
    await using down = await startService((_, response) => response.writeHead(503).end())
    await invoke(down.url, proposal("order-1", "5.00"))
    for (const { message, level, ...fields } of log) {
      const row = listed.get(String(message))
      expect({ message, level }).toEqual({ message, level: row?.level })
      const known = new Set([...always, ...(row?.fields ?? []), "duration_ms"])
      expect({ message, unknown: Object.keys(fields).filter((name) => !known.has(name)) }).toEqual({
        message,
        unknown: [],
      })
    }
    expect(new Set(log.map(({ message }) => message)).size).toBeGreaterThan(9)
  })

  it("never contains proposals or the key", async () => {
    await using service = await startService()
    const lambda = makeLambda(service.url)
    const secretive = { ...proposal("person-7", "31337.42"), country_code: "Atlantis", payment_method: "mattress" }
    await lambda.invoke({ transfers: [secretive] })
    await lambda.invoke(queueOf(JSON.stringify(secretive), '{"amount":"31337.42"'))
    await lambda.invoke({ version: "2.0", requestContext: { http: { method: "POST" } }, body: "person-7 31337.42" })
    await lambda.invoke({ "person-7": "31337.42" }).catch(() => undefined)
    expect(lambda.log.length).toBeGreaterThan(5)
    const text = JSON.stringify(
      lambda.log.map(({ reason, ...entry }) => (entry["event"] === "Unknown" ? entry : { ...entry, reason })),
    )
    expect(text).not.toMatch(/31337|person-7|Atlantis|mattress|"key"|cGFydG5lcjprZXk=/)
  })

  it("names a rejected message by its id", async () => {
    await using service = await startService()
    const lambda = makeLambda(service.url)
    await lambda.invoke(queueOf(JSON.stringify(proposal("order-1", "5.00")), "poison"))
    expect(lambda.log).toMatchObject([
      { level: "WARN", message: "message rejected", message_id: "m-1", error: "MalformedProposals" },
      { level: "INFO", message: "message validated", message_id: "m-0", proposals: 1, invalid: 0 },
      { message: "succeeded", event: "Queue", messages: 2, failed: 1 },
    ])
  })

  it("has the error of a failed invocation", async () => {
    await using service = await startService((_, response) => response.writeHead(500).end())
    const lambda = makeLambda(service.url)
    await lambda.invoke(proposal("order-1", "5.00")).catch(() => undefined)
    expect(lambda.log).toMatchObject([
      { level: "ERROR", message: "failed", requestId: "invocation-1", error: "ServiceUnavailable", cold_start: true },
    ])
  })

  it("has a warning for a caller's mistake", async () => {
    await using service = await startService()
    const lambda = makeLambda(service.url)
    await lambda.invoke({ transfers: 7 }).catch(() => undefined)
    expect(lambda.log).toMatchObject([{ level: "WARN", message: "rejected", error: "MalformedProposals" }])
  })

  it("has the cause of a crash, which the caller over HTTP does not get", async () => {
    const lambda = makeLambda("http://127.0.0.1:1", { TRANSFERS_PARTNER_ID: "partner" })
    const event = { version: "2.0", requestContext: { http: { method: "POST" } }, body: "{}" }
    const bug = {
      awsRequestId: "r",
      getRemainingTimeInMillis: (): number => {
        throw new Error("a bug")
      },
    }
    expect(await lambda.handler(event, bug)).toMatchObject({
      statusCode: 500,
      body: expect.not.stringContaining("a bug"),
    })
    expect(lambda.log).toMatchObject([{ level: "ERROR", message: "crashed", cause: expect.stringContaining("a bug") }])
  })
})

describe("warm invocations", () => {
  it("share no state: the same event has the same result and the same entry, whatever came between", async () => {
    await using service = await startService()
    const lambda = makeLambda(service.url)
    const event = { transfers: [proposal("order-1", "100.00")] }
    await lambda.invoke(event)
    const before = await lambda.invoke(event)
    await lambda.invoke({ transfers: [proposal("order-1", "0.01"), proposal("order-1", "x"), 5] })
    await lambda.invoke(queueOf("poison"))
    await lambda.invoke({ nonsense: true }).catch(() => undefined)
    expect(await lambda.invoke(event)).toEqual(before)
    const same = lambda.log.filter(({ requestId }) => requestId === "invocation-2" || requestId === "invocation-6")
    const [second, last] = same.map(({ timestamp, requestId, duration_ms, ...entry }) => entry)
    expect(same).toHaveLength(2)
    expect(last).toEqual(second)
  })
})

describe("invalid messages", () => {
  it("go back to the queue if the settings say so", async () => {
    await using service = await startService()
    const lambda = makeLambda(service.url, { TRANSFERS_INVALID_MESSAGES: "reject" })
    const event = queueOf(JSON.stringify(proposal("order-1", "5.00")), JSON.stringify(proposal("order-2", "4.99")))
    expect(await lambda.invoke(event)).toEqual({ batchItemFailures: [{ itemIdentifier: "m-1" }] })
  })
})
