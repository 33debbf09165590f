/** What a team sees of the function: metrics, identifiers that lead from one log to another, and debug entries. */
import { describe, expect, it } from "vitest"
import { credentials, startAws } from "./aws.ts"
import { type Lambda, makeLambda } from "./invoke.ts"
import { sendCapabilities, startService } from "./service.ts"

const proposal = (external_id: string, amount = "100.00") => ({
  external_id,
  country_code: "US",
  payment_method: "debit_card",
  source: { amount, currency_code: "fiat/USD" },
  destination_currency_code: "ethereum/USDC",
})

const record = (messageId: string, body: unknown, more: object = {}) => ({
  messageId,
  eventSource: "aws:sqs",
  body: JSON.stringify(body),
  ...more,
})

const namespace = { TRANSFERS_METRICS_NAMESPACE: "validation" }

/** The metrics as CloudWatch reads them: `name{dimensions} unit` and the value. */
const metricsOf = ({ log }: Lambda): ReadonlyArray<readonly [metric: string, value: unknown]> =>
  log.flatMap((entry) => {
    const { Timestamp, CloudWatchMetrics } = Object(entry["_aws"] ?? { CloudWatchMetrics: [] })
    return CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }: Directive) => {
      expect(Namespace).toBe("validation")
      expect(Math.abs(Number(Timestamp) - Date.parse(String(entry["timestamp"])))).toBeLessThan(1000)
      return Metrics.map(({ Name, Unit }) => {
        const values = Dimensions.map((names) => names.map((name) => `${name}=${String(entry[name])}`).join(","))
        return [`${Name}{${values.join(";")}} ${Unit}`, entry[Name]]
      })
    })
  })

interface Directive {
  readonly Namespace: string
  readonly Dimensions: ReadonlyArray<ReadonlyArray<string>>
  readonly Metrics: ReadonlyArray<{ readonly Name: string; readonly Unit: string }>
}

describe("the metrics", () => {
  it("are not logged without a namespace", async () => {
    await using service = await startService()
    const lambda = makeLambda(service.url)
    await lambda.invoke(proposal("order-1", "0.01"))
    expect(lambda.log.map(({ message }) => message)).toEqual(["succeeded"])
  })

  it("are the latencies of the service and the verdict, and violations by code", async () => {
    await using service = await startService((request, response) =>
      setTimeout(() => sendCapabilities(request, response), 30),
    )
    const lambda = makeLambda(service.url, namespace)
    const bad = { ...proposal("order-2", "0.01"), country_code: "XX" }
    await lambda.invoke({ transfers: [proposal("order-1"), bad, { ...bad, external_id: "order-3" }] }, 60_000)
    expect(metricsOf(lambda)).toEqual([
      ["ServiceLatency{} Milliseconds", [expect.toSatisfy((millis) => millis >= 29)]],
      ["VerdictLatency{} Milliseconds", expect.toSatisfy((millis) => millis >= 29)],
      ["Violations{code=unsupported_country} Count", 2],
      ["Violations{code=below_minimum} Count", 2],
    ])
    expect(lambda.log.at(-1)).toMatchObject({ message: "succeeded" })
    await lambda.invoke(proposal("order-1"))
    expect(metricsOf(lambda).slice(4)).toEqual([["VerdictLatency{} Milliseconds", expect.any(Number)]])
  })

  it("count the violations of all messages of a queue", async () => {
    await using service = await startService()
    const lambda = makeLambda(service.url, namespace)
    const bad = proposal("order-1", "0.01")
    await lambda.invoke({ Records: [record("m-1", bad), record("m-2", proposal("order-2")), record("m-3", bad)] })
    expect(metricsOf(lambda)).toContainEqual(["Violations{code=below_minimum} Count", 2])
    expect(lambda.log.at(-1)).toMatchObject({ proposals: 3, invalid: 2, violations: { below_minimum: 2 } })
  })

  it("have the age of expired capabilities", async () => {
    let isDown = false
    await using service = await startService((request, response) =>
      isDown ? response.writeHead(503).end() : sendCapabilities(request, response),
    )
    const lambda = makeLambda(service.url, { ...namespace, TRANSFERS_CAPABILITIES_POLICY: "stale-if-error" })
    await lambda.invoke(proposal("order-1"))
    isDown = true
    lambda.advance(600_000)
    await lambda.invoke(proposal("order-1"))
    expect(metricsOf(lambda).slice(2)).toEqual([
      ["ServiceLatency{} Milliseconds", [expect.any(Number)]],
      ["VerdictLatency{} Milliseconds", expect.any(Number)],
      ["StaleAge{} Seconds", 600],
    ])
  })

  it.each(["best-effort", "required"])("count the unchecked duplicates if the check is %s", async (mode) => {
    await using service = await startService((request, response) => {
      if (request.url === "/v1/capabilities") sendCapabilities(request, response)
      else response.writeHead(503).end()
    })
    const lambda = makeLambda(service.url, { ...namespace, TRANSFERS_DUPLICATE_CHECK: mode })
    const transfers = [proposal("order-1"), proposal("order-2")]
    await lambda.invoke({ transfers }).catch(() => undefined)
    const [latency] = metricsOf(lambda)
    expect(latency).toEqual(["ServiceLatency{} Milliseconds", Array(3).fill(expect.any(Number))])
    expect(metricsOf(lambda)).toContainEqual(["DuplicatesUnchecked{} Count", 2])
    await lambda.invoke({ Records: [record("m-1", { transfers })] })
    expect(lambda.log.at(-1)).toMatchObject({ duplicates: { checked: 0, unchecked: 2 } })
  })

  it("have at most a hundred values in an entry", async () => {
    await using service = await startService((request, response) => {
      if (request.url === "/v1/capabilities") return sendCapabilities(request, response)
      response.writeHead(200, { "content-type": "application/json" })
      response.end('{"results":[],"page_info":{"has_next_page":false}}')
    })
    const lambda = makeLambda(service.url, {
      ...namespace,
      TRANSFERS_DUPLICATE_CHECK: "required",
      TRANSFERS_DUPLICATE_CHECK_TIMEOUT: "50 seconds",
    })
    const transfers = Array.from({ length: 150 }, (_, index) => proposal(`order-${index}`))
    await lambda.invoke({ transfers }, 60_000)
    const latencies = metricsOf(lambda).filter(([name]) => name.startsWith("ServiceLatency"))
    expect(latencies.map(([, values]) => Object(values).length)).toEqual([100, 51])
    expect(metricsOf(lambda).filter(([name]) => name.startsWith("VerdictLatency"))).toHaveLength(1)
  })
})

describe("the identifiers of an event", () => {
  const http = (headers: object, requestContext: object = {}) => ({
    version: "2.0",
    headers,
    requestContext: { http: { method: "POST" }, ...requestContext },
    body: "nonsense",
  })
  const xray = "Root=1-66e2f1c0-89abcdef0123456789abcdef;Parent=53995c3f42cd8ad8;Sampled=1"
  const w3c = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

  it.each([
    [
      { "X-Correlation-Id": "order/7", "x-request-id": "r-1", "X-Amzn-Trace-Id": xray },
      {},
      { correlation_id: "order/7", trace_id: "1-66e2f1c0-89abcdef0123456789abcdef" },
    ],
    [
      { "x-request-id": "r-1", traceparent: w3c },
      { requestId: "gateway" },
      { correlation_id: "r-1", trace_id: "4bf92f3577b34da6a3ce929d0e0e4736" },
    ],
    [{}, { requestId: "JKJaXmPLvHcESHA=" }, { correlation_id: "JKJaXmPLvHcESHA=" }],
    [{ "x-correlation-id": "a secret? 5.00" }, {}, {}],
    [{ "x-correlation-id": "x".repeat(129), traceparent: "00-none" }, {}, {}],
  ])("with the headers %j are in the log and in the error's body", async (headers, context, identifiers) => {
    const lambda = makeLambda("http://127.0.0.1:1")
    const { body } = Object(await lambda.invoke(http(headers, context)))
    const { errors, ...others } = JSON.parse(body)
    expect(errors).toHaveLength(1)
    expect(others).toEqual({ request_id: "invocation-1", ...identifiers })
    const { correlation_id, trace_id } = lambda.log[0] ?? {}
    expect(JSON.parse(JSON.stringify({ correlation_id, trace_id }))).toEqual(identifiers)
  })

  it("are in the entries of each queue message, and sent with its verdicts", async () => {
    await using service = await startService()
    let sent = ""
    await using aws = await startAws({
      "AmazonSQS.SendMessageBatch": ({ Entries }) => {
        sent = Object(Entries)[0].MessageBody
        return {}
      },
    })
    const lambda = makeLambda(service.url, {
      ...credentials,
      AWS_ENDPOINT_URL: aws.url,
      TRANSFERS_DESTINATION_ARN: "arn:aws:sqs:eu-west-1:123456789012:verdicts",
    })
    const attributes = (stringValue: string) => ({
      attributes: { AWSTraceHeader: xray },
      messageAttributes: { correlation_id: { dataType: "String", stringValue } },
    })
    const Records = [
      record("m-1", proposal("order-1"), attributes("batch-7")),
      record("m-2", "poison", attributes("batch-8")),
    ]
    await lambda.invoke({ Records })
    const trace_id = "1-66e2f1c0-89abcdef0123456789abcdef"
    expect(lambda.log).toMatchObject([
      { message: "message rejected", message_id: "m-2", correlation_id: "batch-8", trace_id },
      { message: "message validated", message_id: "m-1", correlation_id: "batch-7", trace_id },
      { message: "succeeded" },
    ])
    expect(JSON.parse(sent)).toMatchObject({ message_id: "m-1", correlation_id: "batch-7", trace_id, valid: true })
  })

  it("of a direct invocation, an audit and a schedule are fields of the event", async () => {
    const lambda = makeLambda("http://127.0.0.1:1")
    const events = [
      { transfers: [], correlation_id: "c-1" },
      { audit: {}, correlation_id: "c-1" },
      { capabilities: "sha256:0", correlation_id: "c-1" },
      { "detail-type": "Scheduled Event", source: "aws.events", time: "x", id: "c-1" },
    ]
    for (const event of events) await lambda.invoke(event).catch(() => undefined)
    expect(lambda.log.map(({ correlation_id }) => correlation_id)).toEqual(Array(events.length).fill("c-1"))
  })

  it("include Lambda's own trace if the event has none", async () => {
    await using service = await startService()
    const lambda = makeLambda(service.url)
    const context = { awsRequestId: "r", xRayTraceId: xray, getRemainingTimeInMillis: () => 5000 }
    await lambda.handler(proposal("order-1"), context)
    expect(lambda.log).toMatchObject([{ trace_id: "1-66e2f1c0-89abcdef0123456789abcdef" }])
  })
})

describe("entries at level DEBUG", () => {
  const invoke = (lambda: Lambda, awsRequestId: string, event: unknown) =>
    lambda.handler(event, { awsRequestId, getRemainingTimeInMillis: () => 5000 })

  it("are logged for a share of the invocations, all of an invocation or none", async () => {
    await using service = await startService()
    const lambda = makeLambda(service.url, {
      TRANSFERS_LOG_DEBUG_SAMPLE: "0.25",
      TRANSFERS_CAPABILITIES_TTL: "0 seconds",
    })
    const event = { transfers: [proposal("order-1"), proposal("order-2", "0.01")] }
    for (const digits of ["00000000", "3fffffff", "40000000", "ffffffff"]) {
      await invoke(lambda, `53dc4d37-cffa-4f76-80c9-8b7d${digits}`, event)
    }
    const debug = ["service called", "proposal invalid", "succeeded"]
    expect(lambda.log.map(({ message }) => message)).toEqual([...debug, ...debug, "succeeded", "succeeded"])
    expect(lambda.log.slice(0, 2)).toMatchObject([
      { level: "DEBUG", operation: "capabilities", duration_ms: expect.any(Number), requestId: expect.any(String) },
      { level: "DEBUG", index: 1, codes: ["below_minimum"] },
    ])
  })

  it("name the error of a call", async () => {
    await using service = await startService((_, response) => response.writeHead(503).end())
    const lambda = makeLambda(service.url, { TRANSFERS_LOG_DEBUG_SAMPLE: "1" })
    await invoke(lambda, "00000000", proposal("order-1")).catch(() => undefined)
    expect(lambda.log).toContainEqual(expect.objectContaining({ level: "DEBUG", error: "ServiceUnavailable" }))
  })

  it("count the results that were sent", async () => {
    await using service = await startService()
    await using aws = await startAws({ "AmazonSQS.SendMessageBatch": () => ({ Failed: [] }) })
    const lambda = makeLambda(service.url, {
      ...credentials,
      AWS_ENDPOINT_URL: aws.url,
      TRANSFERS_DESTINATION_ARN: "arn:aws:sqs:eu-west-1:123456789012:verdicts",
      TRANSFERS_LOG_DEBUG_SAMPLE: "1",
    })
    await invoke(lambda, "00000000", { Records: [record("m-1", proposal("order-1"))] })
    expect(lambda.log).toContainEqual(
      expect.objectContaining({ level: "DEBUG", message: "results sent", attempt: 1, results: 1, failed: 0 }),
    )
  })

  it.each(["2", "-1", "10%", "1e-3"])("are rejected with a share of %s", (share) => {
    expect(() => makeLambda("http://127.0.0.1:1", { TRANSFERS_LOG_DEBUG_SAMPLE: share })).toThrow(
      "TRANSFERS_LOG_DEBUG_SAMPLE is not a number from 0 to 1",
    )
  })
})
