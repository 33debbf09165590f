/** The numbers of a spreadsheet: doubles, of which it keeps and shows 15 digits, and dates counted in days. */
import * as Amount from "@transferkit/domain/Amount"

/** The most significant digits that spreadsheets keep of a number. */
export const digits = 15

/** A number in the grammar of `Amount`. */
export interface SheetNumber {
  readonly text: string
  /** Whether the cell holds another number, as the results of formulas do: 0.1+0.2 is stored as 0.30000000000000004. */
  readonly isRounded: boolean
}

/**
 * The number that a cell shows in full. It never has more digits than a spreadsheet keeps.
 *
 * @example
 * SheetNumber.read("0.30000000000000004") // => { text: "0.3", isRounded: true }
 * SheetNumber.read("2.849E1") // => { text: "28.49", isRounded: false }
 */
export const read = (stored: string): SheetNumber | undefined => {
  const value = Number(stored)
  // Also of no other base: a cell holds `0x10` as no spreadsheet reads it.
  if (!Number.isFinite(value) || /^\s*$|[box]/i.test(stored)) return undefined
  if (value === 0) return { text: "0", isRounded: significant(stored) !== "" }
  const rounded = value.toExponential(digits - 1)
  const [mantissa = "", exponent = ""] = rounded.split("e")
  const scale = digits - 1 - Number(exponent)
  const units = BigInt(mantissa.replace(".", ""))
  return {
    text: scale > 0 ? Amount.withoutZeros(Amount.fromUnits(units, scale)) : String(units * 10n ** BigInt(-scale)),
    isRounded: Number(rounded) !== value || !isOf(value, stored),
  }
}

/** Whether a text has the digits of a double, as far as it goes: another number can be nearest to the same double. */
const isOf = (value: number, stored: string): boolean => {
  const length = significant(stored).length
  return length <= digits || significant(value.toPrecision(Math.min(100, length))) === significant(stored)
}

/** Without zeros at either end. */
const significant = (number: string): string => {
  const digits = number
    .replace(/e.*/i, "")
    .replace(/[^0-9]/g, "")
    .replace(/^0+/, "")
  return Amount.withoutZeros(`0.${digits}`).slice(2)
}

/** Whether a number has more whole digits than a spreadsheet keeps, so that the last ones are lost. */
export const isTooLong = (value: number): boolean => Math.abs(value) >= 10 ** digits

const dayMilliseconds = 86_400_000
const afterLastDay = Date.UTC(10_000, 0, 1)

/**
 * The date or time of a number of days since the end of 1899, or since 1904: `YYYY-MM-DD`, with `Thh:mm:ss` if it has a
 * time. Spreadsheets count a 29 February 1900, which there never was.
 *
 * @example
 * SheetNumber.dateOf("45565", false) // => "2024-09-30"
 * SheetNumber.dateOf("45565.5", false) // => "2024-09-30T12:00:00"
 */
export const dateOf = (stored: string, from1904: boolean): string | undefined => {
  const days = Number(stored)
  if (stored.trim() === "" || !(days >= 0)) return undefined
  const start = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  const rounded = Math.round((days * dayMilliseconds) / 1000)
  // What is left to the end of a day is a time of that day, unless it is only what a double cannot hold.
  const isBeforeMidnight = rounded % 86_400 === 0 && rounded - (days * dayMilliseconds) / 1000 > 0.001
  const seconds = isBeforeMidnight ? rounded - 1 : rounded
  const time = start + seconds * 1000
  if (time >= afterLastDay) return undefined
  const text = new Date(time).toISOString()
  if (days < 1) return text.slice(11, 19)
  return seconds % 86_400 === 0 ? text.slice(0, 10) : text.slice(0, 19)
}

/**
 * Whether a number format shows dates or times of day.
 *
 * @example
 * SheetNumber.isDateFormat("[$-407]d. mmmm yyyy;@") // => true
 * SheetNumber.isDateFormat("#,##0.00 [$USD];[Red]-0.00") // => false
 */
export const isDateFormat = (code: string): boolean => {
  const [section = ""] = code.replace(/"[^"]*"?|\[[^\]]*\]?|\\.|[_*]./g, "").split(";", 1)
  return /[ymdhs]/i.test(section)
}

/** Number formats without a code of their own that show dates or times of day. Those from 27 are of East Asian spreadsheets. */
const builtInDates = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const

/** Whether one of the number formats that a spreadsheet has by itself shows dates or times of day. */
export const isBuiltInDateFormat = (id: number): boolean =>
  builtInDates.some(([first, last]) => first <= id && id <= last)
