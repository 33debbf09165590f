/** The flags that say how to read a ledger and what to compare, and what they mean. */
import { comparedAmounts } from "@transferkit/domain/ComparedAmount"
import type * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as CurrencyCode from "@transferkit/domain/CurrencyCode"
import * as Money from "@transferkit/domain/Money"
import { keyFields } from "@transferkit/domain/Reconciliation"
import * as Ledger from "@transferkit/files/ledgers/Ledger"
import * as LedgerColumns from "@transferkit/files/ledgers/LedgerColumns"
import * as LedgerCurrency from "@transferkit/files/ledgers/LedgerCurrency"
import * as LedgerDate from "@transferkit/files/ledgers/LedgerDate"
import * as LedgerPresets from "@transferkit/files/ledgers/LedgerPresets"
import * as LedgerText from "@transferkit/files/ledgers/LedgerText"
import * as MonthNames from "@transferkit/files/ledgers/MonthNames"
import type { LedgerFileOptions } from "@transferkit/files/node/LedgerFile"
import * as Flag from "effect/cli/Flag"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import { choice, optional, text, texts, toggle, wholeNumber } from "../../flags/Flags.ts"
import { UsageError } from "../../UsageError.ts"

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
  skip_row: texts("skip-row", "TEXT", "Leave out rows with this cell; * at its end is any text; repeatable; or none"),
  marker_in: texts("marker-in", "TEXT", "The text that stands for money in, such as CR; repeatable"),
  marker_out: texts("marker-out", "TEXT", "The text that stands for money out, such as DR; repeatable"),
  ledger_account: text("ledger-account", "NUMBER", "Your own account, for a journal of several such as DATEV's"),
  key_pattern: text("key-pattern", "REGEX", "Find the key in its column's text: the first group, or the whole match"),
  sheet: text("sheet", "NAME", "The sheet of an Excel workbook that has several"),
  delimiter: text("delimiter", "CHAR", "Cell delimiter (default: detected)"),
  encoding: optional(choice("encoding", "NAME", LedgerText.encodings, "Encoding of the ledger, by default detected")),
  decimal: optional(choice("decimal", "SIGN", [".", ","], "Decimal sign of its amounts, by default detected")),
  thousands: optional(choice("thousands", "SIGN", [".", ",", "'", "space"], "Thousands separator, by default any")),
  date_order: optional(choice("date-order", "ORDER", LedgerDate.orders, "Order in its dates, by default detected")),
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
  settled: texts("settled", "STATUS", "A status of transfers whose money has moved, by default complete; repeatable"),
  failed: texts("failed", "STATUS", "A status of transfers whose money will not move, by default declined; repeatable"),
  grace: wholeNumber("grace", "DAYS", "Days that a booking or a transfer may wait for the other side (default 0)", {
    from: 0,
    to: 366,
    otherwise: 0,
  }),
  as_of_day: text("as-of-day", "DAY", "The day up to which --grace counts, by default the last of the period"),
  accepted: text("accepted", "FILE", "Breaks that somebody has accepted: only new and expired ones fail"),
  look_ups: wholeNumber("look-ups", "N", "Keys to look up outside the period, at most (default 300)", {
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
export const wordsOf = (input: Input): ReadonlyArray<string> =>
  Object.keys(flags).flatMap((name) => {
    const value: unknown = Object.entries(input).find(([own]) => own === name)?.[1]
    const flag = `--${name.replaceAll("_", "-")}`
    if (value === undefined || value === false || value === defaults[name]) return []
    if (Array.isArray(value)) return value.flatMap((one) => [flag, String(one)])
    return value === true ? [flag] : [flag, String(value)]
  })

/** How to read the ledgers. Rows outside what is searched are left out if they have a date. */
export const toOptions = (
  input: Input,
  { searched, timeZone }: { readonly searched: CreatedAt.CreatedAt; readonly timeZone: DateTime.TimeZone },
): Result.Result<LedgerFileOptions, UsageError> =>
  Result.gen(function* () {
    return {
      ...Ledger.detectAll,
      columns: yield* parseMap(input.map),
      headerRow: yield* parseHeaderRow(input.header_row),
      skipRows: input.skip_row.map((text) => ({ text })),
      markers: { in: input.marker_in, out: input.marker_out },
      keyPattern: input.key_pattern,
      monthNames: input.month_names,
      sheet: input.sheet,
      delimiter: yield* parseDelimiter(input.delimiter),
      encoding: input.encoding,
      currency: input.ledger_currency,
      decimal: input.decimal,
      thousands: input.thousands === "space" ? " " : input.thousands,
      dateOrder: input.date_order,
      flipSign: input.flip_sign,
      period: searched,
      timeZone,
    }
  })

const parseHeaderRow = (text: string | undefined): Result.Result<number | undefined, UsageError> => {
  if (text === undefined) return Result.succeed(undefined)
  if (/^[1-9][0-9]{0,6}$/.test(text)) return Result.succeed(Number(text))
  const message = `--header-row: expected the number of a line, counted from 1, found ${JSON.stringify(text)}.`
  return Result.fail(new UsageError({ message }))
}

const parseDelimiter = (text: string | undefined): Result.Result<string | undefined, UsageError> => {
  if (text === undefined) return Result.succeed(undefined)
  if (text === "\\t") return Result.succeed("\t")
  if (/^[^"\r\n]+$/.test(text)) return Result.succeed(text)
  const message = `--delimiter: expected the text between cells, such as ';' or '\\t', found ${JSON.stringify(text)}.`
  return Result.fail(new UsageError({ message }))
}

/** Reads `--tolerance amount:currency`. */
export const parseTolerance = (text: string): Result.Result<Money.Money, UsageError> => {
  const at = text.indexOf(":")
  const money = Result.flatMap(CurrencyCode.parse(LedgerCurrency.codeOf(text.slice(at + 1))), (currency) =>
    Money.parse(text.slice(0, Math.max(0, at)), currency),
  )
  if (Result.isSuccess(money) && Money.isNegative(money.success)) {
    const message = `--tolerance: expected an amount of zero or more, found ${JSON.stringify(text)}.`
    return Result.fail(new UsageError({ message }))
  }
  return Result.mapError(
    money,
    (error) =>
      new UsageError({ message: `--tolerance: expected <amount>:<currency>, such as 0.01:fiat/USD. ${error.message}` }),
  )
}

/** Reads `--map part=column`. */
const parseMap = (values: ReadonlyArray<string>): Result.Result<LedgerColumns.Given, UsageError> =>
  Result.gen(function* () {
    const columns: Partial<Record<LedgerColumns.Part, string>> = {}
    for (const value of values) {
      const at = value.indexOf("=")
      const part = LedgerColumns.parts.find((name) => name === value.slice(0, Math.max(0, at)))
      if (part === undefined) {
        const message = `--map: expected <part>=<column> with one of ${LedgerColumns.parts.join(", ")}, such as key="Order no", found ${JSON.stringify(value)}.`
        return yield* Result.fail(new UsageError({ message }))
      }
      columns[part] = value.slice(at + 1)
    }
    return columns
  })
