/** Every example of a public function runs, over a mirror of 45 transfers. */
import { join } from "node:path"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import { TransferApi } from "@transferkit/domain/TransferApi"
import { TransferPager } from "@transferkit/domain/TransferPager"
import { TransferSource } from "@transferkit/domain/TransferSource"
import * as InMemoryTransferApi from "@transferkit/in-memory/InMemoryTransferApi"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { holdTheExamplesOf } from "../../../scripts/test/holdTheExamplesOf.ts"
import * as MirrorSync from "../src/MirrorSync.ts"
import { TransferMirror } from "../src/TransferMirror.ts"

const service = TransferPager.layer.pipe(Layer.provideMerge(InMemoryTransferApi.layer({ transfers: 45 })))
const mirror = Layer.merge(service, TransferMirror.layer("sqlite::memory:"))

/** Runs an effect with a mirror of the partner `demo` that has just been synced. */
const run = <A, E>(effect: Effect.Effect<A, E, TransferMirror | TransferApi | TransferPager>): Promise<A> =>
  Effect.runPromise(Effect.provide(Effect.andThen(MirrorSync.sync({ partner_id: "demo" }), effect), mirror))

const transfer = Result.getOrThrow(
  Transfer.fromJson('{"id":"tr_1","kind":"cash_in","status":"complete","created_at":"2024-09-01T00:00:00Z"}'),
)

await holdTheExamplesOf(join(import.meta.dirname, "../src"), {
  least: 35,
  ofEveryFunction: true,
  scope: {
    CreatedAt,
    Effect,
    Metric,
    Result,
    Stream,
    Timestamp,
    TransferApi,
    TransferMirror,
    TransferSource,
    run,
    transfer,
  },
})
