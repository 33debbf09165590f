import { inspect } from "node:util"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Redacted from "effect/Redacted"
import * as Tracer from "effect/Tracer"
import { expect, test } from "vitest"
import * as HttpTransferApi from "../src/HttpTransferApi.ts"
import * as NodeTransport from "../src/NodeTransport.ts"
import * as Service from "./Service.ts"

const searchMany = (
  url: string,
  count: number,
  options: HttpTransferApi.HttpTransferApiOptions = {},
  tracer: Tracer.Tracer | undefined = undefined,
) =>
  Effect.gen(function* () {
    const api = yield* TransferApi
    return yield* Effect.forEach(Array.from({ length: count }), () => Effect.result(api.search({})), {
      concurrency: "unbounded",
    })
  }).pipe(
    Effect.provide(
      HttpTransferApi.layer({
        baseUrl: url,
        partnerId: "it's me",
        secretKey: Redacted.make("s3cr3t"),
        ...options,
      }).pipe(Layer.provide(NodeTransport.layer)),
    ),
    tracer === undefined ? identity : Effect.withTracer(tracer),
    Effect.runPromise,
  )

/** Responds after a moment, or the first when so many are in flight, and rejects requests above a number in flight. */
const holding = ({ rejectAbove = Infinity, first = 0 }: { readonly rejectAbove?: number; readonly first?: number }) => {
  const state = { now: 0, most: 0, rejected: 0 }
  const reached = Promise.withResolvers<void>()
  const respond: Service.Responder = async (_, response) => {
    state.now++
    state.most = Math.max(state.most, state.now)
    if (state.most >= first) reached.resolve()
    const isTooMany = state.now > rejectAbove
    if (isTooMany) state.rejected++
    await reached.promise
    setTimeout(() => {
      state.now--
      if (isTooMany) response.writeHead(429).end()
      else response.writeHead(200, { "content-type": "application/json" }).end(Service.emptyPage)
    }, 3)
  }
  return { state, respond }
}

test("never has more requests in flight than its concurrency", async () => {
  const { state, respond } = holding({ first: 5 })
  await using service = await Service.start(respond)
  const results = await searchMany(service.url, 60, { concurrency: 5 })
  expect([results.filter((result) => result._tag === "Success").length, state.most]).toEqual([60, 5])
})

test("slows down for an overloaded service, so that all requests succeed", async () => {
  const { state, respond } = holding({ rejectAbove: 6 })
  await using service = await Service.start(respond)
  const results = await searchMany(service.url, 400, { concurrency: 32, retry: { retries: 6, baseDelay: 4 } })
  expect(results.filter((result) => result._tag === "Failure")).toEqual([])
  // Without the limit, all 32 would be retried again and again.
  expect(state.rejected).toBeLessThan(120)
})

test("shows each request as a curl command without the secret", async () => {
  await using service = await Service.start(Service.respond(503, ""), Service.respond(200, Service.emptyPage))
  const seen: Array<string> = []
  await searchMany(service.url, 1, {
    retry: { baseDelay: 1 },
    onRequest: (curl) => Effect.sync(() => seen.push(curl)),
  })
  const command = `curl --user 'it'\\''s me:<secret key>' --header 'accept: application/json' '${service.url}/v1/transfers/search'`
  expect(seen).toEqual([command, command])
})

test("reports each response: its status, the service's request id, and the request without the secret", async () => {
  await using service = await Service.start(
    Service.respond(503, "", { "x-request-id": "first" }),
    Service.respond(200, Service.emptyPage, { "x-request-id": "echo of s3cr3t" }),
  )
  const seen: Array<HttpTransferApi.ResponseInfo> = []
  await searchMany(service.url, 1, {
    retry: { baseDelay: 1 },
    onResponse: (response) => Effect.sync(() => seen.push(response)),
  })
  expect(seen).toMatchObject([
    { status: 503, requestId: "first", curl: expect.stringContaining("/v1/transfers/search") },
    { status: 200, requestId: "echo of <redacted>" },
  ])
  expect(seen.every(({ milliseconds }) => milliseconds >= 0 && milliseconds < 10_000)).toBe(true)
  expect(JSON.stringify(seen)).not.toContain("s3cr3t")
})

test("the span of a call has its last response, its request id, and each retry", async () => {
  await using service = await Service.start(
    Service.respond(503, "", { "x-request-id": "first" }),
    Service.respond(200, Service.emptyPage, { "x-request-id": "second" }),
  )
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    },
  })
  const results = await searchMany(service.url, 1, { retry: { baseDelay: 1 } }, tracer)
  expect(results.map(({ _tag }) => _tag)).toEqual(["Success"])
  const [span, ...others] = spans
  expect(others).toEqual([])
  expect(span?.name).toBe("TransferApi.search")
  expect(span?.kind).toBe("client")
  const { hostname, port } = new URL(service.url)
  expect(Object.fromEntries(span?.attributes ?? [])).toEqual({
    "http.request.method": "GET",
    "http.request.resend_count": 1,
    "server.address": hostname,
    "server.port": Number(port),
    "url.path": "/v1/transfers/search",
    "http.response.status_code": 200,
    "http.response.header.x-request-id": "second",
  })
  expect(span?.events.map(([name, , attributes]) => [name, attributes])).toEqual([
    [
      "retry",
      {
        "error.type": "ServiceUnavailable",
        "retry.delay_ms": expect.any(Number),
        "http.response.header.x-request-id": "first",
      },
    ],
  ])
})

test("counts attempts by outcome", async () => {
  const count = async (outcome: string) => {
    const states = await Effect.runPromise(Metric.snapshot)
    const found = states.find(
      ({ id, attributes }) => id === "transfers_attempts" && attributes?.["outcome"] === outcome,
    )
    return found?.type === "Counter" ? Number(found.state.count) : 0
  }
  const before = [await count("success"), await count("ServiceUnavailable")]
  await using service = await Service.start(Service.respond(500, ""), Service.respond(200, Service.emptyPage))
  await searchMany(service.url, 2, { retry: { baseDelay: 1 } })
  const after = [await count("success"), await count("ServiceUnavailable")]
  expect(after.map((value, index) => value - (before[index] ?? 0))).toEqual([2, 1])
})

test("the layer shows no secret when it is printed", () => {
  const config = { baseUrl: "https://example.com", partnerId: "p", secretKey: Redacted.make("s3cr3t") }
  expect(inspect(HttpTransferApi.layer(config), { depth: 12, showHidden: true })).not.toContain("s3cr3t")
})
