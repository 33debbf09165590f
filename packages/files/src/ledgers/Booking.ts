/** A row of a ledger as a booking: its cells, its amount with its sign, its currency, and the entry that all of these make. */
import * as CurrencyCode from "@transferkit/domain/CurrencyCode"
import * as Day from "@transferkit/domain/Day"
import * as Money from "@transferkit/domain/Money"
import type { LedgerEntry } from "@transferkit/domain/Reconciliation"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as ClockTime from "./ClockTime.ts"
import * as Direction from "./Direction.ts"
import type * as Ledger from "./Ledger.ts"
import * as LedgerAmount from "./LedgerAmount.ts"
import * as LedgerColumns from "./LedgerColumns.ts"
import * as LedgerCurrency from "./LedgerCurrency.ts"
import * as LedgerDate from "./LedgerDate.ts"
import * as SheetNumber from "./SheetNumber.ts"

/** The cells of a booking, as they are written, and the place of its row for people. */
export interface Booking {
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
  readonly numbers: { readonly key: boolean; readonly amount: Ledger.NumberKind | undefined }
}

/** The booking of a row. The sign is that of its amount. */
export const fromRow = ({ place, cells, numbers }: Ledger.TableRow, columns: LedgerColumns.Columns): Booking => {
  const cell = (part: LedgerColumns.Part) => (columns[part] === undefined ? undefined : cells[columns[part]])
  return {
    place,
    numbers: { key: numbers?.has(columns.key ?? -1) === true, amount: numbers?.get(columns.amount ?? -1) },
    key: cell("key"),
    amount: cell("amount"),
    currency: cell("currency"),
    status: cell("status"),
    // A row without its day would be within every period.
    date: columns.date === undefined ? undefined : (cell("date") ?? ""),
    payout: cell("payout"),
  }
}

/** The same with the sign that a column shows; or, as a clause, why it shows none. */
export const withSign = (
  row: Booking,
  { cells, numbers }: Ledger.TableRow,
  sign: Direction.Sign,
): Result.Result<Booking, string> => {
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

const plain: LedgerAmount.LedgerAmountFormat = { decimal: ".", thousands: undefined }

/** The amount of a booking, with its sign; or, as a clause, why it has none. */
export const amountOf = (
  row: Booking,
  notation: Ledger.Notation,
  options: Ledger.LedgerOptions,
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
const sideOf = (
  row: Booking,
  marker: string | undefined,
  markers: Direction.Markers,
): Result.Result<boolean, string> => {
  if (marker === undefined && row.isOut === undefined && Direction.shownBy(row.amount ?? "") === "none") {
    return Result.succeed(Direction.isIn("", markers) === false)
  }
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

/** The entry that a booking makes; or, as a clause, why it makes none. */
export const toEntry = (
  row: Booking,
  notation: Ledger.Notation,
  options: Ledger.LedgerOptions,
): Result.Result<LedgerEntry, string> => {
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
  const code = currencyOf(row, written.success, options)
  if (Result.isFailure(code)) return fail(code.failure)
  const amount = Money.parse(written.success.text, code.success)
  if (Result.isFailure(amount)) return fail(amount.failure.message)
  const when = row.date === undefined ? Result.succeed({}) : whenOf(row.date, notation, options)
  if (Result.isFailure(when)) return fail(when.failure)
  const status = row.status?.trim() ?? ""
  const payout = row.payout?.trim() ?? ""
  return Result.succeed({
    reference: row.place,
    key,
    amount: options.flipSign ? Money.negate(amount.success) : amount.success,
    ...(status === "" ? {} : { status }),
    ...when.success,
    ...(payout === "" ? {} : { payout: copyOf(payout) }),
  })
}

/** The day of a booking, and its instant if it is known: its day is then that of the time zone. */
const whenOf = (
  cell: string,
  { dateOrder, dateProof }: Ledger.Notation,
  { monthNames, utcTimes, timeZone }: Ledger.LedgerOptions,
): Result.Result<Pick<LedgerEntry, "date" | "at">, string> => {
  const instant = (at: Timestamp.Timestamp) => Result.succeed({ date: Day.of(at, timeZone), at })
  const written = ClockTime.instantOf(cell.trim())
  if (Result.isSuccess(written)) return instant(written.success)
  if (dateProof !== undefined && !LedgerDate.isSettledBy(dateProof, cell)) {
    return Result.fail(LedgerDate.question(cell))
  }
  return Result.flatMap(LedgerDate.read(cell, dateOrder, monthNames), (date) => {
    const at = utcTimes ? LedgerDate.instantOf(cell, date) : undefined
    if (at !== undefined) return instant(at)
    return utcTimes && !isOneDay(date, timeZone) ? Result.fail(noTime(cell)) : Result.succeed({ date })
  })
}

/** Whether a day of UTC is one of the time zone, too. */
const isOneDay = (date: string, zone: DateTime.TimeZone): boolean =>
  ["00:00:00", "23:59:59"].every((time) => Day.of(Timestamp.parseUnsafe(`${date}T${time}Z`), zone) === date)

const noTime = (cell: string): string =>
  `its date ${JSON.stringify(cell.trim().slice(0, 64))} is in UTC and has no time, so that it can be two days of the time zone. Export it with its time, name a column of local dates with --map date=COLUMN, or keep the books in UTC: --time-zone UTC`

/** A part of a text keeps all of it in memory; its copy does not. */
const copyOf = (text: string): string => ` ${text}`.slice(1)

const lostIn = (key: string): string | undefined => {
  if (key.includes("\u0000")) return "holds a NUL character. Is the file in another encoding? Name it with --encoding"
  if (key.includes("\ufffd")) {
    return "holds U+FFFD, which stands for a character that was lost before. Export the ledger again, as UTF-8"
  }
  return undefined
}

/** The currency of a booking: from its column or the option; the amount's cell may repeat it, or stand in for both. */
const currencyOf = (
  row: Booking,
  { currency: inCell, sign }: LedgerAmount.LedgerAmount,
  options: Ledger.LedgerOptions,
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
