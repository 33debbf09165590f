/** Every option that makes no sense is rejected by its name, before anything is sent. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect, test, vi } from "vitest"
import * as FetchTransport from "../src/FetchTransport.ts"
import * as HttpTransferApi from "../src/HttpTransferApi.ts"
import { createTransferClient, InvalidConfiguration } from "../src/promise.ts"
import * as Service from "./Service.ts"

const config = { baseUrl: "https://example.com", partnerId: "demo", secretKey: "demo-secret" }

/** As a program without types could: the values are those of a JSON file, or of a variable that is not set. */
const untyped = (text: string): never => JSON.parse(text, (_, value) => (value === "NaN" ? Number.NaN : value)) as never

test.each([
  ["concurrency", "0"],
  ["concurrency", "-1"],
  ["concurrency", '"NaN"'],
  ["concurrency", "1.5"],
  ["retries", '"NaN"'],
  ["retries", "-1"],
  ["deadline", '"NaN"'],
  ["deadline", "-1"],
  ["attemptTimeout", '"soon"'],
  ["maxBodyBytes", "0"],
  ["onRequest", '"log"'],
  ["onResponse", "1"],
  ["fetch", '"https:"'],
  ["baseUrl", "null"],
  ["partnerId", "null"],
  ["partnerId", "7"],
  ["secretKey", "null"],
  ["allowInsecure", '"no"'],
  ["timeout", "5"],
])("a client rejects %s %s", (setting, value) => {
  const create = () => createTransferClient({ ...config, [setting]: untyped(value) })
  expect(create).toThrow(InvalidConfiguration)
  expect(create).toThrow(new RegExp(`^Invalid ${setting}: `))
})

test("a client rejects a secret key that is not set", () => {
  const secretKey = process.env["NO_SUCH_VARIABLE"] as string
  expect(() => createTransferClient({ ...config, secretKey })).toThrow("Invalid secretKey: it must be a text.")
})

test.each(["baseDelay", "maxDelay", "maxRetryAfter"])("the retry policy rejects %s NaN", async (setting) => {
  const layer = { ...config, secretKey: Redacted.make("s"), retry: { [setting]: Number.NaN } }
  const made = HttpTransferApi.make(layer).pipe(Effect.flip, Effect.provide(FetchTransport.layer()))
  expect(await Effect.runPromise(made)).toMatchObject({ _tag: "InvalidConfiguration", setting })
})

test.each([
  ["external_id", { external_id: undefined }],
  ["created_at", { created_at: undefined }],
  ["created_at.gte", { created_at: { gte: undefined, lt: "2024-09-01T00:00:00Z" } }],
])(
  "a filter %s that is undefined is rejected by name, because without it everything is listed",
  async (setting, query) => {
    const client = createTransferClient(config)
    const given = query as never
    const message = `Invalid ${setting}: it is undefined. Leave it out to ask for all.`
    await expect(client.search(given)).rejects.toMatchObject({ setting, message })
    for (const stream of [client.list(given), client.scan(given)]) {
      await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ setting })
    }
    if (setting === "external_id") {
      await expect(client.get("/transfers/search", given)).rejects.toMatchObject({ setting })
    }
  },
)

test("works without the environment, as in Deno without --allow-env, if everything is passed", async () => {
  await using service = await Service.start(Service.respond(200, Service.emptyPage))
  const env = new Proxy(
    {},
    {
      get: () => {
        throw new Error("Requires env access")
      },
    },
  )
  vi.stubGlobal("process", Object.create(process, { env: { value: env } }))
  const client = createTransferClient({ ...config, baseUrl: service.url })
  vi.unstubAllGlobals()
  expect((await client.search()).results).toEqual([])
})

test("options and cursors that are undefined are left out", async () => {
  await using service = await Service.start(Service.respond(200, Service.emptyPage))
  const undefineds = { attemptTimeout: undefined, deadline: undefined, retries: undefined }
  const client = createTransferClient({ ...config, ...undefineds, baseUrl: service.url, logger: undefined })
  await client.search({ after_cursor: undefined, limit: undefined }, { ...undefineds, headers: undefined })
  expect(service.requests[0]?.url).toBe("/v1/transfers/search?limit=20")
})

test("a bound may be a Temporal.Instant, exact to the nanosecond, and a time of a transfer becomes one", async () => {
  await using service = await Service.start(Service.respond(200, Service.emptyPage))
  const client = createTransferClient({ ...config, baseUrl: service.url })
  const epochNanoseconds = 1_725_148_800_000_000_001n
  await client.search({ created_at: { lt: { epochNanoseconds } } })
  expect(service.requests[0]?.url).toContain("lt:2024-09-01T00:00:01Z")
  const beyond = { created_at: { lt: { epochNanoseconds: 10n ** 30n } } }
  await expect(client.search(beyond)).rejects.toMatchObject({ setting: "created_at.lt" })
})

test.each([
  ["limit", '{"limit":0}'],
  ["limit", '{"limit":"NaN"}'],
  ["limit", '{"limit":21}'],
  ["external_id", '{"external_id":null}'],
  ["external_id", '{"external_id":"\\ud83d"}'],
  ["after_cursor", '{"after_cursor":7}'],
  ["after_cursor", '{"after_cursor":"\\udc00"}'],
  ["created_at", '{"created_at":null}'],
  ["created_at.gte", '{"created_at":{"gte":null}}'],
  ["created_at.lt", '{"created_at":{"lt":1725148800000}}'],
  ["query", "null"],
  ["query", '"order-1001"'],
  // Without them, the query would ask for all transfers.
  ["externalId", '{"externalId":"order-1001"}'],
  ["from", '{"created_at":{"from":"2024-09-01T00:00:00Z"}}'],
])("a search rejects a wrong %s: %s", async (setting, query) => {
  await using service = await Service.start(Service.respond(200, Service.emptyPage))
  const call = createTransferClient({ ...config, baseUrl: service.url }).search(untyped(query))
  await expect(call).rejects.toMatchObject({ code: "invalid_configuration", setting })
  expect(service.requests).toEqual([])
})

test("a search rejects a filter of the domain, and takes a time of a transfer as a bound", async () => {
  await using service = await Service.start(Service.respond(200, Service.emptyPage))
  const client = createTransferClient({ ...config, baseUrl: service.url })
  const filter: object = CreatedAt.none
  await expect(client.search({ created_at: filter })).rejects.toMatchObject({ setting: "created_at" })
  await client.search({ created_at: { gte: Timestamp.parseUnsafe("2024-09-01T00:00:00Z") } })
  expect(service.requests.map(({ url }) => url)).toEqual([
    "/v1/transfers/search?created_at=gte:2024-09-01T00:00:00Z&limit=20",
  ])
})

test("a call rejects an option that it does not have, and null for its options", async () => {
  const client = createTransferClient(config)
  const calls = [
    ["timeout", () => client.search({}, untyped('{"timeout":5}'))],
    ["prefetch", () => client.capabilities(untyped('{"prefetch":2}'))],
    ["resume", () => client.list({}, untyped('{"resume":{}}')).toArray({ limit: 1 })],
    ["limit", () => client.list(untyped('{"limit":5}')).toArray({ limit: 1 })],
    ["limit", () => client.list().toArray(untyped("null"))],
    ["prefetch", () => client.scan({}, untyped('{"prefetch":2}'))[Symbol.asyncIterator]().next()],
    ["options", () => client.search({}, untyped("null"))],
    ["query", () => client.get("/capabilities", untyped("null"))],
  ] as const
  for (const [setting, call] of calls) await expect(call()).rejects.toMatchObject({ setting })
})

test("a search rejects a Date that is none", async () => {
  const created_at = { gte: new Date(Number.NaN) }
  const call = createTransferClient(config).search({ created_at })
  await expect(call).rejects.toMatchObject({ code: "invalid_configuration", setting: "created_at.gte" })
})

test.each(["0", "-1", '"NaN"'])("a scan rejects a concurrency of %s", async (concurrency) => {
  const scan = async () => {
    for await (const _ of createTransferClient(config).scan({}, { concurrency: untyped(concurrency) })) break
  }
  await expect(scan()).rejects.toMatchObject({ code: "invalid_configuration", setting: "concurrency" })
})

test("a call takes null for no signal, as fetch does, and rejects what is no signal", async () => {
  await using service = await Service.start(Service.respond(200, Service.emptyPage))
  const client = createTransferClient({ ...config, baseUrl: service.url })
  expect((await client.search({}, { signal: null })).results).toEqual([])
  await expect(client.search({}, { signal: untyped("{}") })).rejects.toMatchObject({ setting: "signal" })
  await expect(client.capabilities({ signal: untyped("1") })).rejects.toMatchObject({ setting: "signal" })
})
