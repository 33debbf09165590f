import { brotliCompressSync, gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { makeLambda } from "./invoke.ts"
import { proposal } from "./proposal.ts"
import { startService } from "./service.ts"

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
    ["a body that is too large", post(" ".repeat(5_000_000)), 413],
    ["an empty body", post(""), 400],
    ["a bare list", post([proposal]), 200],
    ["an empty list", post([]), 400],
    ["an envelope with an empty list", post({ transfers: [] }), 400],
    ["an envelope without a list", post({ transfers: proposal }), 400],
    [
      "another JSON type",
      post(proposal, { headers: { "Content-Type": "application/vnd.api+json; charset=utf-8" } }),
      200,
    ],
    ["no content type", post(proposal, { headers: {} }), 200],
    ["text", post(proposal, { headers: { "content-type": "text/json" } }), 415],
    ["a value that is nested too deeply", post(`{"country_code":${"[".repeat(100_000)}${"]".repeat(100_000)}}`), 400],
    ["another method", post(proposal, { requestContext: { http: { method: "PUT" } } }), 405],
  ])("responds to %s with %#", async (_, event, statusCode) => {
    await using service = await startService()
    expect(await makeLambda(service.url).invoke(event)).toMatchObject({ statusCode })
  })

  const compressed = (bytes: Buffer, encoding: string) =>
    post(bytes.toString("base64"), {
      headers: { "content-type": "application/json", "content-encoding": encoding },
      isBase64Encoded: true,
    })
  const json = JSON.stringify(proposal)

  it.each([
    ["a gzip body", compressed(gzipSync(json), "gzip"), 200, '{"valid":true'],
    ["a body in no encoding", compressed(Buffer.from(json), "identity"), 200, '{"valid":true'],
    ["a gzip body that is too large", compressed(gzipSync(" ".repeat(5_000_000)), "GZIP"), 413, "4194304 bytes"],
    [
      "a name twice",
      post('{"source":{"amount":"9",\n"amount":"1"}}'),
      400,
      "line 2, column 1: its object has a name twice",
    ],
    ["a body that is not gzip", compressed(Buffer.from(json), "gzip"), 400, "the body is not gzip"],
    ["another encoding", compressed(brotliCompressSync(json), "br"), 415, "Send gzip or no encoding"],
  ])("decodes the content encoding: %s", async (_, event, statusCode, text) => {
    await using service = await startService()
    expect(await makeLambda(service.url).invoke(event)).toMatchObject({
      statusCode,
      body: expect.stringContaining(text),
    })
  })

  const named = JSON.stringify({ ...proposal, external_id: "M\u00fcller-1" })
  const latin1 = Buffer.from(named, "latin1")
  const encoded = (bytes: Buffer, more: object = {}) =>
    post(bytes.toString("base64"), {
      headers: { "content-type": "application/json", ...more },
      isBase64Encoded: true,
    })
  const typed = (type: string) => encoded(Buffer.from(named), { "content-type": type })

  it.each([
    ["UTF-8", encoded(Buffer.from(named)), 200, "M\u00fcller-1"],
    ["Latin-1", encoded(latin1), 400, "a character was lost; send it as UTF-8"],
    ["Latin-1 that became a text on its way", post(latin1.toString()), 400, "a character was lost"],
    ["Latin-1 in gzip", encoded(gzipSync(latin1), { "content-encoding": "gzip" }), 400, "a character was lost"],
    ["UTF-16", encoded(Buffer.from(`\ufeff${named}`, "utf16le")), 400, "a character was lost"],
    ["UTF-8 that is cut off", encoded(Buffer.from(named).subarray(0, named.indexOf("\u00fc") + 1)), 400, "was lost"],
    ["a charset that is not", typed("application/json; charset=iso-8859-1"), 415, "The charset is not UTF-8"],
    ["one among others", typed('application/json;a=b;Charset="utf-16"'), 415, "The charset is not UTF-8"],
    ["two of them", typed("application/json; charset=utf-8; charset=latin1"), 415, "The charset is not UTF-8"],
    ["one that is", typed('application/json; charset="UTF-8"'), 200, "M\u00fcller-1"],
    ["its other name", typed("application/json;charset=utf8"), 200, "M\u00fcller-1"],
  ])("reads no body but UTF-8: %s", async (_, event, statusCode, text) => {
    await using service = await startService()
    expect(await makeLambda(service.url).invoke(event)).toMatchObject({
      statusCode,
      body: expect.stringContaining(text),
    })
  })

  it.each([
    ["500", 500, 502],
    ["429", 429, 503],
    ["401", 401, 502],
    ["418", 418, 502],
  ])("turns a %s of the service into a gateway error whose body says what to do", async (_, status, statusCode) => {
    await using service = await startService((__, response) => {
      response.writeHead(status, { "retry-after": "7", "content-type": "application/json" }).end("{}")
    })
    const response = Object(await makeLambda(service.url).invoke(post(proposal)))
    expect(response).toMatchObject({ statusCode })
    expect(JSON.parse(response.body)).toEqual({
      errors: [{ code: status === 429 ? "rate_limited" : "service_failed", message: expect.any(String) }],
      request_id: "invocation-1",
    })
    expect(response.headers["retry-after"]).toBe(status === 429 || status === 500 ? "7" : undefined)
  })

  it("responds with 504 in time if the service does not respond", async () => {
    await using service = await startService(() => undefined)
    expect(await makeLambda(service.url).invoke(post(proposal), 300)).toMatchObject({ statusCode: 504 })
  })

  it("responds with 413 if the response is larger than the integration accepts", async () => {
    await using service = await startService()
    const wordy = (length: number) => ({
      transfers: Array.from({ length: 1000 }, (_, index) => ({
        ...proposal,
        external_id: `${index}${"ü".repeat(length)}`,
      })),
    })
    const lambda = makeLambda(service.url)
    expect(await lambda.invoke(throughLoadBalancer(wordy(600)))).toMatchObject({
      statusCode: 413,
      statusDescription: "413 Payload Too Large",
      body: expect.stringContaining("Send several smaller ones"),
    })
    expect(await lambda.invoke(post(wordy(600)))).toMatchObject({ statusCode: 200 })
    expect(await lambda.invoke(post(wordy(3000)))).toMatchObject({ statusCode: 413 })
    expect(lambda.log).toMatchObject([
      { level: "WARN", message: "rejected", error: "TooLarge" },
      { level: "INFO" },
      { level: "WARN" },
    ])
    await expect(lambda.invoke(wordy(3000))).rejects.toMatchObject({ name: "TooLarge" })
  })

  it("quotes long values in part, so a response stays near the size of its request", async () => {
    await using service = await startService()
    const code = "X".repeat(4000)
    const source = { amount: code, currency_code: code }
    const transfers = many(1000).map(() => ({ country_code: code, payment_method: code, source }))
    const result = await makeLambda(service.url).invoke({ transfers })
    expect(result).toMatchObject({ valid: false, results: { length: 1000 } })
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(4_000_000)
  })
})
