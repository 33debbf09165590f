/**
 * Ledgers as rows of cells. What is ambiguous (which column is the key, which sign is the decimal one) is asked about,
 * never guessed, and everything that was detected is reported as a {@link Reading}.
 */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Day from "@transferkit/domain/Day"
import type * as DateTime from "effect/DateTime"
import * as Direction from "./Direction.ts"
import type * as LedgerAmount from "./LedgerAmount.ts"
import type * as LedgerColumns from "./LedgerColumns.ts"
import type * as LedgerDate from "./LedgerDate.ts"
import type { Format } from "./LedgerText.ts"
import type * as MonthNames from "./MonthNames.ts"
import type * as NoBooking from "./NoBooking.ts"

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
  /** Whether times without an offset are in UTC. If not, a date has the day that it shows, whatever its time is. */
  readonly utcTimes: boolean
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
  utcTimes: false,
  monthNames: undefined,
  period: CreatedAt.all,
  timeZone: Day.utc,
}

/** A place where statements are missing: the numbers beside it. */
export interface StatementGap {
  readonly account: string
  readonly after: number
  readonly before: number
}

/** A report of an account and a day whose transactions are those of one above it, and count again. */
export interface RepeatedReport {
  readonly account: string
  readonly day: string
  readonly place: string
}

/** A report whose transactions do not lead from its opening to its closing balance. */
export interface UnequalReport extends RepeatedReport {
  /** What the balances leave that no transaction explains. */
  readonly difference: string
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
  /** Rows that a workbook hides or has filtered out, and that count all the same. */
  readonly hidden?: number
  /** Where statements of an account are missing, by their numbers. */
  readonly gaps?: ReadonlyArray<StatementGap>
  /** Reports of an account that are there again. */
  readonly repeated?: ReadonlyArray<RepeatedReport>
  /** Reports whose balances say that transactions are missing, or that not all change a balance. */
  readonly unequal?: ReadonlyArray<UnequalReport>
  /** Another ledger with the same bytes, which was read before it. */
  readonly same_as?: string
  /** Statements that lack an account, an opening or a closing balance, so that nothing shows whether they are complete. */
  readonly unbalanced?: number
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
  /** Present if times without an offset were taken as UTC. */
  readonly utc_times?: true
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
  /** Whether people do not see it in its workbook. */
  readonly isHidden?: boolean
}

/** A file as a table, one of whose first rows names the columns. It is read again for each call of `rows`. */
export interface Table {
  readonly facts: Pick<Reading, "format" | "sheet" | "encoding" | "delimiter">
  readonly detected: ReadonlyArray<Detail>
  /** Whether each row has a cell for each column. */
  readonly isRectangular?: boolean
  /** What to ask if no row has a key, and no option names its column. */
  readonly keyQuestion?: string
  /** The entries that the latest `rows` left out. */
  readonly pending?: () => number
  /** The statements that the latest `rows` did not hold to balances, because they lack them, or their account. */
  readonly unbalanced?: () => number
  /** Where the numbers of the statements that the latest `rows` read leave something out. */
  readonly gaps?: () => ReadonlyArray<StatementGap>
  /** The reports that the latest `rows` found again. */
  readonly repeated?: () => ReadonlyArray<RepeatedReport>
  /** The reports that the latest `rows` did not find to lead from one balance to the other. */
  readonly unequal?: () => ReadonlyArray<UnequalReport>
  /** In batches. */
  readonly rows: () => AsyncIterable<ReadonlyArray<TableRow>>
}

/** How amounts and dates are written. */
export interface Notation {
  readonly decimal: LedgerAmount.Decimal
  readonly dateOrder: LedgerDate.Order
  /** The date that shows this order, unless it was named. */
  readonly dateProof?: string | undefined
}
