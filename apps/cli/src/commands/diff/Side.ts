/** A side of a comparison: an export, a mirror, or the service. */
import * as Coverage from "@transferkit/domain/Coverage"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Selection from "@transferkit/domain/Selection"
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
  /** The transfers that it would have if they were there. */
  readonly wouldHave: Selection.Selection
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
    const read = readOf(asked, query.created_at)
    const batches = Scan.of({ ...query, created_at: read })
    // What has no order of its own would be set aside on disk, transfer by transfer.
    const transfers = yield* source.order === "any" ? OrderedTransfers.keep(source, batches) : Effect.succeed(batches)
    const context = yield* Effect.context<Globals | Screen | TransferSource>()
    const side: Side = {
      asked,
      wouldHave: Selection.and(Coverage.wouldHave(asked.source.coverage), { created_at: read, only: {} }),
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

/** A service is read up to now, so of a transfer that is dated later it says nothing, unless the times asked for have an end. */
const readOf = ({ source: { kind, coverage } }: Asked, asked = CreatedAt.all): CreatedAt.CreatedAt =>
  kind === "service" && coverage !== undefined && CreatedAt.intervals(asked).at(-1)?.end === undefined
    ? CreatedAt.and(asked, coverage.extent.created_at)
    : asked
