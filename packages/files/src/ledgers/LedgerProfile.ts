/** How a ledger is to be read, as a file: it takes the place of flags that `reconcile` would need each month. */
import * as JsonDocument from "@transferkit/domain/JsonDocument"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import type * as LedgerColumns from "./LedgerColumns.ts"
import * as LedgerDate from "./LedgerDate.ts"
import * as LedgerText from "./LedgerText.ts"
import * as MonthNames from "./MonthNames.ts"

const describe = <A extends S.Top>(schema: A, description: string) => S.optionalKey(schema.annotate({ description }))

const columns = {
  key: S.optionalKey(S.String),
  amount: S.optionalKey(S.String),
  currency: S.optionalKey(S.String),
  status: S.optionalKey(S.String),
  date: S.optionalKey(S.String),
  in: S.optionalKey(S.String),
  out: S.optionalKey(S.String),
  sign: S.optionalKey(S.String),
  balance: S.optionalKey(S.String),
  payout: S.optionalKey(S.String),
} satisfies Record<LedgerColumns.Part, S.optionalKey<typeof S.String>>

/** A profile. What is absent is detected. */
export const LedgerProfile = S.Struct({
  $schema: S.optionalKey(S.String),
  columns: describe(S.Struct(columns), "The name of the column of each part; sign may be none"),
  header_row: describe(S.Int, "The number of the row that names the columns"),
  skip_rows: describe(
    S.Array(S.Struct({ column: S.optionalKey(S.String), text: S.String, undated: S.optionalKey(S.Boolean) })),
    "Rows that are no bookings, by the text of one of their cells; * at its end stands for any text; undated ones have no day",
  ),
  marker_in: describe(S.Array(S.String), "The texts that stand for money in"),
  marker_out: describe(S.Array(S.String), "The texts that stand for money out"),
  account: describe(S.String, "The number of one's own account in a journal"),
  account_columns: describe(
    S.Struct({ own: S.String, contra: S.String }),
    "The columns of the account that a marker belongs to, and of its counterpart",
  ),
  key_pattern: describe(S.String, "A pattern of RE2 that finds the key in its column"),
  sheet: describe(S.String, "The sheet of a workbook"),
  delimiter: describe(S.String, "The text between cells"),
  encoding: describe(S.Literals(LedgerText.encodings), "The encoding"),
  currency: describe(S.String, "The currency, if no column has it"),
  decimal: describe(S.Literals([".", ","]), "The decimal sign"),
  thousands: describe(S.String, "The thousands separator"),
  date_order: describe(S.Literals(LedgerDate.orders), "The order in dates"),
  utc_times: describe(
    S.Boolean,
    "Whether the times in its date column are in UTC, and not in the time zone of the books",
  ),
  month_names: describe(S.Literals(MonthNames.languages), "The language of the names of months"),
  flip_sign: describe(S.Boolean, "Whether amounts have the opposite sign of the service's"),
}).annotate({ title: "Ledger profile", description: "How transfers reconcile reads a ledger" })

/** A profile. */
export type LedgerProfile = typeof LedgerProfile.Type

const read = JsonDocument.reader(LedgerProfile, { onExcessProperty: "error" })

/** Reads the text of a profile; or says, as a clause, why it cannot. */
export const parse = (text: string): Result.Result<LedgerProfile, string> =>
  Result.mapError(read(text), (reason) => `it is no ledger profile: ${reason}`)
