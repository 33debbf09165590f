/** The promises that were once broken, kept by the zip under each runtime client. */
import { gzipSync } from "node:zlib"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as RuntimeClient from "../local/RuntimeClient.ts"
import { openSandbox, type SandboxOptions } from "../local/Sandbox.ts"
import * as TaskRoot from "../local/TaskRoot.ts"
import { credentials, startAws } from "./aws.ts"
import { proposalOf } from "./proposal.ts"
import { capabilitiesText, sendCapabilities, sendJson, startService } from "./service.ts"

const clients = [RuntimeClient.plain, RuntimeClient.aws].filter((client) => client !== undefined)

let taskRoot: TaskRoot.TaskRoot
beforeAll(async () => {
  taskRoot = await TaskRoot.unpack()
})
afterAll(() => taskRoot[Symbol.asyncDispose]())

describe.each(clients)("under the runtime client $name", (client) => {
  const open = async (
    url: string,
    environment: Readonly<Record<string, string>> = {},
    options: Partial<SandboxOptions> = {},
  ) => {
    let output = ""
    const sandbox = await openSandbox({
      taskRoot: taskRoot.folder,
      handler: "lambda.handler",
      client,
      timeoutMillis: 60_000,
      onOutput: (text) => (output += text),
      ...options,
      environment: {
        TRANSFERS_BASE_URL: url,
        TRANSFERS_PARTNER_ID: "partner",
        TRANSFERS_SECRET_KEY: "key",
        ...environment,
      },
    })
    const log = (): ReadonlyArray<{ readonly [field: string]: unknown }> =>
      output
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    return { ...sandbox, log }
  }

  /** A service that rejects one external_id, and has a transfer with another. */
  const startPicky = () =>
    startService((request, response) => {
      if (request.url === "/v1/capabilities") return sendCapabilities(request, response)
      const id = new URL(request.url ?? "", "http://service").searchParams.get("external_id")
      const results = id === "taken" ? [{ id: "tr_1", external_id: id, kind: "cash_in", status: "complete" }] : []
      const found = results.map((transfer) => ({ ...transfer, created_at: "2024-09-01T11:59:00Z" }))
      response.writeHead(id === "bad" ? 400 : 200, { "content-type": "application/json" })
      response.end(id === "bad" ? "{}" : JSON.stringify({ results: found, page_info: { has_next_page: false } }))
    })

  it.each(["best-effort", "required"])(
    "one external_id does not spoil the check of others if it is %s",
    async (mode) => {
      await using service = await startPicky()
      await using sandbox = await open(service.url, {
        TRANSFERS_DUPLICATE_CHECK: mode,
        TRANSFERS_DUPLICATE_CHECK_TIMEOUT: "50 seconds",
      })
      const ids = ["bad", "taken", "x".repeat(100_000), "free"]
      expect(await sandbox.invoke({ transfers: ids.map((id) => proposalOf(id)) })).toMatchObject({
        isError: false,
        payload: {
          results: [
            { violations: [{ code: "invalid_external_id" }] },
            { violations: [{ code: "duplicate_external_id" }] },
            { violations: [{ code: "invalid_external_id" }] },
            { valid: true },
          ],
          duplicates: { checked: 4, unchecked: 0 },
        },
      })
      const Records = ["bad", "free"].map((id) => ({
        messageId: `m-${id}`,
        eventSource: "aws:sqs",
        body: JSON.stringify(proposalOf(id)),
        attributes: { MessageGroupId: id },
      }))
      expect(await sandbox.invoke({ Records })).toMatchObject({ payload: { batchItemFailures: [] } })
    },
  )

  it("a currency without limits is reported beside a fault of the other side", async () => {
    const capabilities = JSON.stringify({ ...JSON.parse(capabilitiesText), transfer_limits: {} })
    await using service = await startService((_, response) => sendJson(response, capabilities))
    await using sandbox = await open(service.url)
    const { payload } = await sandbox.invoke({ ...proposalOf("order-1"), destination_currency_code: "nowhere/XXX" })
    const codes = Object(payload).results[0].violations.map(({ code }: { readonly code: string }) => code)
    expect(codes).toContain("no_limit_for_currency")
    expect(codes.length).toBeGreaterThan(1)
  })

  it("expired capabilities are used in the time that is left", async () => {
    let isSlow = false
    await using service = await startService((request, response) => {
      if (!isSlow) sendCapabilities(request, response)
    })
    const settings = { TRANSFERS_CAPABILITIES_TTL: "1 millis", TRANSFERS_CAPABILITIES_POLICY: "stale-if-error" }
    await using sandbox = await open(service.url, settings, { timeoutMillis: 2900 })
    await sandbox.invoke(proposalOf("order-1"))
    isSlow = true
    expect(await sandbox.invoke(proposalOf("order-1"))).toMatchObject({
      payload: { valid: true, capabilities: { stale: true } },
    })
  })

  it("long values are quoted in part, so a result stays below 6 MB", async () => {
    await using service = await startService()
    await using sandbox = await open(service.url)
    const code = "X".repeat(4000)
    const transfers = Array.from({ length: 1000 }, () => ({ country_code: code, payment_method: code }))
    const { payload } = await sandbox.invoke({ transfers })
    expect(payload).toMatchObject({ results: { length: 1000 } })
    expect(Buffer.byteLength(JSON.stringify(payload))).toBeLessThan(4_000_000)
  })

  it("an audit's result fits into what a state machine passes on, in bytes", async () => {
    const data = Array.from({ length: 600 }, (_, index) => ({
      id: `tr_${index}`,
      external_id: `${index}${"€".repeat(400)}`,
      kind: "cash_in",
      status: "complete",
      created_at: "2024-09-01T11:30:00Z",
    }))
    await using fake = await startFakeServer({
      partners: ["partner:key"],
      capabilities: JSON.parse(capabilitiesText),
      data,
    })
    await using sandbox = await open(fake.url)
    const event = { audit: { since: "2024-09-01T00:00:00Z", until: "2024-09-02T00:00:00Z" } }
    const { payload } = await sandbox.invoke(event)
    expect(payload).toMatchObject({ done: true, tally: { audited: 600 } })
    expect(Buffer.byteLength(JSON.stringify(payload))).toBeLessThan(200 * 1024)
  })

  it("a gzip body is decoded", async () => {
    await using service = await startService()
    await using sandbox = await open(service.url)
    const event = {
      version: "2.0",
      requestContext: { http: { method: "POST" } },
      headers: { "content-type": "application/json", "content-encoding": "gzip" },
      body: gzipSync(JSON.stringify(proposalOf("order-1"))).toString("base64"),
      isBase64Encoded: true,
    }
    expect(await sandbox.invoke(event)).toMatchObject({ payload: { statusCode: 200 } })
  })

  it("a checkpoint that is nested too deeply is an error with a name", async () => {
    await using service = await startService()
    await using sandbox = await open(service.url)
    const checkpoint = JSON.parse(`{"remaining":${"[".repeat(3000)}${"]".repeat(3000)}}`)
    const audit = { since: "2024-09-01T00:00:00Z", until: "2024-09-02T00:00:00Z", checkpoint }
    expect(await sandbox.invoke({ audit })).toMatchObject({ isError: true, payload: { errorType: "MalformedAudit" } })
  })

  it("a request that is too large is the caller's mistake, not a failure", async () => {
    await using service = await startService()
    await using sandbox = await open(service.url)
    const transfers = Array.from({ length: 1001 }, () => proposalOf("order-1"))
    expect(await sandbox.invoke({ transfers })).toMatchObject({ isError: true, payload: { errorType: "TooLarge" } })
    // What the template's FailureFilter counts. AWS's client logs each error of a direct invocation by itself.
    const own = sandbox.log().filter((entry) => typeof entry["event"] === "string")
    expect(own).toMatchObject([{ level: "WARN", message: "rejected", error: "TooLarge" }])
    expect(sandbox.log()).toHaveLength(client.name === "plain" ? 1 : 2)
  })

  it("an amount of zero is invalid on either side, also if the minimum is 0.00", async () => {
    const capabilities = capabilitiesText.replaceAll(/"min_transfer": *"[^"]*"/g, '"min_transfer": "0.00"')
    expect(capabilities).not.toBe(capabilitiesText)
    await using service = await startService((_, response) => sendJson(response, capabilities))
    await using sandbox = await open(service.url)
    const zero = (currency_code: string, destination_currency_code: string) => ({
      ...proposalOf(currency_code),
      source: { amount: "0.00", currency_code },
      destination_currency_code,
    })
    const transfers = [zero("fiat/USD", "ethereum/USDC"), zero("ethereum/USDC", "fiat/USD")]
    expect(await sandbox.invoke({ transfers })).toMatchObject({
      payload: { results: [{ valid: false }, { valid: false }] },
    })
  })

  it("verdicts of messages are sent, and capabilities kept, by what is loaded only then", async () => {
    const sent: Array<unknown> = []
    await using aws = await startAws({
      "AmazonSQS.SendMessageBatch": ({ Entries }) => {
        sent.push(...Object(Entries))
        return { Failed: [] }
      },
    })
    await using service = await startService()
    await using sandbox = await open(service.url, {
      ...credentials,
      AWS_ENDPOINT_URL: aws.url,
      TRANSFERS_DESTINATION_ARN: "arn:aws:sqs:eu-west-1:123456789012:verdicts",
      TRANSFERS_CAPABILITIES_BUCKET: "copies",
      TRANSFERS_METRICS_NAMESPACE: "validation",
    })
    const record = { messageId: "m-1", eventSource: "aws:sqs", body: JSON.stringify(proposalOf("order-1")) }
    expect(await sandbox.invoke({ Records: [record] })).toMatchObject({ payload: { batchItemFailures: [] } })
    expect(sent).toHaveLength(1)
    expect(sandbox.log()).toMatchObject([
      { message: "capabilities not stored", reason: expect.any(String) },
      { message: "message validated", message_id: "m-1" },
      { message: "metrics", VerdictLatency: expect.any(Number) },
      { message: "succeeded", event: "Queue", trace_id: "1-00000000-000000000000000000000000" },
    ])
  })
})
