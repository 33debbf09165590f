/**
 * The secret key and its credentials appear in no rendering of any error, span or log, although this service puts them
 * everywhere it can: in bodies, headers, keys and redirects, and cut in two at the end of an excerpt.
 */
import { inspect } from "node:util"
import { TransferApi } from "@transferkit/domain/TransferApi"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Tracer from "effect/Tracer"
import { describe, expect, test } from "vitest"
import * as FetchTransport from "../src/FetchTransport.ts"
import * as HttpClientTransport from "../src/HttpClientTransport.ts"
import * as HttpTransferApi from "../src/HttpTransferApi.ts"
import * as NodeTransport from "../src/NodeTransport.ts"
import { createTransferClient } from "../src/promise.ts"
import * as Service from "./Service.ts"

const secret = "sk_LIVE_0123456789abcdefghijklmnopqrstuvwxyz"
const credentials = Buffer.from(`partner:${secret}`).toString("base64")
/** Pieces count too: an excerpt that ends within the secret shows half of it. */
const traces = [
  secret.slice(0, 16),
  secret.slice(-16),
  credentials.slice(12, 36),
  encodeURIComponent(secret).slice(0, 16),
  secret.toLowerCase().slice(0, 16),
  credentials.toLowerCase().slice(12, 36),
]

const page = (transfer: object) => JSON.stringify({ results: [transfer], page_info: { has_next_page: false } })
const nextPage = (end_cursor: string) => JSON.stringify({ results: [], page_info: { has_next_page: true, end_cursor } })
const errors = JSON.stringify({ errors: [{ code: secret, message: `bad credentials ${credentials}: ${secret}` }] })
const padding = (length: number) => "x".repeat(length)
const headers = { "x-request-id": `req-${secret}` }

const hostile: ReadonlyArray<readonly [tag: string, respond: Service.Responder]> = [
  ["Unauthorized", Service.respond(401, errors, headers)],
  ["InvalidRequest", Service.respond(400, errors, headers)],
  ["RateLimited", Service.respond(429, errors, { ...headers, "retry-after": secret })],
  ["ServiceUnavailable", Service.respond(500, errors, headers)],
  ["UnexpectedStatus", Service.respond(418, `${padding(1010)}${secret}`, headers)],
  [
    "UnexpectedStatus",
    Service.respond(302, "", { ...headers, location: `https://elsewhere.example/?key=${secret}&auth=${credentials}` }),
  ],
  ...["", ".example/v1"].flatMap((rest) =>
    [secret, `a.${credentials}`].map((host): (typeof hostile)[number] => [
      "UnexpectedStatus",
      Service.respond(302, "", { location: `https://${host}${rest}` }),
    ]),
  ),
  ["UnexpectedStatus", Service.respond(302, "", { ...headers, location: `/v1?key=${secret}&auth=${credentials}` })],
  ["MalformedResponse", Service.respond(200, nextPage(secret), headers)],
  ["MalformedResponse", Service.respond(200, nextPage(`1-${credentials}`), headers)],
  ["MalformedResponse", Service.respond(200, secret, headers)],
  ["MalformedResponse", Service.respond(200, `${padding(50)}${secret}`, headers)],
  ["MalformedResponse", Service.respond(200, `{"results":"${credentials}","page_info":{}}`, headers)],
  ["MalformedResponse", Service.respond(200, page({ id: "1", kind: "a", status: "b", created_at: secret }), headers)],
  ["MalformedResponse", Service.respond(200, "{}", { ...headers, "content-type": `text/${secret}` })],
  ["ConnectionFailed", (_, response) => void response.destroy(new Error(secret))],
]

/** A wrong limit under a key that is the secret: the path to it is part of the error. */
const keyed = `{"supported_countries":[],"supported_currencies":[],"supported_payment_methods":[],"transfer_limits":{"${secret}":{"min_transfer":1}}}`

const everyRendering = (error: unknown): string => {
  const own =
    typeof error === "object" && error !== null
      ? Reflect.ownKeys(error).map((key) => inspect(Reflect.get(error, key)))
      : []
  return [
    String(error),
    JSON.stringify(error),
    inspect(error, { depth: 20, showHidden: true, getters: true }),
    error instanceof Error ? `${error.message} ${error.stack} ${inspect(error.cause)}` : "",
    Cause.pretty(Cause.fail(error)),
    inspect(Exit.fail(error), { depth: 20 }),
    ...own,
  ].join("\n")
}

const expectNoTrace = (text: string): void => {
  for (const trace of traces) expect(text).not.toContain(trace)
}

describe.each([
  ["node", NodeTransport.layer],
  ["fetch", FetchTransport.layer()],
  ["Effect's HttpClient", HttpClientTransport.layer.pipe(Layer.provide(FetchHttpClient.layer))],
] as const)("over %s", (_, transport) => {
  /** The error of a call, and everything that was logged and traced on the way. */
  const observe = async (
    url: string,
    use: (api: TransferApi["Service"]) => Effect.Effect<unknown, TransferApiError>,
  ) => {
    const seen: Array<string> = []
    const logger = Logger.make((options) => void seen.push(inspect(options, { depth: 10 })))
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        seen.push(inspect(span, { depth: 6 }))
        const end = span.end.bind(span)
        span.end = (time, exit) => {
          end(time, exit)
          seen.push(inspect([...span.attributes, span.events, exit], { depth: 10 }))
        }
        return span
      },
    })
    const error = await Effect.runPromise(
      Effect.gen(function* () {
        return yield* Effect.flip(
          use(yield* TransferApi).pipe(Effect.tapError((failure) => Effect.logError("failed", failure))),
        )
      }).pipe(
        Effect.provide(
          HttpTransferApi.layer({
            baseUrl: url,
            partnerId: "partner",
            secretKey: Redacted.make(secret),
            retry: { retries: 1, baseDelay: 1 },
            onRequest: (curl) => Effect.sync(() => seen.push(curl)),
            onResponse: (response) => Effect.sync(() => seen.push(inspect(response))),
          }).pipe(
            Layer.provide(transport),
            Layer.provideMerge(Logger.layer([logger])),
            Layer.provideMerge(Layer.succeed(Tracer.Tracer, tracer)),
          ),
        ),
      ),
    )
    expect(seen.length).toBeGreaterThan(1)
    return { error, seen: seen.join("\n") }
  }

  test.each(hostile)("%s", async (tag, respond) => {
    await using service = await Service.start(respond)
    const { error, seen } = await observe(service.url, (api) => api.search({ limit: 20 }))
    expect(error._tag).toBe(tag)
    expectNoTrace(everyRendering(error))
    expectNoTrace(seen)
  })

  test("MalformedResponse at a key that is the secret", async () => {
    await using service = await Service.start(Service.respond(200, keyed, headers))
    const { error, seen } = await observe(service.url, (api) => api.capabilities)
    expect(error._tag).toBe("MalformedResponse")
    expectNoTrace(everyRendering(error))
    expectNoTrace(seen)
  })
})

test.each<[string, Service.Responder, RegExp]>([
  ["an error", Service.respond(418, "\\u0025".repeat(2_700_000)), /418/],
  ["a failure", Service.respond(500, "%25".repeat(5_000_000)), /500/],
  ["no page", Service.respond(200, "&#38;#38;".repeat(1_800_000)), /more than can be searched for the credentials/],
  ["a cursor", Service.respond(200, nextPage("%25".repeat(5_000_000))), /a page whose cursor holds no credentials/],
])("%s of 16 MiB of escapes does not hold up the process", async (_, respond, message) => {
  await using service = await Service.start(respond)
  const client = createTransferClient({ baseUrl: service.url, partnerId: "partner", secretKey: secret, retries: 0 })
  const began = process.cpuUsage()
  await expect(client.search()).rejects.toThrow(message)
  // To search all of it took two seconds and more.
  expect(process.cpuUsage(began).user).toBeLessThan(1_000_000)
})

test("the Promise client shows it neither in its errors nor when it is printed", async () => {
  await using service = await Service.start(Service.respond(418, errors, headers))
  const client = createTransferClient({ baseUrl: service.url, partnerId: "partner", secretKey: secret, retries: 0 })
  const error: unknown = await client.search().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(Error)
  expectNoTrace(everyRendering(error))
  expectNoTrace(inspect(client, { depth: 20, showHidden: true }))
})

const awkward = "sk/live+0123&4567<89"
const unit = (character: string) => character.charCodeAt(0)

test.each([
  ["PHP's JSON", String.raw`sk\/live+0123&4567<89`],
  ["Go's JSON", String.raw`sk/live+0123\u00264567\u003c89`],
  [".NET's JSON", String.raw`sk/live\u002B0123\u00264567\u003C89`],
  ["JSON with every character escaped", awkward.replace(/./g, (c) => `\\u00${unit(c).toString(16)}`)],
  ["a URL with every byte escaped", awkward.replace(/./g, (c) => `%${unit(c).toString(16)}`)],
  ["entities", "sk&#x2F;live&#43;0123&amp;4567&lt;89"],
])("the Promise client does not show a key that a service echoes in %s", async (_, echo) => {
  const found = JSON.stringify({ errors: [{ code: "ECHO", message: "no such key: ECHO." }] }).replaceAll("ECHO", echo)
  const row = page({ id: "1", kind: "a", status: "b", created_at: "ECHO" }).replace("ECHO", echo)
  for (const [status, body] of [
    [400, found],
    [500, found],
    [418, echo],
    [200, found],
    [200, row],
  ] as const) {
    await using service = await Service.start(Service.respond(status, body))
    const client = createTransferClient({ baseUrl: service.url, partnerId: "p", secretKey: awkward, retries: 0 })
    const error: unknown = await client.search().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Error)
    expect(everyRendering(error)).not.toMatch(/live|4567|%73%6b|u0073/)
  }
})

const foreign = "Schlüssel-größer-als-€4711"
/** Header bytes are read in Latin-1, though a key is sent in UTF-8. */
const readInLatin1 = Buffer.from(foreign).toString("latin1")

test.each([
  ["as its bytes", readInLatin1],
  ["as a URL", encodeURIComponent(foreign)],
  ["in Base64", Buffer.from(readInLatin1).toString("base64")],
])("a redirect that holds a key with characters beyond ASCII %s does not show it", async (_, echo) => {
  await using service = await Service.start(
    Service.respond(302, "", { location: `https://elsewhere.example/?key=${echo}`, "x-request-id": `req-${echo}` }),
  )
  const client = createTransferClient({ baseUrl: service.url, partnerId: "partner", secretKey: foreign, retries: 0 })
  const error: unknown = await client.search().catch((reason: unknown) => reason)
  expect(error).toMatchObject({
    location: "https://elsewhere.example/?key=<redacted>",
    requestId: expect.stringContaining("req-<redacted>"),
  })
  expect(everyRendering(error)).not.toMatch(/Schl|4711|U2NobM/)
})

test.each([
  ["little", Buffer.from(secret, "utf16le")],
  ["big", Buffer.from(secret, "utf16le").swap16()],
])("an error does not show the Base64 of the key in UTF-16 with its %s end first", async (_, bytes) => {
  await using service = await Service.start(Service.respond(418, `before ${bytes.toString("base64")} after`))
  const client = createTransferClient({ baseUrl: service.url, partnerId: "partner", secretKey: secret, retries: 0 })
  const error: unknown = await client.search().catch((reason: unknown) => reason)
  expect(everyRendering(error)).toMatch(/before [\w+/]{0,4}<redacted>/)
  expect(everyRendering(error)).not.toContain(bytes.toString("base64").slice(8, 24))
})
