/** `node search.ts EXTERNAL_ID`: the transfers with that `external_id`, newest update last. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { TransferPager } from "@transferkit/domain/TransferPager"
import * as HttpTransferApi from "@transferkit/http-client/HttpTransferApi"
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import * as Array from "effect/Array"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Order from "effect/Order"
import * as Stream from "effect/Stream"

const [external_id = ""] = process.argv.slice(2)

const byUpdate = Order.mapInput(
  Timestamp.Order,
  (transfer: { readonly updated_at?: Timestamp.Timestamp; readonly created_at: Timestamp.Timestamp }) =>
    transfer.updated_at ?? transfer.created_at,
)

const program = Effect.gen(function* () {
  const pager = yield* TransferPager
  const found = yield* Stream.runCollect(pager.transfers({ external_id }))
  for (const { id, status, source_total } of Array.sort(found, byUpdate)) {
    yield* Console.log(id, status, String(source_total))
  }
  yield* Console.log(`${found.length} transfers`)
})

const service = HttpTransferApi.layerConfig().pipe(Layer.provide(NodeTransport.layer))

program.pipe(Effect.provide(TransferPager.layer.pipe(Layer.provide(service))), NodeRuntime.runMain)
