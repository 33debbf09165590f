/** The numbers of a spreadsheet: doubles, of which it keeps and shows 15 digits, and dates counted in days. */
import * as LedgerAmount from "./LedgerAmount.ts"

/** The most significant digits that spreadsheets keep of a number. */
export const digits = 15

/** A number in the grammar of `Amount`. */
export interface SheetNumber {
  readonly text: string
  /** Whether the cell holds more digits, as the results of formulas do: 0.1+0.2 is stored as 0.30000000000000004. */
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
  if (!Number.isFinite(value) || stored.trim() === "") return undefined
  if (value === 0) return { text: "0", isRounded: false }
  if (isTooLong(value)) return { text: BigInt(Math.trunc(value)).toString(), isRounded: false }
  const rounded = value.toExponential(digits - 1)
  const exponent = Number(rounded.slice(rounded.indexOf("e") + 1))
  const text = value.toFixed(Math.min(100, digits - 1 - exponent))
  return { text: LedgerAmount.withoutZeros(text), isRounded: Number(rounded) !== value }
}

/** Whether a number has more whole digits than a spreadsheet keeps, so that the last ones are lost. */
export const isTooLong = (value: number): boolean => Math.abs(value) >= 10 ** digits

const dayMilliseconds = 86_400_000

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
  if (stored.trim() === "" || !(days >= 0 && days < 2_958_466)) return undefined
  const start = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  const seconds = Math.round((days * dayMilliseconds) / 1000)
  const text = new Date(start + seconds * 1000).toISOString()
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
  return /[ymdhs]/i.test(section) && !/^general$/i.test(section.trim())
}

/** Whether one of the number formats that every spreadsheet has shows dates or times of day. */
export const isBuiltInDateFormat = (id: number): boolean => (id >= 14 && id <= 22) || (id >= 45 && id <= 47)
