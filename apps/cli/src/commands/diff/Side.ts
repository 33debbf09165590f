/** A side of a comparison: an export, a mirror, or the service. */
import type { TransferFilter } from "@transferkit/domain/TransferFilter"
import { TransferSource } from "@transferkit/domain/TransferSource"
import type * as ExportDiff from "@transferkit/files/exports/ExportDiff"
import * as OrderedTransfers from "@transferkit/files/node/OrderedTransfers"
import type { Asked } from "@transferkit/report/SourceWords"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { type Globals, override } from "../../flags/Globals.ts"
import * as Layers from "../../Layers.ts"
import * as Scan from "../../progress/Scan.ts"
import * as Source from "../../source/Source.ts"
import type { Screen } from "../../terminal/Screen.ts"

/** A side, and what it answers of the question. */
export interface Side {
  readonly asked: Asked
  readonly transfers: ExportDiff.Open
}

/** Opens a side for reading until the scope ends. Without a name it is what the global flags name. */
export const open = Effect.fnUntraced(function* (name: string | undefined, { query, question, keeps }: TransferFilter) {
  // An instant is that of --from.
  const flags = name === undefined ? {} : { from: name, asOf: undefined, sandbox: false, now: undefined }
  const opened = yield* override(flags)(Layer.build(Layers.source))
  return yield* Effect.gen(function* () {
    const source = yield* TransferSource
    const asked = yield* Source.ask(question)
    const read = Scan.of(query)
    // What has no order of its own would be set aside on disk, transfer by transfer.
    const transfers = yield* source.order === "any" ? OrderedTransfers.keep(source, read) : Effect.succeed(read)
    const context = yield* Effect.context<Globals | Screen | TransferSource>()
    const side: Side = {
      asked,
      transfers: () =>
        Stream.toAsyncIterable(
          Stream.provideContext(
            Stream.map(transfers, (batch) => batch.filter(keeps)),
            context,
          ),
        ),
    }
    return side
  }).pipe(Effect.provideContext(opened))
})
