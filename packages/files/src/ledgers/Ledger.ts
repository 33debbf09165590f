/**
 * Ledgers as rows of cells. Whatever is not beyond doubt (which column is the key, which sign is the decimal one) is
 * asked about, and everything that was found out is reported as a {@link Reading}.
 */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as CurrencyCode from "@transferkit/domain/CurrencyCode"
import * as Day from "@transferkit/domain/Day"
import * as Money from "@transferkit/domain/Money"
import type { LedgerEntry } from "@transferkit/domain/Reconciliation"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as Direction from "./Direction.ts"
import * as LedgerAmount from "./LedgerAmount.ts"
import * as LedgerColumns from "./LedgerColumns.ts"
import * as LedgerCurrency from "./LedgerCurrency.ts"
import * as LedgerDate from "./LedgerDate.ts"
import type { Format } from "./LedgerText.ts"
import type * as MonthNames from "./MonthNames.ts"
import type * as NoBooking from "./NoBooking.ts"
import * as SheetNumber from "./SheetNumber.ts"

/** How to read a ledger. What is absent is detected. */
export interface LedgerOptions {
  /** Columns by part; the other parts are found by their usual names. */
  readonly columns: LedgerColumns.Given
  /** The number of the line or row that names the columns. */
  readonly headerRow: number | undefined
  /** Rows that are no bookings; the text `none` says that those that look like totals are. */
  readonly skipRows: ReadonlyArray<NoBooking.SkipRow>
  /** The texts that stand for money in and out, beside an amount or in a column of their own. */
  readonly markers: Direction.Markers
  /** Finds the key in the text of its column: a pattern of RE2. */
  readonly keyPattern: string | undefined
  /** One's own account in a journal: rows of others are left out, and those of its counterpart change their sign. */
  readonly account: Account | undefined
  /** For ledgers without a currency column. */
  readonly currency: string | undefined
  readonly decimal: LedgerAmount.Decimal | undefined
  readonly thousands: string | undefined
  /** Whether the ledger's amounts have the opposite sign of the service's. */
  readonly flipSign: boolean
  readonly dateOrder: LedgerDate.Order | undefined
  /** The language of the names of months; English if absent. */
  readonly monthNames: MonthNames.Language | undefined
  /** Rows of days outside it are left out, if the ledger has a column for the date. */
  readonly period: CreatedAt.CreatedAt
  /** The time zone of its days. */
  readonly timeZone: DateTime.TimeZone
}

/** An account, and the columns in which it may stand. */
export interface Account {
  readonly number: string
  readonly own: string
  readonly contra: string
}

/** Options that detect everything. */
export const detectAll: LedgerOptions = {
  columns: {},
  headerRow: undefined,
  skipRows: [],
  markers: Direction.noMarkers,
  keyPattern: undefined,
  account: undefined,
  currency: undefined,
  decimal: undefined,
  thousands: undefined,
  flipSign: false,
  dateOrder: undefined,
  monthNames: undefined,
  period: CreatedAt.all,
  timeZone: Day.utc,
}

/** How a ledger was read. */
export interface Reading {
  readonly file: string
  readonly format: Format
  /** The bookings. */
  readonly rows: number
  /** The place of the header, if it is not the first row. */
  readonly header?: string
  /** Rows that are no bookings. */
  readonly left_out?: ReadonlyArray<NoBooking.LeftOut>
  /** Rows that have a key and equal the sum of the rows above: totals, perhaps. */
  readonly sums?: ReadonlyArray<Sum>
  /** Rows that were left out, because their date is outside the period. */
  readonly outside?: number
  /** Entries of a bank statement that were left out, because they are not booked. */
  readonly pending?: number
  /** Amounts that are numbers of a spreadsheet. */
  readonly numbers?: number
  /** How many of those hold more than the 15 digits that spreadsheets keep, and were rounded to them. */
  readonly rounded?: number
  /** How many balances followed from the one before. */
  readonly balances?: number
  /** The sheet of a workbook. */
  readonly sheet?: string
  readonly encoding?: string
  readonly delimiter?: string
  /** The name of the column of each part. */
  readonly columns: LedgerColumns.Given
  /** The texts that stand for money in and out. */
  readonly markers?: Direction.Markers
  /** Absent if every amount is a number of a spreadsheet. */
  readonly decimal?: LedgerAmount.Decimal
  readonly date_order?: LedgerDate.Order
  /** Which of these were detected, not given. */
  readonly detected: ReadonlyArray<Detail>
}

/** A row with a key whose amount is the sum of rows above. */
export interface Sum {
  readonly place: string
  readonly key: string
  readonly rows: number
}

/** What can be detected. */
export type Detail = "sheet" | "encoding" | "delimiter" | "decimal" | "date_order" | "header" | LedgerColumns.Part

/** A number of a spreadsheet, as it was or rounded; or a text of a bank statement. */
export type NumberKind = "exact" | "rounded" | "plain"

/** A row of cells, and its place for people. */
export interface TableRow {
  readonly place: string
  readonly cells: ReadonlyArray<string | undefined>
  /** The cells that are numbers, by index: they are in the grammar of `Amount`, however others are written. */
  readonly numbers?: ReadonlyMap<number, NumberKind>
}

/** A file as a table, one of whose first rows names the columns. It is read again for each call of `rows`. */
export interface Table {
  readonly facts: Pick<Reading, "format" | "sheet" | "encoding" | "delimiter">
  readonly detected: ReadonlyArray<Detail>
  /** Whether each row has a cell for each column. */
  readonly isRectangular?: boolean
  /** What to ask if no row has a key, and nobody named its column. */
  readonly keyQuestion?: string
  /** The entries that the latest `rows` left out. */
  readonly pending?: () => number
  /** In batches. */
  readonly rows: () => AsyncIterable<ReadonlyArray<TableRow>>
}

/** A row with the cells of a booking, and its place for people. */
export interface Row {
  readonly place: string
  readonly key: string | undefined
  readonly amount: string | undefined
  /** Whether the amount stands in a column, or beside a marker, of money out. */
  readonly isOut?: boolean
  readonly currency: string | undefined
  readonly status: string | undefined
  readonly date: string | undefined
  readonly payout: string | undefined
  /** Whether the key and the amount are numbers. */
  readonly numbers: { readonly key: boolean; readonly amount: NumberKind | undefined }
}

/** The cells of a booking whose sign is its amount's. */
export const toRow = ({ place, cells, numbers }: TableRow, columns: LedgerColumns.Columns): Row => {
  const cell = (part: LedgerColumns.Part) => (columns[part] === undefined ? undefined : cells[columns[part]])
  return {
    place,
    numbers: { key: numbers?.has(columns.key ?? -1) === true, amount: numbers?.get(columns.amount ?? -1) },
    key: cell("key"),
    amount: cell("amount"),
    currency: cell("currency"),
    status: cell("status"),
    date: cell("date"),
    payout: cell("payout"),
  }
}

/** The same with the sign that a column shows; or, as a clause, why it shows none. */
export const withSign = (row: Row, { cells, numbers }: TableRow, sign: Direction.Sign): Result.Result<Row, string> => {
  const fail = (reason: string) => Result.fail(`${row.place}: ${reason}`)
  if (sign._tag === "Signed") return Result.succeed(row)
  if (sign._tag === "Marked") {
    const marker = cells[sign.column]?.trim() ?? ""
    const isIn = Direction.isIn(marker, sign.markers)
    if (isIn === undefined) {
      return fail(
        `${JSON.stringify(marker.slice(0, 64))} is no marker of money in or out. Name it with --marker-in or --marker-out; if the row is no booking, leave it out with --skip-row <text>`,
      )
    }
    if (Direction.isNegative(row.amount)) return fail(Direction.saidTwice(row.amount, "beside a marker"))
    return Result.succeed({ ...row, isOut: !isIn })
  }
  const [moneyIn, moneyOut] = [cells[sign.in], cells[sign.out]]
  const isOut = !Direction.isNothing(moneyOut)
  if (isOut && !Direction.isNothing(moneyIn)) {
    return fail(
      `it has an amount of money in (${moneyIn?.trim().slice(0, 64)}) and one of money out (${moneyOut?.trim().slice(0, 64)}). If it is a total, leave it out with --skip-row <text>; else book it in two rows`,
    )
  }
  const column = isOut || (moneyIn?.trim() ?? "") === "" ? sign.out : sign.in
  const amount = cells[column]
  if (!sign.isSigned && Direction.isNegative(amount)) {
    return fail(Direction.saidTwice(amount, isOut ? "in the column of money out" : "in the column of money in"))
  }
  return Result.succeed({
    ...row,
    amount: Direction.isDash(amount) ? "0" : amount,
    isOut: isOut && !sign.isSigned,
    numbers: { ...row.numbers, amount: numbers?.get(column) },
  })
}

/** How amounts and dates are written. */
export interface Notation {
  readonly decimal: LedgerAmount.Decimal
  readonly dateOrder: LedgerDate.Order
}

const plain: LedgerAmount.LedgerAmountFormat = { decimal: ".", thousands: undefined }

/** The amount of a row, with its sign; or, as a clause, why it has none. */
export const amountOf = (
  row: Row,
  notation: Notation,
  options: LedgerOptions,
): Result.Result<LedgerAmount.LedgerAmount, string> => {
  const format = row.numbers.amount !== undefined ? plain : { decimal: notation.decimal, thousands: options.thousands }
  return Result.flatMap(LedgerAmount.read(row.amount ?? "", format), (found) => {
    const isOut = sideOf(row, found.marker, options.markers)
    return Result.map(isOut, (turns) => ({ ...found, text: turns ? negated(found.text) : found.text }))
  })
}

const negated = (text: string): string =>
  text.startsWith("-") ? text.slice(1) : /[1-9]/.test(text) ? `-${text}` : text

/** Whether an amount is money out, by its column, or by the marker in its cell. */
const sideOf = (row: Row, marker: string | undefined, markers: Direction.Markers): Result.Result<boolean, string> => {
  if (marker === undefined) return Result.succeed(row.isOut === true)
  const isIn = Direction.isIn(marker, markers)
  if (isIn === undefined) {
    return Result.fail(
      `its amount has the marker ${marker}, and which side is money in depends on the account: say --marker-in CR --marker-out DR, or the reverse`,
    )
  }
  if (row.isOut !== undefined)
    return Result.fail(`its amount has the marker ${marker}, and a column shows its direction`)
  return Result.succeed(!isIn)
}

/** A row as an entry. */
export const toEntry = (row: Row, notation: Notation, options: LedgerOptions): Result.Result<LedgerEntry, string> => {
  const fail = (reason: string) => Result.fail(`${row.place}: ${reason}`)
  const key = copyOf(row.key?.trim() ?? "")
  const lost = lostIn(key)
  if (lost !== undefined) return fail(`its key ${lost}`)
  if (row.numbers.key && SheetNumber.isTooLong(Number(key))) {
    return fail(
      `its key is a number of ${key.length} digits, and spreadsheets keep ${SheetNumber.digits}. Format the column as text, and enter its keys again`,
    )
  }
  const written = amountOf(row, notation, options)
  if (Result.isFailure(written)) {
    const isEmpty = (row.amount ?? "").trim() === "" && key !== ""
    const advice = `. If the row is no booking, leave it out with --skip-row ${JSON.stringify(key.slice(0, 64))}`
    return fail(`${written.failure}${isEmpty ? advice : ""}`)
  }
  const code = currencyOfRow(row, written.success, options)
  if (Result.isFailure(code)) return fail(code.failure)
  const amount = Money.parse(written.success.text, code.success)
  if (Result.isFailure(amount)) return fail(amount.failure.message)
  const at = row.date === undefined ? undefined : Result.getOrUndefined(Timestamp.parse(row.date.trim()))
  const date = row.date === undefined ? undefined : dayOf(row.date, at, notation, options)
  if (date !== undefined && Result.isFailure(date)) return fail(date.failure)
  const status = row.status?.trim() ?? ""
  const payout = row.payout?.trim() ?? ""
  return Result.succeed({
    reference: row.place,
    key,
    amount: options.flipSign ? Money.negate(amount.success) : amount.success,
    ...(status === "" ? {} : { status }),
    ...(date === undefined ? {} : { date: date.success }),
    ...(at === undefined ? {} : { at }),
    ...(payout === "" ? {} : { payout: copyOf(payout) }),
  })
}

/** A cell with an offset is an instant: its day is that of the time zone. */
const dayOf = (cell: string, at: Timestamp.Timestamp | undefined, { dateOrder }: Notation, options: LedgerOptions) =>
  at === undefined ? LedgerDate.read(cell, dateOrder, options.monthNames) : Result.succeed(Day.of(at, options.timeZone))

/** A part of a text keeps all of it in memory; its copy does not. */
const copyOf = (text: string): string => ` ${text}`.slice(1)

const lostIn = (key: string): string | undefined => {
  if (key.includes("\u0000")) return "holds a NUL character. Is the file in another encoding? Name it with --encoding"
  if (key.includes("\ufffd")) {
    return "holds U+FFFD, which stands for a character that was lost before. Export the ledger again, as UTF-8"
  }
  return undefined
}

/** The currency of a row: from its column or the option; the amount's cell may repeat it, or stand in for both. */
const currencyOfRow = (
  row: Row,
  { currency: inCell, sign }: LedgerAmount.LedgerAmount,
  options: LedgerOptions,
): Result.Result<CurrencyCode.CurrencyCode, string> => {
  const inColumn = row.currency?.trim() || undefined
  const given = inColumn ?? options.currency
  if (given === undefined && (inCell === undefined || !LedgerCurrency.isIso(inCell))) {
    const several = sign === undefined ? "" : `${sign} is the sign of several. `
    const found = inCell === undefined ? several : `${inCell} is not a currency of ISO 4217. `
    return Result.fail(`its currency is unknown. ${found}${LedgerColumns.currencyHint}`)
  }
  const code = CurrencyCode.parse(LedgerCurrency.codeOf(given ?? inCell ?? ""))
  if (Result.isFailure(code)) return Result.fail(code.failure.message)
  if (inColumn !== undefined && options.currency !== undefined) {
    const named = LedgerCurrency.codeOf(options.currency)
    if (named !== code.success) {
      return Result.fail(
        `its currency is ${code.success}, but --ledger-currency says ${named}. Leave the flag out, or correct the column`,
      )
    }
  }
  if (inCell !== undefined && CurrencyCode.ticker(code.success) !== inCell) {
    return Result.fail(`its amount is in ${inCell}, but its currency is ${code.success}`)
  }
  if (sign !== undefined && !LedgerCurrency.hasSign(code.success, sign)) {
    return Result.fail(`its amount has the sign ${sign}, but its currency is ${code.success}`)
  }
  return Result.succeed(code.success)
}
