/** After a 429 the service is left alone; what can be said without it is said. */
import { describe, expect, it } from "vitest"
import { makeLambda } from "./invoke.ts"
import { proposal, proposalOf } from "./proposal.ts"
import { sendCapabilities, startService } from "./service.ts"

const post = (body: unknown) => ({
  version: "2.0",
  requestContext: { http: { method: "POST" } },
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
})

/** As the deployed function. */
const patience = { attemptTimeout: 3000, deadline: 8000, retry: { baseDelay: 1 } }

/** A service that limits what a test says: `capabilities` or `search`. */
const startLimiting = async (retryAfter: string) => {
  const limited = new Set<string>()
  const service = await startService((request, response) => {
    const operation = request.url === "/v1/capabilities" ? "capabilities" : "search"
    if (limited.has(operation)) return void response.writeHead(429, { "retry-after": retryAfter }).end()
    if (operation === "capabilities") return sendCapabilities(request, response)
    response.writeHead(200, { "content-type": "application/json" })
    response.end('{"results":[],"page_info":{"has_next_page":false}}')
  })
  return { ...service, limited }
}

const bodyOf = (response: unknown) => JSON.parse(Object(response).body)
const waitOf = (response: unknown) => Number(Object(response).headers["retry-after"])

const required = { TRANSFERS_DUPLICATE_CHECK: "required", TRANSFERS_CAPABILITIES_TTL: "10 minutes" }

describe("after a 429 with Retry-After: 60", () => {
  it("verdicts go on from capabilities within their age, and nothing is requested", async () => {
    await using service = await startLimiting("60")
    const lambda = makeLambda(service.url, required, patience)
    expect(await lambda.invoke(post(proposal), 25_000)).toMatchObject({ statusCode: 200 })
    service.limited.add("search")
    const refused = await lambda.invoke(post(proposalOf("order-1")), 25_000)
    expect(refused).toMatchObject({ statusCode: 503 })
    expect(bodyOf(refused)).toMatchObject({ errors: [{ code: "rate_limited" }] })
    expect(waitOf(refused)).toBeGreaterThan(50)
    const requests = service.requests.length
    for (let count = 0; count < 5; count += 1) {
      lambda.advance(10_000)
      expect(await lambda.invoke(post(proposal), 25_000)).toMatchObject({ statusCode: 200 })
      const again = await lambda.invoke(post(proposalOf("order-1")), 25_000)
      expect(again).toMatchObject({ statusCode: 503 })
      expect(waitOf(again)).toBeLessThanOrEqual(60 - 10 * (count + 1))
    }
    expect(service.requests).toHaveLength(requests)
  })

  it("what is unchecked is counted if the check is best-effort", async () => {
    await using service = await startLimiting("60")
    service.limited.add("search")
    const lambda = makeLambda(service.url, { TRANSFERS_DUPLICATE_CHECK: "best-effort" }, patience)
    expect(await lambda.invoke(proposalOf("order-1"), 25_000)).toMatchObject({
      valid: true,
      duplicates: { checked: 0, unchecked: 1 },
    })
  })

  it("an invocation that must ask for capabilities ends with 503 and the time that is left", async () => {
    await using service = await startLimiting("60")
    service.limited.add("capabilities")
    const lambda = makeLambda(service.url, {}, patience)
    expect(waitOf(await lambda.invoke(post(proposal), 25_000))).toBe(60)
    service.limited.clear()
    lambda.advance(20_000)
    const second = await lambda.invoke(post(proposal), 25_000)
    expect(second).toMatchObject({ statusCode: 503 })
    expect(waitOf(second)).toBeLessThanOrEqual(40)
    await expect(lambda.invoke(proposal, 25_000)).rejects.toMatchObject({ name: "RateLimited" })
    expect(service.requests).toHaveLength(1)
  })

  it("expired capabilities are used at once with stale-if-error", async () => {
    await using service = await startLimiting("60")
    const variables = { TRANSFERS_CAPABILITIES_TTL: "1 minute", TRANSFERS_CAPABILITIES_POLICY: "stale-if-error" }
    const lambda = makeLambda(service.url, { ...variables, TRANSFERS_CAPABILITIES_RETRY_AFTER: "0 seconds" }, patience)
    await lambda.invoke(proposal)
    service.limited.add("capabilities")
    lambda.advance(60_000)
    const startedAt = performance.now()
    for (let count = 0; count < 3; count += 1) {
      expect(await lambda.invoke(proposal, 25_000)).toMatchObject({ capabilities: { stale: true } })
    }
    expect(performance.now() - startedAt).toBeLessThan(3000)
    expect(service.requests).toHaveLength(2)
  })

  it("a process that was frozen asks again when the clock says so after the thaw", async () => {
    await using service = await startLimiting("60")
    service.limited.add("capabilities")
    const lambda = makeLambda(service.url, {}, patience)
    expect(await lambda.invoke(post(proposal), 25_000)).toMatchObject({ statusCode: 503 })
    service.limited.clear()
    // Only the wall clock: the monotonic one may stand still in a frozen process.
    lambda.advance(61_000)
    expect(await lambda.invoke(post(proposal), 25_000)).toMatchObject({ statusCode: 200 })
  })
})

describe("a pause that ends in time", () => {
  it("is waited for", async () => {
    await using service = await startLimiting("1")
    service.limited.add("capabilities")
    const lambda = makeLambda(service.url, {}, { ...patience, retry: { retries: 1, baseDelay: 1 } })
    setTimeout(() => service.limited.clear(), 200)
    expect(await lambda.invoke(post(proposal), 25_000)).toMatchObject({ statusCode: 200 })
    expect(service.requests).toHaveLength(2)
  })

  it("is not begun if the invocation ends before", async () => {
    await using service = await startLimiting("5")
    service.limited.add("capabilities")
    const lambda = makeLambda(service.url, {}, patience)
    const startedAt = performance.now()
    const refused = await lambda.invoke(post(proposal), 4000)
    expect(refused).toMatchObject({ statusCode: 503 })
    expect(waitOf(refused)).toBe(5)
    expect(performance.now() - startedAt).toBeLessThan(3500)
  })
})

describe("a clock that was set back", () => {
  it("makes capabilities expire, because their age is unknown", async () => {
    await using service = await startLimiting("60")
    const lambda = makeLambda(service.url)
    await lambda.invoke(proposal)
    lambda.advance(-3_600_000)
    expect(await lambda.invoke(proposal)).toMatchObject({ capabilities: { age_seconds: 0 } })
    expect(service.requests).toHaveLength(2)
  })
})
