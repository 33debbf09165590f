/** Reads all transfers in every way the published packages offer: all ways see the same ones. */
import { deepEqual, equal, ok } from "node:assert/strict"
import * as TransferApi from "@transferkit/domain/TransferApi"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as FetchTransport from "@transferkit/http-client/FetchTransport"
import * as HttpTransferPager from "@transferkit/http-client/HttpTransferPager"
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import { createTransferClient } from "@transferkit/http-client/promise"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

const env = (name: string) => process.env[name] ?? ""
const settings = {
  baseUrl: env("TRANSFERS_BASE_URL"),
  partnerId: env("TRANSFERS_PARTNER_ID"),
  secretKey: env("TRANSFERS_SECRET_KEY"),
}

interface Seen {
  readonly page: ReadonlyArray<string>
  readonly listed: ReadonlyArray<string>
  readonly scanned: ReadonlyArray<string>
}

const throughPromises = async (options: Parameters<typeof createTransferClient>[0]): Promise<Seen> => {
  const client = createTransferClient(options)
  ok((await client.capabilities()).supported_countries.length > 0)
  const { results } = await client.search()
  const listed: Array<string> = []
  for await (const { id } of client.list()) listed.push(id)
  const scanned: Array<string> = []
  let saved = ""
  for await (const batch of client.scan({}, { concurrency: 8 })) {
    scanned.push(...batch.results.map(({ id }) => id))
    saved = JSON.stringify(batch.checkpoint)
    if (scanned.length > listed.length / 2) break
  }
  for await (const batch of client.scan({}, { resume: saved })) scanned.push(...batch.results.map(({ id }) => id))
  return { page: results.map(({ id }) => id), listed, scanned }
}

const throughEffect = (transport: typeof NodeTransport.layer): Promise<Seen> =>
  Effect.gen(function* () {
    const api = yield* TransferApi.TransferApi
    const pager = yield* TransferPager.TransferPager
    const { results } = yield* api.search({ limit: 20 })
    const listed = yield* Stream.runCollect(pager.transfers({}))
    const batches = yield* Stream.runCollect(pager.scan({}, { concurrency: 8 }))
    const ids = (transfers: typeof results) => transfers.map(({ id }) => id)
    return { page: ids(results), listed: ids(listed), scanned: ids(batches.flatMap((batch) => batch.results)) }
  }).pipe(Effect.provide(Layer.provide(HttpTransferPager.layerConfig(), transport)), Effect.runPromise)

const seen = [
  await throughPromises(settings),
  await throughPromises({ ...settings, fetch: (url, init) => fetch(url, init) }),
  await throughEffect(NodeTransport.layer),
  await throughEffect(FetchTransport.layer()),
]
const [first] = seen
for (const { page, listed, scanned } of seen) {
  deepEqual(page, first?.page)
  deepEqual(listed, first?.listed)
  deepEqual(page, listed.slice(0, 20))
  deepEqual([...scanned].sort(), [...listed].sort())
  equal(new Set(listed).size, listed.length)
}
console.log(`${first?.listed.length} transfers, ${seen.length} ways, Node ${process.versions.node}`)
