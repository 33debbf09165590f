/** A client derived from the contract, without code of its own, reads all transfers of the fake. */
import { assert, it } from "@effect/vitest"
import { FakeServer } from "@transferkit/fake/FakeServer"
import { BasicAuth, TransfersApi } from "@transferkit/http-api/TransfersApi"
import { sample } from "@transferkit/in-memory/SampleCapabilities"
import * as Effect from "effect/Effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"

const credentials = HttpApiMiddleware.layerClient(BasicAuth, ({ next, request }) =>
  next(HttpClientRequest.basicAuth(request, "demo", "demo-secret")),
)

it.live("a client made of the contract pages through the fake", () =>
  Effect.gen(function* () {
    const { url } = yield* FakeServer
    const client = yield* HttpApiClient.make(TransfersApi, { baseUrl: url })
    assert.deepStrictEqual(yield* client.capabilities({}), sample)
    const ids = new Set<string>()
    let after_cursor: string | undefined
    for (let more = true; more;) {
      const query = { limit: 20, created_at: ["gte:2024-01-01T00:00:00Z", "lt:2025-01-01T00:00:00Z"] }
      const page = yield* client.search({ query: { ...query, ...(after_cursor !== undefined && { after_cursor }) } })
      for (const transfer of page.results) ids.add(transfer.id)
      after_cursor = page.page_info.end_cursor ?? undefined
      more = page.page_info.has_next_page
    }
    assert.strictEqual(ids.size, 90)
  }).pipe(Effect.provide(Layer.mergeAll(credentials, FetchHttpClient.layer, FakeServer.layer({ transfers: 90 })))),
)
