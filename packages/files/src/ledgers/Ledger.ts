/**
 * Ledgers as rows of cells. Whatever is not beyond doubt (which column is the key, which sign is the decimal one) is
 * asked about, and everything that was found out is reported as a {@link Reading}.
 */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as CurrencyCode from "@transferkit/domain/CurrencyCode"
import * as Money from "@transferkit/domain/Money"
import type { LedgerEntry } from "@transferkit/domain/Reconciliation"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Result from "effect/Result"
import * as LedgerAmount from "./LedgerAmount.ts"
import * as LedgerDate from "./LedgerDate.ts"
import type { Format } from "./LedgerText.ts"
import * as SheetNumber from "./SheetNumber.ts"

/** The parts of a ledger entry, and the usual names of their columns. */
export const defaultColumns = {
  key: ["external_id", "key", "reference", "order_id", "endtoendid"],
  amount: ["amount", "source_total_amount", "total", "amt"],
  currency: ["currency_code", "currency", "source_total_currency_code", "ccy"],
  status: ["status"],
  date: [],
} as const

/** A part of a ledger entry. */
export type Part = keyof typeof defaultColumns

/** All parts. */
export const parts: ReadonlyArray<Part> = ["key", "amount", "currency", "status", "date"]

/** How to read a ledger. What is absent is detected. */
export interface LedgerOptions {
  /** Columns by part; the other parts are found by their usual names. */
  readonly columns: Readonly<Partial<Record<Part, string>>>
  /** For ledgers without a currency column. */
  readonly currency: string | undefined
  readonly decimal: LedgerAmount.Decimal | undefined
  readonly thousands: string | undefined
  /** Whether the ledger's amounts have the opposite sign of the service's. */
  readonly flipSign: boolean
  readonly dateOrder: LedgerDate.Order | undefined
  /** Rows of days outside it are left out, if the ledger has a column for the date. */
  readonly period: CreatedAt.CreatedAt
}

/** Options that detect everything. */
export const detectAll: LedgerOptions = {
  columns: {},
  currency: undefined,
  decimal: undefined,
  thousands: undefined,
  flipSign: false,
  dateOrder: undefined,
  period: CreatedAt.all,
}

/** How a ledger was read. */
export interface Reading {
  readonly file: string
  readonly format: Format
  readonly rows: number
  /** Rows that were left out, because their date is outside the period. */
  readonly outside?: number
  /** Entries of a bank statement that were left out, because they are not booked. */
  readonly pending?: number
  /** Amounts that are numbers of a spreadsheet. */
  readonly numbers?: number
  /** How many of those hold more than the 15 digits that spreadsheets keep, and were rounded to them. */
  readonly rounded?: number
  /** The sheet of a workbook. */
  readonly sheet?: string
  readonly encoding?: string
  readonly delimiter?: string
  /** The name of the column of each part. */
  readonly columns: Readonly<Partial<Record<Part, string>>>
  /** Absent if every amount is a number of a spreadsheet. */
  readonly decimal?: LedgerAmount.Decimal
  readonly date_order?: LedgerDate.Order
  /** Which of these were detected, not given. */
  readonly detected: ReadonlyArray<Detail>
}

/** What can be detected. */
export type Detail = "sheet" | "encoding" | "delimiter" | "decimal" | "date_order" | Part

/** The index of the cell of each part. */
export type Columns = Readonly<Partial<Record<Part, number>>>

/** A number of a spreadsheet, as it was or rounded; or a text of a bank statement. */
export type NumberKind = "exact" | "rounded" | "plain"

/** A row of cells, and its place for people. */
export interface TableRow {
  readonly place: string
  readonly cells: ReadonlyArray<string | undefined>
  /** The cells that are numbers, by index: they are in the grammar of `Amount`, however others are written. */
  readonly numbers?: ReadonlyMap<number, NumberKind>
}

/** A file as a table, whose first row names the columns. It is read again for each call of `rows`. */
export interface Table {
  readonly facts: Pick<Reading, "format" | "sheet" | "encoding" | "delimiter">
  readonly detected: ReadonlyArray<Detail>
  /** What to ask if no row has a key, and nobody named its column. */
  readonly keyQuestion?: string
  /** The entries that the latest `rows` left out. */
  readonly pending?: () => number
  /** In batches. */
  readonly rows: () => AsyncIterable<ReadonlyArray<TableRow>>
}

/** A row with the cells of each part, and its place for people. */
export type Row = { readonly [P in Part]: string | undefined } & {
  readonly place: string
  /** Whether the key and the amount are numbers. */
  readonly numbers: { readonly key: boolean; readonly amount: NumberKind | undefined }
}

/** The cells of each part. */
export const toRow = ({ place, cells, numbers }: TableRow, columns: Columns): Row => {
  const cell = (part: Part) => (columns[part] === undefined ? undefined : cells[columns[part]])
  return {
    place,
    numbers: { key: numbers?.has(columns.key ?? -1) === true, amount: numbers?.get(columns.amount ?? -1) },
    key: cell("key"),
    amount: cell("amount"),
    currency: cell("currency"),
    status: cell("status"),
    date: cell("date"),
  }
}

/** How amounts and dates are written. */
export interface Notation {
  readonly decimal: LedgerAmount.Decimal
  readonly dateOrder: LedgerDate.Order
}

/** Finds the columns of a ledger by its header. */
export const findColumns = (header: ReadonlyArray<string>, options: LedgerOptions): Result.Result<Columns, string> => {
  const names = header.map((name) => name.trim().toLowerCase())
  const columns: Partial<Record<Part, number>> = {}
  for (const part of parts) {
    const given = options.columns[part]
    const wanted = given === undefined ? defaultColumns[part] : [given.trim().toLowerCase()]
    const found = names.flatMap((name, index) => (wanted.some((candidate) => candidate === name) ? [index] : []))
    const [index, ...others] = found
    if (others.length > 0) {
      const candidates = listed(
        found.map((at) => header[at] ?? ""),
        "or",
      )
      return Result.fail(
        new Set(found.map((at) => names[at])).size < found.length
          ? `it has several columns ${header[index ?? 0]}, so its ${part} is ambiguous. Rename all but one.`
          : `its ${part} could be ${candidates}. ${hintOf(part)}`,
      )
    }
    if (index !== undefined) columns[part] = index
    else if (given !== undefined || part === "key" || part === "amount") {
      const present = `its columns are ${listed(header, "and")}`
      return Result.fail(`it has no column ${wanted.join(" or ")} for the ${part}; ${present}. ${hintOf(part)}`)
    }
  }
  return Result.succeed(columns)
}

const maxListed = 30

const listed = (names: ReadonlyArray<string>, word: string): string => {
  const shown = names.slice(0, maxListed).map((name) => name.trim().slice(0, 64))
  if (names.length > maxListed) return `${shown.join(", ")} ${word} ${names.length - maxListed} more`
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} ${word} ${shown.at(-1)}`
}

const hintOf = (part: Part): string =>
  part === "currency"
    ? "Name it with --map currency=<column> or --ledger-currency fiat/USD."
    : `Name it with --map ${part}=<column>.`

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
  const format = row.numbers.amount !== undefined ? plain : { decimal: notation.decimal, thousands: options.thousands }
  const written = LedgerAmount.read(row.amount ?? "", format)
  if (Result.isFailure(written)) return fail(written.failure)
  const code = currencyOfRow(row, written.success.currency, options)
  if (Result.isFailure(code)) return fail(code.failure)
  const amount = Money.parse(written.success.text, code.success)
  if (Result.isFailure(amount)) return fail(amount.failure.message)
  const date = row.date === undefined ? undefined : LedgerDate.read(row.date, notation.dateOrder)
  if (date !== undefined && Result.isFailure(date)) return fail(date.failure)
  const status = row.status?.trim() ?? ""
  return Result.succeed({
    reference: row.place,
    key,
    amount: options.flipSign ? Money.negate(amount.success) : amount.success,
    ...(status === "" ? {} : { status }),
    ...(date === undefined ? {} : { date: date.success }),
  })
}

/** A part of a text keeps all of it in memory; its copy does not. */
const copyOf = (text: string): string => ` ${text}`.slice(1)

const plain: LedgerAmount.LedgerAmountFormat = { decimal: ".", thousands: undefined }

/** Whether a part of the entry's day is in a period. Entries without a date are in any. */
export const isWithin = ({ date }: LedgerEntry, period: CreatedAt.CreatedAt): boolean => {
  if (date === undefined || period === CreatedAt.all) return true
  const start = CreatedAt.gte(Timestamp.parseUnsafe(`${date}T00:00:00Z`))
  const end = CreatedAt.lte(Timestamp.parseUnsafe(`${date}T23:59:59.999999999Z`))
  return !CreatedAt.isEmpty(CreatedAt.and(CreatedAt.and(start, end), period))
}

const lostIn = (key: string): string | undefined => {
  if (key.includes("\u0000")) return "holds a NUL character. Is the file in another encoding? Name it with --encoding"
  if (key.includes("\ufffd")) {
    return "holds U+FFFD, which stands for a character that was lost before. Export the ledger again, as UTF-8"
  }
  return undefined
}

const isoCodes: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"))

/** The currency of a row: from its column or the option; the amount's cell may repeat it, or stand in for both. */
const currencyOfRow = (
  row: Row,
  inCell: string | undefined,
  options: LedgerOptions,
): Result.Result<CurrencyCode.CurrencyCode, string> => {
  const given = row.currency?.trim() || options.currency
  if (given === undefined && (inCell === undefined || !isoCodes.has(inCell))) {
    const found = inCell === undefined ? "" : `${inCell} is not a currency of ISO 4217. `
    return Result.fail(`its currency is unknown. ${found}${hintOf("currency")}`)
  }
  const code = CurrencyCode.parse(currencyOf(given ?? inCell ?? ""))
  if (Result.isFailure(code)) return Result.fail(code.failure.message)
  if (inCell !== undefined && code.success.slice(code.success.indexOf("/") + 1) !== inCell) {
    return Result.fail(`its amount is in ${inCell}, but its currency is ${code.success}`)
  }
  return Result.succeed(code.success)
}

/**
 * Ledgers and people write USD for the service's fiat/USD.
 *
 * @example
 * currencyOf("USD") // => "fiat/USD"
 * currencyOf("ethereum/ETH") // => "ethereum/ETH"
 */
export const currencyOf = (text: string): string => (/^[A-Z]{3}$/.test(text) ? `fiat/${text}` : text)
