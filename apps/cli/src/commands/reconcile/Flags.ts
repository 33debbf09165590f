/** The flags that say how to read a ledger and what to compare. */
import { comparedAmounts, keyFields } from "@transferkit/domain/FieldNames"
import * as DateOrder from "@transferkit/files/ledgers/DateOrder"
import * as LedgerColumns from "@transferkit/files/ledgers/LedgerColumns"
import * as LedgerPresets from "@transferkit/files/ledgers/LedgerPresets"
import * as LedgerText from "@transferkit/files/ledgers/LedgerText"
import * as MonthNames from "@transferkit/files/ledgers/MonthNames"
import * as Flag from "effect/cli/Flag"
import { choice, failed, optional, settled, text, texts, toggle, wholeNumber } from "../../flags/Flags.ts"

/** The flags. What they do not give is detected. */
export const flags = {
  map: texts(
    "map",
    "PART=COLUMN",
    `The column of ${LedgerColumns.parts.slice(0, -1).join(", ")} or ${LedgerColumns.parts.at(-1)}; repeatable`,
  ),
  ledger_profile: text(
    "ledger-profile",
    "NAME|FILE",
    `How to read the ledger, as a JSON file, or one of ${Object.keys(LedgerPresets.presets).join(", ")}`,
  ),
  header_row: text("header-row", "N", "The line or row that names the columns, by default found by its names"),
  skip_row: texts(
    "skip-row",
    "TEXT",
    "Leave out rows with this cell, or COLUMN=TEXT; * at its end is any text; repeatable; or none",
  ),
  marker_in: texts("marker-in", "TEXT", "The text that stands for money in, such as CR; repeatable"),
  marker_out: texts("marker-out", "TEXT", "The text that stands for money out, such as DR; repeatable"),
  ledger_account: text("ledger-account", "NUMBER", "Your own account, for a journal of several such as DATEV's"),
  key_pattern: text("key-pattern", "REGEX", "Find the key in its column's text: the first group, or the whole match"),
  sheet: text("sheet", "NAME", "The sheet of an Excel workbook that has several"),
  delimiter: text("delimiter", "CHAR", "Cell delimiter (default: detected)"),
  encoding: optional(choice("encoding", "NAME", LedgerText.encodings, "Encoding of the ledger, by default detected")),
  decimal: optional(choice("decimal", "SIGN", [".", ","], "Decimal sign of its amounts, by default detected")),
  thousands: optional(choice("thousands", "SIGN", [".", ",", "'", "space"], "Thousands separator, by default any")),
  date_order: optional(choice("date-order", "ORDER", DateOrder.orders, "Order in its dates, by default detected")),
  month_names: optional(
    choice("month-names", "LANGUAGE", MonthNames.languages, "Language of the names of months, by default English"),
  ),
  flip_sign: toggle("flip-sign", "The ledger's amounts have the opposite sign of the service's"),
  ledger_currency: text("ledger-currency", "CODE", "The currency of a ledger without a currency column"),
  key: choice("key", "FIELD", keyFields, "The transfer field to match with the key, by default external_id").pipe(
    Flag.withDefault("external_id" as const),
  ),
  amount: choice(
    "amount",
    "FIELD",
    comparedAmounts,
    "The transfer amount to compare, by default source_total; fiat is the signed one of its fiat side",
  ).pipe(Flag.withDefault("source_total" as const)),
  tolerance: texts("tolerance", "MONEY", "Accept differences up to this, such as 0.01:fiat/USD; repeatable"),
  group: toggle("group", "Add the ledger's rows of a key before comparing, such as fees booked apart"),
  settled,
  failed,
  grace: wholeNumber("grace", "DAYS", "Days that a booking or a transfer may wait for the other side (default 0)", {
    from: 0,
    to: 366,
    otherwise: 0,
  }),
  as_of_day: text("as-of-day", "DAY", "The day up to which --grace counts, by default the last of the period"),
  accepted: text("accepted", "FILE", "Breaks that somebody has accepted: only new and expired ones fail"),
  batches: toggle("batches", "Propose transfers that may add up to a row: whole days, or small sets"),
  carry: text("carry", "FILE", "Open items of earlier books, from --write-open: they match, or stay open"),
  write_open: text("write-open", "FILE", "Write the open items, for --carry of the next books"),
  look_ups: wholeNumber("look-ups", "N", "Keys and transfers to look up outside the period, at most (default 300)", {
    from: 0,
    to: 10_000,
    otherwise: 300,
  }),
}

/** The values of {@link flags}. */
export type Input = {
  readonly [Name in keyof typeof flags]: (typeof flags)[Name] extends Flag.Flag<infer A> ? A : never
}

const defaults: Readonly<Record<string, unknown>> = {
  key: "external_id",
  amount: "source_total",
  grace: 0,
  look_ups: 300,
}

/** The words of a command line that repeat an input, without those of flags that have their defaults. */
export const wordsOf = (input: Input, names = Object.keys(flags)): ReadonlyArray<string> => {
  const values = new Map<string, unknown>(Object.entries(input))
  return names.flatMap((name) => {
    const value = values.get(name)
    const flag = `--${name.replaceAll("_", "-")}`
    if (value === undefined || value === false || value === defaults[name]) return []
    if (Array.isArray(value)) return value.flatMap((one) => [flag, String(one)])
    return value === true ? [flag] : [flag, String(value)]
  })
}
