/** A side of a comparison: an export, a mirror, or the service. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type { Transfer } from "@transferkit/domain/Transfer"
import type { TransferFilter } from "@transferkit/domain/TransferFilter"
import type * as ExportDiff from "@transferkit/files/exports/ExportDiff"
import * as FileError from "@transferkit/files/FileError"
import * as TransferFormat from "@transferkit/files/formats/TransferFormat"
import * as Spool from "@transferkit/files/node/Spool"
import * as TransferFile from "@transferkit/files/node/TransferFile"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Stream from "effect/Stream"
import { now } from "../../filter/Now.ts"
import { Globals, override } from "../../flags/Globals.ts"
import * as Layers from "../../Layers.ts"
import * as Scan from "../../progress/Scan.ts"
import * as Source from "../../source/Source.ts"

interface Options {
  readonly csv_raw: boolean
  readonly filter: TransferFilter
}

/** Opens a side for reading, again and again, until the scope ends. Without a name it is what the global flags name. */
export const open = Effect.fnUntraced(function* (name: string | undefined, options: Options) {
  const { filter } = options
  const path = name ?? (yield* Globals).from
  // An instant is that of --from.
  const flags = name === undefined ? {} : { from: name, asOf: undefined, sandbox: false }
  yield* override(flags)(Source.ask(filter.question))
  if (path === undefined) return kept(yield* received(filter), filter)
  const format = TransferFormat.ofName(path)
  if (format !== undefined) return kept(TransferFile.transfers({ path, format, csvRaw: options.csv_raw }), filter)
  const { inOrder, checkAddress } = yield* Effect.promise(() => import("../../mirror/MirrorSource.ts"))
  yield* checkAddress(path)
  return kept(yield* override(flags)(inOrder), filter)
})

/** What the service has, kept in a temporary file: it is not sent in order. */
const received = Effect.fnUntraced(function* (filter: TransferFilter) {
  const files = yield* FileSystem.FileSystem
  const folder = yield* FileError.mapTo("a temporary folder")(
    files.makeTempDirectoryScoped({ prefix: "transfers-diff-" }),
  )
  const started_at = (yield* now).text
  const spool = yield* Spool.create(`${folder}/service`, { filters: {}, created_at: [], started_at })
  yield* Stream.runForEach(Scan.of(filter), ({ results, checkpoint }) => Spool.append(spool, results, checkpoint)).pipe(
    Effect.provide(Layers.transfers),
  )
  return Spool.sorted(spool)
})

const kept = <E>(transfers: Stream.Stream<ReadonlyArray<Transfer>, E>, filter: TransferFilter): ExportDiff.Open => {
  const { created_at = CreatedAt.all, external_id } = filter.query
  const keeps = (transfer: Transfer) =>
    CreatedAt.matches(created_at, transfer.created_at) &&
    (external_id === undefined || external_id === transfer.external_id) &&
    filter.keeps(transfer)
  return () => Stream.toAsyncIterable(Stream.map(transfers, (batch) => batch.filter(keeps)))
}
