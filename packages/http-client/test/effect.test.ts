/** What programs on Effect get beyond the port: their own HttpClient, settings by call, renewed credentials, metrics. */
import { TransferApi } from "@transferkit/domain/TransferApi"
import { TransferPager } from "@transferkit/domain/TransferPager"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { expect, test } from "vitest"
import * as HttpTransferApi from "../src/HttpTransferApi.ts"
import * as HttpTransferPager from "../src/HttpTransferPager.ts"
import * as NodeTransport from "../src/NodeTransport.ts"
import * as Service from "./Service.ts"

const configOf = (baseUrl: string) => ({ baseUrl, partnerId: "p", secretKey: Redacted.make("s") })

test("layerHttpClient sends through the program's own HttpClient", async () => {
  await using service = await Service.start(Service.respond(200, Service.emptyPage))
  const seen: Array<string> = []
  const own = Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) =>
      HttpClient.tapRequest(client, (request) => Effect.sync(() => seen.push(request.url))),
    ),
  ).pipe(Layer.provide(FetchHttpClient.layer))
  const live = HttpTransferPager.layerHttpClient(configOf(service.url)).pipe(Layer.provide(own))
  const ids = TransferPager.use((pager) => Stream.runCollect(pager.transfers({}))).pipe(Effect.provide(live))
  expect(await Effect.runPromise(ids)).toEqual([])
  expect(seen).toEqual([`${service.url}/v1/transfers/search?limit=20`])
})

test("layerHttpClient ends an attempt in time, and says after how long", async () => {
  await using service = await Service.start(() => undefined)
  const config = { ...configOf(service.url), attemptTimeout: 40, retry: { retries: 0 } }
  const live = HttpTransferPager.layerHttpClient(config).pipe(Layer.provide(FetchHttpClient.layer))
  const failure = TransferPager.use((pager) => Stream.runDrain(pager.transfers({}))).pipe(
    Effect.flip,
    Effect.provide(live),
  )
  expect(await Effect.runPromise(failure)).toMatchObject({ _tag: "TimedOut", after: Duration.millis(40) })
})

test("settings hold for the calls of an effect, and no others", async () => {
  await using service = await Service.start(Service.respond(503, "", { "retry-after": "0" }))
  const settings = { retries: 2, headers: { "x-trace": "abc" } }
  const program = TransferApi.use((api) =>
    Effect.all([
      Effect.flip(HttpTransferApi.withCallSettings(settings)(api.search({}))),
      Effect.flip(HttpTransferApi.withCallSettings({ retries: 0 })(api.search({}))),
    ]),
  )
  const live = HttpTransferApi.layer(configOf(service.url)).pipe(Layer.provide(NodeTransport.layer))
  await Effect.runPromise(Effect.provide(program, live))
  expect(service.requests.map(({ headers }) => headers["x-trace"])).toEqual(["abc", "abc", "abc", undefined])
})

test("credentials are an effect that runs again after a 401", async () => {
  await using service = await Service.start(Service.respond(401, ""), Service.respond(200, Service.emptyPage))
  let asked = 0
  const credentials = Effect.sync(() => ({ partnerId: "p", secretKey: Redacted.make(`secret-${++asked}`) }))
  const live = HttpTransferApi.layer({ baseUrl: service.url, credentials }).pipe(Layer.provide(NodeTransport.layer))
  await Effect.runPromise(TransferApi.use((api) => api.search({})).pipe(Effect.provide(live)))
  const secrets = service.requests.map(({ headers }) => atob(headers.authorization?.slice(6) ?? ""))
  expect(secrets).toEqual(["p:secret-1", "p:secret-2"])
})

test("a secret that another copy of Effect redacted is rejected by name", () => {
  const foreign: Redacted.Redacted = Object.create(Object.getPrototypeOf(Redacted.make("s")))
  const config = { ...configOf("https://example.com"), secretKey: foreign }
  expect(HttpTransferApi.check(config)).toMatchObject({
    failure: { setting: "secretKey", reason: "another copy of effect made it. Install effect only once" },
  })
})

test("measures requests, and counts pages, transfers and duplicates", async () => {
  const transfer = { id: "t1", kind: "a", status: "b", created_at: "2024-09-01T00:00:00Z" }
  const page = JSON.stringify({ results: [transfer, transfer], page_info: { has_next_page: false } })
  await using service = await Service.start(
    Service.respond(503, "", { "retry-after": "0" }),
    Service.respond(200, page),
  )
  const read = async () => {
    const states = await Effect.runPromise(Metric.snapshot)
    const counter = (id: string) => {
      const found = states.find((state) => state.id === id)
      return found?.type === "Counter" ? Number(found.state.count) : 0
    }
    const durations = states.filter(({ id }) => id === "http.client.request.duration")
    const limit = states.find(({ id }) => id === "transfers_concurrency_limit")
    return {
      pages: counter("transfers_pages"),
      rows: counter("transfers_rows"),
      duplicates: counter("transfers_duplicates"),
      durations: durations.reduce((sum, { type, state }) => sum + (type === "Histogram" ? state.count : 0), 0),
      limit: limit?.type === "Gauge" ? Number(limit.state.value) : 0,
    }
  }
  const before = await read()
  const live = HttpTransferPager.layer({ ...configOf(service.url), concurrency: 8 }).pipe(
    Layer.provide(NodeTransport.layer),
  )
  const scan = TransferPager.use((pager) => Stream.runDrain(pager.transfers({}))).pipe(Effect.provide(live))
  await Effect.runPromise(scan)
  const after = await read()
  expect(after.pages - before.pages).toBe(1)
  expect(after.rows - before.rows).toBe(2)
  expect(after.duplicates - before.duplicates).toBe(1)
  expect(after.durations - before.durations).toBe(2)
  expect(after.limit).toBe(4)
})
