/** Calls of the service as subsegments, as X-Ray's daemon receives them. */
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { describe, expect, it } from "vitest"
import { makeLambda } from "./invoke.ts"
import { proposalOf } from "./proposal.ts"
import { sendCapabilities, startService } from "./service.ts"

const proposal = proposalOf("a secret order")

const trace = "Root=1-66e2f1c0-89abcdef0123456789abcdef;Parent=53995c3f42cd8ad8;Sampled=1;Lineage=1:1"

/** Invokes the function, and returns the documents that the daemon received. */
const traced = async (xRayTraceId: string, status = 200, variables: Readonly<Record<string, string>> = {}) => {
  const daemon = createSocket("udp4").bind(0, "127.0.0.1")
  await once(daemon, "listening")
  const received: Array<string> = []
  daemon.on("message", (message) => received.push(message.toString()))
  await using service = await startService((request, response) => {
    if (request.url === "/v1/capabilities") return sendCapabilities(request, response)
    response.writeHead(status, { "content-type": "application/json" })
    response.end(status === 200 ? '{"results":[],"page_info":{"has_next_page":false}}' : "{}")
  })
  const lambda = makeLambda(service.url, {
    TRANSFERS_DUPLICATE_CHECK: "best-effort",
    AWS_XRAY_DAEMON_ADDRESS: `127.0.0.1:${daemon.address().port}`,
    ...variables,
  })
  const context = { awsRequestId: "r", xRayTraceId, getRemainingTimeInMillis: () => 60_000 }
  const startedAt = Date.now() / 1000
  await lambda.handler(proposal, context)
  await new Promise((resolve) => setTimeout(resolve, 100))
  daemon.close()
  const documents = received.map((text) => {
    const [header, document = ""] = text.split("\n")
    expect(JSON.parse(header ?? "")).toEqual({ format: "json", version: 1 })
    return JSON.parse(document)
  })
  return { documents, url: service.url, startedAt, text: received.join("") }
}

describe("the subsegments of an invocation", () => {
  it("are one for each call of the service, part of the invocation's segment", async () => {
    const { documents, url, startedAt, text } = await traced(trace)
    const call = (path: string) => ({
      name: new URL(url).host,
      id: expect.stringMatching(/^[\da-f]{16}$/),
      trace_id: "1-66e2f1c0-89abcdef0123456789abcdef",
      parent_id: "53995c3f42cd8ad8",
      type: "subsegment",
      namespace: "remote",
      http: { request: { method: "GET", url: `${url}${path}` }, response: { status: 200 } },
    })
    expect(documents).toMatchObject([call("/v1/capabilities"), call("/v1/transfers/search")])
    for (const { start_time, end_time } of documents) {
      expect(Math.abs(start_time - startedAt)).toBeLessThan(60)
      expect(end_time).toBeGreaterThanOrEqual(start_time)
    }
    expect(text).not.toContain("secret")
  })

  it.each([
    [429, { throttle: true, error: true, annotations: { error: "RateLimited" } }],
    [503, { fault: true, http: { response: { status: 503 } }, annotations: { error: "ServiceUnavailable" } }],
    [418, { error: true, http: { response: { status: 418 } } }],
  ])("say how a call failed with %s", async (status, expected) => {
    const { documents } = await traced(trace, status)
    expect(documents).toMatchObject([{}, expected])
  })

  it.each([trace.replace("Sampled=1", "Sampled=0"), "Root=1-66e2f1c0-89abcdef0123456789abcdef", "nonsense"])(
    "are not sent with the trace %s",
    async (header) => {
      expect((await traced(header)).documents).toEqual([])
    },
  )

  it("are not sent without a daemon, and one that is gone harms nothing", async () => {
    expect((await traced(trace, 200, { AWS_XRAY_DAEMON_ADDRESS: "" })).documents).toEqual([])
    expect((await traced(trace, 200, { AWS_XRAY_DAEMON_ADDRESS: "127.0.0.1:9" })).documents).toEqual([])
  })
})
