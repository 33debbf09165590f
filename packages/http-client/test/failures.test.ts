/** What went wrong is named as it is, and retried only if that can help. */
import { gzipSync } from "node:zlib"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { describe, expect, test } from "vitest"
import * as FetchTransport from "../src/FetchTransport.ts"
import * as HttpTransferApi from "../src/HttpTransferApi.ts"
import type { HttpTransport } from "../src/HttpTransport.ts"
import { transportFailed } from "../src/internal/transport/TransportFailed.ts"
import * as NodeTransport from "../src/NodeTransport.ts"
import * as Service from "./Service.ts"

const failureOf = (baseUrl: string, transport: Layer.Layer<HttpTransport>) =>
  TransferApi.use((api) => Effect.flip(api.search({}))).pipe(
    Effect.provide(
      HttpTransferApi.layer({
        baseUrl,
        partnerId: "p",
        secretKey: Redacted.make("s3cr3t"),
        retry: { retries: 2, baseDelay: 1 },
      }).pipe(Layer.provide(transport)),
    ),
    Effect.runPromise,
  )

describe.each([
  ["node", NodeTransport.layer],
  ["fetch", FetchTransport.layer()],
] as const)("over %s", (_, transport) => {
  test("does not retry a service that does not speak TLS", async () => {
    await using service = await Service.start(Service.respond(200, Service.emptyPage))
    const error = await failureOf(service.url.replace("http:", "https:"), transport)
    expect(error).toMatchObject({ _tag: "ConnectionFailed", isRetryable: false })
    expect(service.connections()).toBe(1)
  })

  test.each([
    ["gzip", Buffer.from(Service.emptyPage), "in the encoding that its Content-Encoding names"],
    ["br", gzipSync(Service.emptyPage), "in the encoding that its Content-Encoding names"],
    ["compress", gzipSync(Service.emptyPage), "UTF-8"],
  ])("names a Content-Encoding %s that the body does not have", async (encoding, body, expected) => {
    await using service = await Service.start(Service.respond(200, body, { "content-encoding": encoding }))
    const error = await failureOf(service.url, transport)
    expect(error).toMatchObject({ _tag: "MalformedResponse", expected })
    expect(error.message).toMatch(/Content-Encoding/)
  })

  test("keeps the service's words in a 200 that holds errors", async () => {
    const body = '{"errors":[{"code":"maintenance","message":"Back at noon."}]}'
    await using service = await Service.start(Service.respond(200, body))
    const error = await failureOf(service.url, transport)
    expect(error).toMatchObject({ _tag: "MalformedResponse", pointer: "/results" })
    expect(error.message).toContain("missing, and the service says: Back at noon. [maintenance]")
    expect(service.requests).toHaveLength(1)
  })
})

const withCode = (code: string) => Object.assign(new Error("why"), { code })

test.each([
  ["ENOTFOUND", "permanent"],
  ["EAI_AGAIN", "connection"],
  ["ECONNREFUSED", "connection"],
  ["ECONNRESET", "connection"],
  ["CERT_HAS_EXPIRED", "permanent"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "permanent"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "permanent"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "permanent"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "permanent"],
  ["Z_DATA_ERROR", "encoding"],
  ["ERR__ERROR_FORMAT_PADDING_1", "encoding"],
])("takes %s for a failure of the kind %s, also as a cause", (code, kind) => {
  expect(transportFailed(withCode(code)).kind).toBe(kind)
  expect(transportFailed(new TypeError("fetch failed", { cause: withCode(code) }))).toMatchObject({
    reason: "why",
    kind,
  })
})

test("reads causes that go round in a circle", () => {
  const error = withCode("ENOTFOUND")
  error.cause = new Error("", { cause: error })
  expect(transportFailed(error)).toMatchObject({ reason: "why", kind: "permanent" })
})

test.each(["a text", undefined, { message: "an object" }])(
  "takes %j, which is no Error, for its own reason",
  (thrown) => {
    expect(transportFailed(thrown)).toMatchObject({ reason: String(thrown), kind: "connection" })
  },
)

test("takes the reason of the first address that failed", () => {
  const all = new AggregateError([withCode("ECONNREFUSED"), new Error("second")], "all failed")
  expect(transportFailed(new TypeError("fetch failed", { cause: all }))).toMatchObject({ reason: "why" })
  expect(transportFailed(new AggregateError([], "none"))).toMatchObject({ reason: "none" })
})
