/** What a spreadsheet makes of a number that it opens: a date, or fewer digits. The number cannot be had back from that. */
import * as MonthNames from "./MonthNames.ts"

const exponential = /^\s*[-+]?[0-9]+(?:[.,][0-9]+)?[eE][-+]?[0-9]+\s*$/
const time = /[T ][0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?(?: ?[AaPp][Mm])?$/
const inDigits = /^(?:[0-9]{1,2}([-./])[0-9]{1,2}\1(?:[0-9]{2}|[0-9]{4})|[0-9]{4}([-/.])[0-9]{1,2}\2[0-9]{1,2})$/
const withName = /^(?:[0-9]{1,4}(?:\. ?|[- /]))?(\p{L}{3,12})(?:\. ?|[- /])?(?:[0-9]{1,2},? ?)?(?:[0-9]{2}|[0-9]{4})?$/u

/** Whether a cell has a number in scientific notation: its last digits are zeros, whatever they were. */
export const isScientific = (cell: string): boolean => exponential.test(cell)

/**
 * Whether a cell has a date, as spreadsheets make of 12.01, 12-1 or 1/12.
 *
 * @example
 * SpreadsheetLoss.isDate("12. Jan") // => true
 * SpreadsheetLoss.isDate("12.01") // => false
 */
export const isDate = (cell: string): boolean => {
  const day = cell.trim().replace(time, "")
  if (inDigits.test(day)) return true
  const [, name] = (/[0-9]/.test(day) ? withName.exec(day) : null) ?? []
  return name !== undefined && MonthNames.languagesOf(name).length > 0
}

/** What has happened to an amount, and how to get it back, as a clause about the cell; nothing if a spreadsheet is not to blame. */
export const ofAmount = (cell: string): string | undefined => {
  if (isScientific(cell)) {
    return "is in scientific notation: a spreadsheet has saved fewer digits than the amount had. Export the books again, and do not save them from a spreadsheet; or format this column there as a number with all its digits, and save it as CSV again"
  }
  return isDate(cell)
    ? "is a date, not an amount. If a spreadsheet has made it of an amount such as 12.01, the amount is lost: export the books again, and do not save them from a spreadsheet, or import this column there as text. If the amounts are in another column, name it with --map amount=COLUMN"
    : undefined
}
