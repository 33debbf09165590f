import { describe, expect, it } from "vitest"
import { makeLambda } from "./invoke.ts"
import { giveCapabilities, startService } from "./service.ts"

const proposal = {
  country_code: "US",
  payment_method: "debit_card",
  source: { amount: "100.00", currency_code: "fiat/USD" },
  destination_currency_code: "ethereum/USDC",
}

const many = (count: number) => Array.from({ length: count }, () => proposal)

const post = (body: unknown, more: object = {}) => ({
  version: "2.0",
  requestContext: { http: { method: "POST" } },
  headers: { "content-type": "application/json" },
  body: typeof body === "string" ? body : JSON.stringify(body),
  ...more,
})

const throughLoadBalancer = (body: unknown) => ({
  requestContext: { elb: {} },
  httpMethod: "POST",
  headers: {},
  body: JSON.stringify(body),
})

describe("over HTTP", () => {
  it.each([
    ["a thousand proposals", post({ transfers: many(1000) }), 200],
    ["one more", post({ transfers: many(1001) }), 413],
    ["a body beyond all measure", post(" ".repeat(5_000_000)), 413],
    ["nothing", post(""), 400],
    ["an array", post([proposal]), 400],
    ["transfers that are not a list", post({ transfers: proposal }), 400],
    [
      "another kind of JSON",
      post(proposal, { headers: { "Content-Type": "application/vnd.api+json; charset=utf-8" } }),
      200,
    ],
    ["no content type", post(proposal, { headers: {} }), 200],
    ["text", post(proposal, { headers: { "content-type": "text/json" } }), 415],
    ["what nests without end", post(`{"country_code":${"[".repeat(100_000)}${"]".repeat(100_000)}}`), 400],
    ["another method", post(proposal, { requestContext: { http: { method: "PUT" } } }), 405],
  ])("answers %s with its status", async (_, event, statusCode) => {
    await using service = await startService()
    expect(await makeLambda(service.url).invoke(event)).toMatchObject({ statusCode })
  })

  it.each([
    ["500", 500, 502],
    ["429", 429, 502],
    ["401", 401, 502],
    ["418", 418, 502],
  ])(
    "answers a %s of the service with a gateway's error, whose body says what to do",
    async (_, status, statusCode) => {
      await using service = await startService((__, response) => {
        response.writeHead(status, { "retry-after": "7", "content-type": "application/json" }).end("{}")
      })
      const answer = Object(await makeLambda(service.url).invoke(post(proposal)))
      expect(answer).toMatchObject({ statusCode })
      expect(JSON.parse(answer.body)).toEqual({ errors: [{ code: "service_failed", message: expect.any(String) }] })
      expect(answer.headers["retry-after"]).toBe(status === 429 || status === 500 ? "7" : undefined)
    },
  )

  it("answers 504 in time when the service does not answer", async () => {
    await using service = await startService(() => undefined)
    expect(await makeLambda(service.url).invoke(post(proposal), 300)).toMatchObject({ statusCode: 504 })
  })

  it("answers 413 rather than more than the front passes on", async () => {
    await using service = await startService(giveCapabilities)
    const wordy = { transfers: Array.from({ length: 1000 }, () => ({ ...proposal, country_code: "X".repeat(600) })) }
    const lambda = makeLambda(service.url)
    expect(await lambda.invoke(throughLoadBalancer(wordy))).toMatchObject({
      statusCode: 413,
      statusDescription: "413 Payload Too Large",
      body: expect.stringContaining("Send several smaller ones"),
    })
    expect(await lambda.invoke(post(wordy))).toMatchObject({ statusCode: 200 })
  })
})
