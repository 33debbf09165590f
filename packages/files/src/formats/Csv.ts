/** CSV: rows as text, formulas escaped, and the errors of a file in words. */
import * as Amount from "@transferkit/domain/Amount"
import { CsvError } from "csv-parse"
import { stringify } from "csv-stringify/sync"
import * as FileError from "../FileError.ts"

/** Rows of cells as CSV (RFC 4180, with LF line breaks). Formulas are neutralised unless `raw`. */
export const lines = (rows: ReadonlyArray<ReadonlyArray<string | undefined>>, raw: boolean): string =>
  rows.length === 0
    ? ""
    : stringify(
        rows.map((row) => (raw ? [...row] : row.map(safe))),
        { record_delimiter: "unix" },
      )

const safe = (cell: string | undefined): string | undefined =>
  cell === undefined ? undefined : neutraliseFormula(cell)

/**
 * Puts a quote before a CSV cell that a spreadsheet would run as a formula. Amounts are numbers and stay. A cell that
 * already looks quoted gets another quote, so that {@link restoreFormula} returns the original.
 *
 * @example
 * neutraliseFormula("=1+1") // => "'=1+1"
 * neutraliseFormula("-1.50") // => "-1.50"
 */
export const neutraliseFormula = (cell: string): string =>
  /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(cell) && !Amount.isAmount(cell) ? `'${cell}` : cell

/**
 * The inverse of {@link neutraliseFormula}.
 *
 * @example
 * restoreFormula("'=1+1") // => "=1+1"
 */
export const restoreFormula = (cell: string): string => {
  const rest = cell.slice(1)
  return cell.startsWith("'") && neutraliseFormula(rest) === cell ? rest : cell
}

/** Why a CSV file cannot be read, in words about the file; those of the parser are about its options. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof CsvError)) return FileError.reasonOf(error)
  const line = `line ${String(error["lines"])}`
  switch (error.code) {
    case "CSV_RECORD_INCONSISTENT_FIELDS_LENGTH": {
      const record = error["record"]
      return `${line} has ${Array.isArray(record) ? record.length : "too few or too many"} cells, unlike the header`
    }
    case "CSV_QUOTE_NOT_CLOSED":
      return `a quote is never closed; it opens on ${line} or before`
    case "INVALID_OPENING_QUOTE":
    case "CSV_INVALID_CLOSING_QUOTE":
      return `${line} has a misplaced quote: quote the whole cell, and double the quotes in it`
    default:
      return error.message
  }
}
