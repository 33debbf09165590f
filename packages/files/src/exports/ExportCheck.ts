/** Compares an export with its manifest. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Selection from "@transferkit/domain/Selection"
import * as Summary from "@transferkit/domain/Summary"
import { laterFields, type Transfer } from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as FileError from "../FileError.ts"
import { Partitions, type RowFormat } from "../partitions/Partitions.ts"
import type { Scratch } from "../partitions/Scratch.ts"
import * as ExportManifest from "./ExportManifest.ts"
import * as StoredCoverage from "./StoredCoverage.ts"

/** A property of the file that was compared. */
export interface Check {
  readonly check: string
  readonly expected: string
  readonly found: string
  readonly ok: boolean
}

/** The file as it is. */
export interface Found<E> {
  /** Its name, without its folder. */
  readonly file: string
  readonly bytes: number
  readonly sha256: string
  /** The columns that it names, if it has not all: then its transfers are not read. */
  readonly columns?: ReadonlyArray<string> | undefined
  /** Absent if the file cannot be read back: then its bytes alone are checked. */
  readonly transfers?: Stream.Stream<ReadonlyArray<Transfer>, E> | undefined
}

/** Checks a file against its manifest. Reads all of it. Ids that do not fit in memory are put on scratch. */
export const check = Effect.fn("ExportCheck.check")(function* <E extends { readonly reason: string }>(
  { file, bytes, sha256, columns, transfers }: Found<E>,
  manifest: ExportManifest.ExportManifest,
  scratch: Scratch,
) {
  const isSame = [
    equal("file", manifest.file, file),
    equal("bytes", String(manifest.bytes), String(bytes)),
    equal("sha256", manifest.sha256, sha256),
    ...(columns === undefined ? [] : [equal("columns", manifest.columns?.join() ?? "all", columns.join())]),
  ]
  if (transfers === undefined) return isSame
  const seen = { outside: 0, others: 0, disordered: 0 }
  const ids = new Partitions({ scratch, left: idFormat, right: idFormat })
  const coverage = StoredCoverage.fromStored(manifest)
  const { created_at, only } = coverage?.extent ?? Selection.all
  const times = manifest.read === undefined ? created_at : Result.getOrThrow(CreatedAt.fromParams(manifest.read))
  const keeps = Selection.keeps(only)
  let last: Transfer | undefined
  const summary = yield* Effect.result(
    Stream.run(
      transfers.pipe(
        Stream.flatMap((batch) => Stream.fromIterable(batch)),
        Stream.tap((transfer) =>
          inRoom(() => {
            ids.addLeft(transfer.id)
            if (!CreatedAt.matches(times, transfer.created_at)) seen.outside++
            if (!keeps(transfer)) seen.others++
            if (last !== undefined && last.created_at.epochNanoseconds > transfer.created_at.epochNanoseconds) {
              seen.disordered++
            }
            last = transfer
          }),
        ),
      ),
      Summary.sink({ by: [] }),
    ),
  )
  // No room for ids says nothing of the file.
  if (Result.isFailure(summary) && summary.failure instanceof NoRoom) return yield* summary.failure.error
  const duplicates = yield* FileError.attempt(() => duplicatesIn(ids))
  const checks: ReadonlyArray<Check> = [
    ...isSame,
    equal("readable", "yes", Result.isSuccess(summary) ? "yes" : summary.failure.reason),
    // Nothing else is known of a file that cannot be read to its end.
    ...(Result.isFailure(summary)
      ? []
      : [
          equal("transfers", String(manifest.transfers), String(summary.success.transfers)),
          equal("duplicate ids", "0", String(duplicates)),
          ...(coverage === undefined
            ? []
            : [
                equal("outside the time range", "0", String(seen.outside)),
                equal("outside the filters", "0", String(seen.others)),
              ]),
          equal("out of order", "0", String(seen.disordered)),
          ...totals(manifest.totals, ExportManifest.totalsOf(summary.success)),
        ]),
  ]
  return checks
})

class NoRoom {
  readonly error: FileError.FileError
  readonly reason: string

  constructor(error: FileError.FileError) {
    this.error = error
    this.reason = error.reason
  }
}

const inRoom = (body: () => void): Effect.Effect<void, NoRoom> =>
  Effect.mapError(FileError.attempt(body), (error) => new NoRoom(error))

const idFormat: RowFormat<string> = {
  keyOf: (id) => id,
  lengthOf: (id) => id.length,
  encode: (id) => JSON.stringify(id),
  decode: (texts) => JSON.parse(`[${texts.join(",")}]`),
}

const duplicatesIn = (ids: Partitions<string, string>): number => {
  let duplicates = 0
  const visits = ids.visits({
    group: ({ left }) => (duplicates += left.length - new Set(left).size),
    largeKey: ({ counts }) => (duplicates += counts.left - 1),
  })
  for (const _ of visits) continue
  return duplicates
}

const equal = (check: string, expected: string, found: string): Check => ({
  check,
  expected,
  found,
  ok: expected === found,
})

type Totals = ExportManifest.ExportManifest["totals"]

const totals = (expected: Totals, found: Totals): ReadonlyArray<Check> =>
  [...new Set([...Object.keys(expected), ...Object.keys(found)])].flatMap((field) => {
    // The manifest may be older than the field.
    if (expected[field] === undefined && Object.hasOwn(laterFields, field)) return []
    const [left, right] = [expected[field] ?? {}, found[field] ?? {}]
    return [...new Set([...Object.keys(left), ...Object.keys(right)])].map((currency) =>
      equal(`${field} in ${currency}`, left[currency] ?? "none", right[currency] ?? "none"),
    )
  })
