/**
 * A transfer file as a source. What it holds is what its manifest says, as far as that can be believed; of a file without
 * one, nothing is known.
 */
import * as Coverage from "@transferkit/domain/Coverage"
import * as Dialect from "@transferkit/domain/Dialect"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import { read, SourceFailed, TransferSource } from "@transferkit/domain/TransferSource"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as ExportManifest from "../exports/ExportManifest.ts"
import * as StoredCoverage from "../exports/StoredCoverage.ts"
import { attempt, FileError } from "../FileError.ts"
import type * as CsvDialect from "../formats/CsvDialect.ts"
import * as TransferFormat from "../formats/TransferFormat.ts"
import * as CreationOrder from "../partitions/CreationOrder.ts"
import * as ExportFile from "./ExportFile.ts"
import * as TransferFile from "./TransferFile.ts"

/** What a file without a manifest does not say. */
export interface Options {
  /** How the cells of a CSV file were written. */
  readonly csvCells?: CsvDialect.CellForm | undefined
}

/** Opens a file. One whose size is not that of its manifest is rejected. */
export const make = Effect.fnUntraced(function* (path: string, { csvCells }: Options = {}) {
  const format = TransferFormat.ofName(path) ?? (yield* TransferFormat.unknownEnding(path, TransferFormat.formats))
  const manifest = yield* ExportFile.manifestBeside(path)
  const settlement = yield* Dialect.Dialect
  const written = manifest === undefined ? { csvCells } : ExportManifest.csvOf(manifest)
  const batches = TransferFile.transfers({ path, format, ...written })
  return TransferSource.of({
    name: `the file ${path}`,
    kind: "file",
    ...(manifest && { about: `exported at ${manifest.started_at}, SHA-256 ${manifest.sha256} by its manifest` }),
    origin: Effect.succeed(manifest?.origin),
    coverage: Effect.map(Clock.currentTimeMillis, (millis) => {
      const stored = manifest && StoredCoverage.fromStored(manifest)
      return stored && Coverage.believed(stored, Timestamp.fromDate(new Date(millis)))
    }),
    capabilities: undefined,
    order: manifest === undefined ? "listed" : "created",
    ...read(
      Stream.mapError(
        manifest === undefined ? batches : checked(path, batches, manifest.transfers),
        (cause) => new SourceFailed({ cause }),
      ),
      settlement,
    ),
  })
})

/** The file as a layer. */
export const layer = (path: string, options?: Options): Layer.Layer<TransferSource, FileError, FileSystem.FileSystem> =>
  Layer.effect(TransferSource, make(path, options))

/** An export is in order of creation, and has as many transfers as its manifest says. One that is not was changed. */
const checked = (
  path: string,
  batches: Stream.Stream<ReadonlyArray<Transfer>, FileError>,
  transfers: number,
): Stream.Stream<ReadonlyArray<Transfer>, FileError> =>
  Stream.suspend(() => {
    let before: CreationOrder.Placed | undefined
    let count = 0
    const ordered = Stream.tap(batches, (batch) =>
      attempt(() => {
        for (const transfer of batch) {
          if (before !== undefined && CreationOrder.compare(before, transfer) >= 0) {
            throw new FileError({ path, reason: reasonOf(before, transfer) })
          }
          before = transfer
          count++
        }
      }),
    )
    const reason = () => `it has ${count} transfers, and its manifest says ${transfers}: it was changed since`
    const end = Stream.suspend(() =>
      count === transfers ? Stream.empty : Stream.fail(new FileError({ path, reason: reason() })),
    )
    return Stream.concat(ordered, end)
  })

const reasonOf = (before: CreationOrder.Placed, { id }: CreationOrder.Placed): string =>
  before.id === id
    ? `the transfer ${id} is in it more than once, and it has a manifest: it was changed since it was exported`
    : `the transfer ${id} is out of order, and it has a manifest: it was changed since it was exported`
