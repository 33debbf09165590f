import { readFile } from "node:fs/promises"
import { inspect } from "node:util"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { TransferApi } from "@transferkit/domain/TransferApi"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect, test } from "vitest"
import * as FetchTransport from "../src/FetchTransport.ts"
import * as HttpClientTransport from "../src/HttpClientTransport.ts"
import * as HttpTransferApi from "../src/HttpTransferApi.ts"
import { HttpTransport, TransportTimedOut } from "../src/HttpTransport.ts"
import * as NodeTransport from "../src/NodeTransport.ts"
import * as Service from "./Service.ts"

const secret = 's3cr3t-pässwörd-"quoted"'

const golden = (name: string) => readFile(new URL(`golden/${name}.json`, import.meta.url), "utf8")

const transports = [
  ["node", NodeTransport.layer],
  ["fetch", FetchTransport.layer()],
  ["Effect's HttpClient", HttpClientTransport.layer.pipe(Layer.provide(FetchHttpClient.layer))],
] as const

/** Runs with a client that retries immediately. */
const using = <A>(
  transport: Layer.Layer<HttpTransport>,
  url: string,
  use: (api: TransferApi["Service"]) => Effect.Effect<A, TransferApiError>,
  options: HttpTransferApi.HttpTransferApiOptions = {},
) =>
  Effect.gen(function* () {
    return yield* use(yield* TransferApi)
  }).pipe(
    Effect.provide(
      HttpTransferApi.layer({
        baseUrl: url,
        partnerId: "partner-é",
        secretKey: Redacted.make(secret),
        retry: { retries: 2, baseDelay: 1, maxDelay: 2, maxRetryAfter: 5 },
        ...options,
      }).pipe(Layer.provide(transport)),
    ),
  )

describe.each(transports)("over %s", (name, transport) => {
  const run = <A>(
    url: string,
    use: (api: TransferApi["Service"]) => Effect.Effect<A, TransferApiError>,
    options?: HttpTransferApi.HttpTransferApiOptions,
  ) => Effect.runPromise(using(transport, url, use, options))
  const failure = (url: string, options?: HttpTransferApi.HttpTransferApiOptions) =>
    Effect.runPromise(Effect.flip(using(transport, url, (api) => api.search({ limit: 20 }), options)))

  test("sends exactly the request of the contract", async () => {
    await using service = await Service.start(Service.respond(200, Service.emptyPage))
    await run(`${service.url}/prefix/`, (api) =>
      api.search({
        external_id: "a&b=c+d/é",
        created_at: ["gte:2024-09-01T00:00:00+02:00", "lt:2024-10-01T00:00:00Z"],
        limit: 7,
        after_cursor: "Y3Vyc29y==",
      }),
    )
    const [sent] = service.requests
    expect(sent?.method).toBe("GET")
    expect(sent?.url).toBe(
      "/prefix/v1/transfers/search?external_id=a%26b%3Dc%2Bd%2F%C3%A9&created_at=gte:2024-09-01T00:00:00%2B02:00&created_at=lt:2024-10-01T00:00:00Z&limit=7&after_cursor=Y3Vyc29y%3D%3D",
    )
    expect(sent?.headers.accept).toBe("application/json")
    expect(sent?.headers.authorization).toBe(`Basic ${Buffer.from(`partner-é:${secret}`, "utf8").toString("base64")}`)
    expect(Object.keys(sent?.headers ?? {})).not.toContain("traceparent")
  })

  test("lets pages be compressed if the transport can unpack them, but not capabilities", async () => {
    await using service = await Service.start(Service.respond(200, Service.emptyPage))
    await run(service.url, (api) => api.search({}))
    await run(service.url, (api) => Effect.exit(api.capabilities))
    const encodings = service.requests.map(({ headers }) => headers["accept-encoding"])
    const pages = name === "Effect's HttpClient" ? "identity" : expect.stringContaining("gzip")
    expect(encodings).toEqual([pages, "identity"])
  })

  test("reads a page of the contract with every amount and instant unchanged", async () => {
    const text = await golden("page")
    await using service = await Service.start(Service.respond(200, text))
    const page = await run(service.url, (api) => api.search({}))
    const [first, second] = page.results
    const [wire] = JSON.parse(text).results
    expect(page.page_info).toEqual({ end_cursor: "Y3Vyc29yOjI=", has_next_page: true })
    expect(JSON.parse(JSON.stringify(first))).toEqual(wire)
    expect(first?.destination_total?.text).toBe("0.041200000000000001")
    expect(second?.created_at.epochNanoseconds).toBe(Timestamp.parseUnsafe("2024-09-01T08:00:00Z").epochNanoseconds)
    expect(second).not.toHaveProperty("external_id")
  })

  test("reads capabilities of the contract", async () => {
    const text = await golden("capabilities")
    await using service = await Service.start(Service.respond(200, text))
    expect(await run(service.url, (api) => api.capabilities)).toEqual(JSON.parse(text))
    expect(service.requests[0]?.url).toBe("/v1/capabilities")
  })

  test("reuses its connections", async () => {
    await using service = await Service.start(Service.respond(200, Service.emptyPage))
    await run(service.url, (api) => Effect.forEach(Array.from({ length: 20 }), () => api.search({})))
    expect(service.requests.length).toBe(20)
    expect(service.connections()).toBeLessThanOrEqual(2)
  })

  test.each([
    ["a byte order mark", Service.respond(200, `\uFEFF${Service.emptyPage}`)],
    ["a charset", Service.respond(200, Service.emptyPage, { "content-type": "Application/JSON; charset=utf-8" })],
    ["a JSON type of its own", Service.respond(200, Service.emptyPage, { "content-type": "application/hal+json" })],
  ])("accepts %s", async (_, respond) => {
    await using service = await Service.start(respond)
    expect((await run(service.url, (api) => api.search({}))).results).toEqual([])
  })

  const errors = JSON.stringify({ errors: [{ code: "bad", message: "limit is out of range" }] })
  test.each([
    ["401", Service.respond(401, ""), { _tag: "Unauthorized", status: 401 }, 1],
    ["403", Service.respond(403, ""), { _tag: "Unauthorized", status: 403 }, 1],
    [
      "400 with errors",
      Service.respond(400, errors),
      { _tag: "InvalidRequest", status: 400, errors: JSON.parse(errors).errors },
      1,
    ],
    ["400 without", Service.respond(400, "no"), { _tag: "UnexpectedStatus", status: 400, body: "no" }, 1],
    [
      "404 in HTML",
      Service.respond(404, "<html>".padEnd(5000, ".")),
      { _tag: "UnexpectedStatus", body: "<html>".padEnd(1024, ".") },
      1,
    ],
    ["204", Service.respond(204, ""), { _tag: "UnexpectedStatus", status: 204 }, 1],
    ["429", Service.respond(429, "", { "retry-after": "0" }), { _tag: "RateLimited" }, 3],
    [
      "500",
      Service.respond(500, errors),
      { _tag: "ServiceUnavailable", status: 500, errors: JSON.parse(errors).errors },
      3,
    ],
    [
      "503 with an absurd Retry-After",
      Service.respond(503, "", { "retry-after": "99999999999999999999" }),
      { _tag: "ServiceUnavailable" },
      3,
    ],
    [
      "HTML",
      Service.respond(200, "<html>", { "content-type": "text/html" }),
      { _tag: "MalformedResponse", actual: "of the type text/html" },
      1,
    ],
    ["truncated JSON", Service.respond(200, '{"results":['), { _tag: "MalformedResponse", expected: "JSON" }, 3],
    ["no body", Service.respond(200, ""), { _tag: "MalformedResponse", expected: "JSON", actual: "empty" }, 3],
    [
      "bytes that are not UTF-8",
      Service.respond(200, Buffer.from([0x22, 0xff, 0x22])),
      { _tag: "MalformedResponse", expected: "UTF-8" },
      3,
    ],
    [
      "a number for an amount",
      Service.respond(
        200,
        '{"results":[{"id":"1","kind":"k","status":"s","created_at":"2024-09-01T00:00:00Z","service_fee":{"amount":1,"currency_code":"fiat/USD"}}],"page_info":{"has_next_page":false}}',
      ),
      { _tag: "MalformedResponse", pointer: "/results/0/service_fee/amount", actual: "the number 1" },
      1,
    ],
  ] as const)("%s is one typed error, after as many attempts as can help", async (_, respond, expected, attempts) => {
    await using service = await Service.start(respond)
    expect(await failure(service.url)).toMatchObject({ requestId: "req-1", ...expected })
    expect(service.requests.length).toBe(attempts)
  })

  test("rejects a lone surrogate instead of sending another text", async () => {
    await using service = await Service.start(Service.respond(200, Service.emptyPage))
    const error = await Effect.runPromise(
      Effect.flip(using(transport, service.url, (api) => api.search({ after_cursor: "Y3Vyc29y\ud83d" }))),
    )
    expect(error).toMatchObject({ _tag: "InvalidRequest", errors: [{ code: "invalid_parameter" }] })
    expect(error.message).toContain("after_cursor contains a lone surrogate")
    expect(service.requests).toEqual([])
  })

  test("succeeds as soon as one attempt does", async () => {
    await using service = await Service.start(
      Service.respond(503, ""),
      (request) => request.socket.destroy(),
      Service.respond(200, Service.emptyPage),
    )
    expect((await run(service.url, (api) => api.search({}))).results).toEqual([])
    expect(service.requests.length).toBe(3)
  })

  test("does not retry when retries is 0", async () => {
    await using service = await Service.start(Service.respond(503, ""))
    expect((await failure(service.url, { retry: { retries: 0 } }))._tag).toBe("ServiceUnavailable")
    expect(service.requests.length).toBe(1)
  })

  test("ends an attempt that drips for too long with TimedOut", async () => {
    await using service = await Service.start((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).write("{")
    })
    const error = await failure(service.url, { attemptTimeout: 60, retry: { retries: 0 } })
    expect(error._tag).toBe("TimedOut")
  })

  test("bounds all attempts together by the deadline", async () => {
    await using service = await Service.start(() => undefined)
    const error = await failure(service.url, {
      attemptTimeout: 80,
      deadline: 200,
      retry: { retries: 100, baseDelay: 0 },
    })
    expect(error._tag).toBe("TimedOut")
    expect(service.requests.length).toBeLessThanOrEqual(3)
  })

  test("rejects a body over the limit before reading all of it", async () => {
    let written = 0
    await using service = await Service.start((_, response) => {
      response.writeHead(200, { "content-type": "application/json" })
      const chunk = Buffer.alloc(1 << 16, " ")
      const write = () => {
        while (written < 50 << 20 && response.write(chunk)) written += chunk.length
      }
      response.on("drain", write)
      write()
    })
    expect(await failure(service.url, { maxBodyBytes: 1 << 20 })).toMatchObject({
      _tag: "MalformedResponse",
      expected: "at most 1048576 bytes",
    })
    expect(written).toBeLessThan(16 << 20)
  })

  test("follows a redirect within the origin", async () => {
    await using service = await Service.start(
      Service.respond(307, "", { location: "/elsewhere?x=1" }),
      Service.respond(200, Service.emptyPage),
    )
    await run(service.url, (api) => api.search({}))
    expect(service.requests[1]?.url).toBe("/elsewhere?x=1")
    expect(service.requests[1]?.headers.authorization).toBeDefined()
  })

  test("sends nothing to another origin that it is redirected to, and names it", async () => {
    await using other = await Service.start(Service.respond(200, Service.emptyPage))
    await using service = await Service.start(Service.respond(302, "", { location: `${other.url}/stolen` }))
    const error = await failure(service.url)
    expect(error).toMatchObject({ _tag: "UnexpectedStatus", status: 302, location: `${other.url}/stolen` })
    expect(other.requests).toEqual([])
  })

  test("gives up on a redirect to itself", async () => {
    await using service = await Service.start((request, response) => {
      response.writeHead(302, { location: request.url }).end()
    })
    const error = await failure(service.url)
    expect(error).toMatchObject({ _tag: "UnexpectedStatus", redirects: 5 })
    expect(error.message).toMatch(/^The service redirected 5 times, and then \(302\) to "http.*Check that the base URL/)
    expect(service.requests.length).toBe(6)
  })

  test("shows the secret in no error, even if the service sends it back", async () => {
    const echo: Service.Responder = (request, response, number) => {
      const text = JSON.stringify({ got: request.headers.authorization, secret, results: secret })
      response.writeHead(number % 2 === 0 ? 200 : 418, { "content-type": "application/json" }).end(text)
    }
    await using service = await Service.start(echo)
    for (let i = 0; i < 2; i++) {
      const error = await failure(service.url)
      const shown = [inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), String(error.stack)].join()
      expect(shown).not.toContain("s3cr3t")
      expect(shown).not.toContain(Buffer.from(`partner-é:${secret}`).toString("base64").slice(4, 20))
    }
  })

  test("says why it cannot connect", async () => {
    const service = await Service.start()
    await service[Symbol.asyncDispose]()
    expect(await failure(service.url)).toMatchObject({
      _tag: "ConnectionFailed",
      reason: expect.stringContaining("ECONNREFUSED"),
    })
  })

  test("can be interrupted during the wait before a retry", async () => {
    await using service = await Service.start(Service.respond(503, "", { "retry-after": "20" }))
    const patient = { retry: { maxRetryAfter: 20_000 }, deadline: 0 }
    const outcome = await Effect.runPromise(
      Effect.timeoutOption(
        using(transport, service.url, (api) => api.search({}), patient),
        200,
      ).pipe(Effect.timed),
    )
    expect(outcome[1]._tag).toBe("None")
    expect(Duration.toMillis(outcome[0])).toBeLessThan(10_000)
    expect(service.requests.length).toBe(1)
  })

  test("leaves no connection behind after a failure", async () => {
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length
    const before = sockets()
    const cut: Service.Responder = (request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).write("{", () => request.socket.destroy())
    }
    const responders = [
      cut,
      Service.respond(500, ""),
      (() => undefined) satisfies Service.Responder,
      Service.respond(200, "{"),
    ]
    for (const respond of responders) {
      await using service = await Service.start(respond)
      await failure(service.url, { attemptTimeout: 250, maxBodyBytes: 1000 })
      expect(service.requests.length).toBe(3)
    }
    await expect.poll(sockets).toBeLessThanOrEqual(before)
  })

  test("closes the connection of an interrupted call", async () => {
    const [arrived, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await using service = await Service.start((request) => {
      request.socket.on("close", () => closed.resolve())
      arrived.resolve()
    })
    const call = using(transport, service.url, (api) => api.search({}))
    await Effect.runPromise(
      Effect.raceFirst(
        call,
        Effect.promise(() => arrived.promise),
      ),
    )
    await expect(closed.promise).resolves.toBeUndefined()
  })
})

test("does not retry an attempt that had until the deadline, though its timer fires early", async () => {
  const timeouts: Array<number> = []
  const early = Layer.succeed(HttpTransport, {
    get: ({ timeout }) => {
      timeouts.push(timeout)
      return Effect.andThen(TestClock.adjust(timeout - 1), Effect.fail(new TransportTimedOut({ timeout })))
    },
  })
  const options = { attemptTimeout: 80, deadline: 200, retry: { retries: 100, baseDelay: 0 } }
  const call = using(early, "https://service.example", (api) => api.search({}), options)
  const error = await Effect.runPromise(Effect.flip(call).pipe(Effect.provide(TestClock.layer())))
  expect([error._tag, timeouts]).toEqual(["TimedOut", [80, 80, 42]])
})
