/** The manifest of an export: a small file beside it, enough to verify it later without the service. */
import type * as Summary from "@transferkit/domain/Summary"
import { moneyFields } from "@transferkit/domain/Transfer"
import * as S from "effect/Schema"
import * as Csv from "../formats/Csv.ts"
import * as TransferFormat from "../formats/TransferFormat.ts"

/** Totals by field and currency, exact. */
const Totals = S.Record(S.String, S.Record(S.String, S.String))

/** The schema of a manifest. */
export const Schema = S.Struct({
  transfers_export: S.Literal(1),
  file: S.String,
  format: S.Literals(TransferFormat.exportFormats),
  /** Whether cells that look like formulas were not escaped. */
  csv_raw: S.optionalKey(S.Boolean),
  /** The dialect of CSV, unless it is RFC 4180. */
  csv_dialect: S.optionalKey(S.Literals(Csv.dialects)),
  /** The columns of a file that has only some. */
  columns: S.optionalKey(S.Array(S.String)),
  filters: S.Record(S.String, S.Array(S.String)),
  /** The covered creation times, as values of `created_at`. */
  created_at: S.Array(S.String),
  started_at: S.String,
  transfers: S.Int,
  totals: Totals,
  bytes: S.Int,
  sha256: S.String,
}).annotate({ identifier: "ExportManifest" })

/** A manifest. */
export type ExportManifest = typeof Schema.Type

/** The path of the manifest of an export. */
export const pathOf = (file: string): string => `${file}.manifest.json`

/** Reads a manifest from its JSON text. */
export const parse = S.decodeUnknownResult(S.fromJsonString(Schema))

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
