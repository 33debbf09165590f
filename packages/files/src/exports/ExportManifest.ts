/**
 * The manifest of an export: a small file beside it, enough to verify it later without the service. It ends with a digest
 * of what it states, so that one that was edited is rejected. It is no signature: a forger can compute another.
 */
import { createHash } from "node:crypto"
import * as CanonicalJson from "@transferkit/domain/CanonicalJson"
import * as JsonText from "@transferkit/domain/JsonText"
import type * as Summary from "@transferkit/domain/Summary"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { moneyFields } from "@transferkit/domain/Transfer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as CsvDialect from "../formats/CsvDialect.ts"
import * as TransferFormat from "../formats/TransferFormat.ts"
import * as StoredCoverage from "./StoredCoverage.ts"

/** Totals by field and currency, exact. */
const Totals = S.Record(S.String, S.Record(S.String, S.String))

/** The schema of a manifest. */
export const Schema = S.Struct({
  transfers_export: S.Literal(2),
  file: S.String,
  format: S.Literals(TransferFormat.exportFormats),
  /** Whether cells that look like formulas were not escaped. */
  csv_raw: S.optionalKey(S.Boolean),
  /** The dialect of CSV, unless it is RFC 4180. */
  csv_dialect: S.optionalKey(S.Literals(CsvDialect.dialects)),
  /** The columns of a file that has only some. */
  columns: S.optionalKey(S.Array(S.String)),
  /** The filters as given, which may be relative to the start of the export. */
  filters: S.Record(S.String, S.Array(S.String)),
  /** The covered creation times, as values of `created_at`. */
  created_at: S.optionalKey(StoredCoverage.Times),
  ...StoredCoverage.fields,
  /** Each transfer is as it was by then: `as_of` is no later. */
  started_at: Timestamp.Wire,
  transfers: S.Int,
  totals: Totals,
  bytes: S.Int,
  sha256: S.String,
  /** Of all that precedes it. */
  digest: S.String,
}).annotate({ identifier: "ExportManifest" })

/** A manifest. */
export type ExportManifest = typeof Schema.Type

/** The path of the manifest of an export. */
export const pathOf = (file: string): string => `${file}.manifest.json`

/** A manifest of its statements. */
export const seal = (statements: Omit<ExportManifest, "digest">): ExportManifest => ({
  ...statements,
  digest: digestOf(statements),
})

/** The same for the same statements, in whatever order and layout they are written. */
const digestOf = (statements: object): string =>
  createHash("sha256").update(CanonicalJson.stringify(statements)).digest("hex")

const version = S.decodeUnknownOption(S.Struct({ transfers_export: S.Number }))
const decode = S.decodeUnknownResult(Schema)

/** Reads a manifest from its JSON text. The error says what is wrong with it. */
export const parse = (text: string): Result.Result<ExportManifest, string> => {
  const none = (reason: string) => `it is not the manifest of an export: ${reason}`
  return Result.gen(function* () {
    const value = yield* Result.mapError(JsonText.parse(text), none)
    const found = Option.getOrUndefined(version(value))?.transfers_export
    if (found !== undefined && found !== 2)
      return yield* Result.fail(`it is not the manifest of an export of this version: its version is ${found}, not 2`)
    const manifest = yield* Result.mapError(decode(value), ({ message }) => none(message))
    const { digest, ...statements } = Object(value)
    if (digest !== digestOf(statements))
      return yield* Result.fail(
        "it was changed since the export: what it states does not have its digest. Export the file again",
      )
    const { as_of, started_at } = manifest
    if (as_of === undefined || instantOf(as_of) <= instantOf(started_at)) return manifest
    return yield* Result.fail(
      `its as_of ${as_of} is after its started_at ${started_at}: an export cannot have what is later than itself, so a clock was wrong. Export the file again by a right clock`,
    )
  })
}

const instantOf = (text: string) => Timestamp.parseUnsafe(text).epochNanoseconds

/** How a CSV file is written, by its manifest. */
export const csvOf = ({ csv_raw = false, csv_dialect = "rfc4180" }: ExportManifest) => ({
  csvDialect: csv_dialect,
  csvCells: csv_raw ? ("raw" as const) : csv_dialect,
})

/** A summary without dimensions as the totals of a manifest. */
export const totalsOf = (summary: Summary.Summary): ExportManifest["totals"] =>
  Object.fromEntries(
    moneyFields.flatMap((field) => {
      const totals = summary.groups[0]?.totals[field]
      return totals === undefined
        ? []
        : [[field, Object.fromEntries(totals.map((total) => [total.currency_code, total.text]))]]
    }),
  )
