/** CSV: rows as text, formulas made harmless, and what is wrong with a file. */
import * as Amount from "@transferkit/domain/Amount"
import { CsvError } from "csv-parse"
import { stringify } from "csv-stringify/sync"
import { reasonOf } from "../FileError.ts"

/** Rows of cells as CSV (RFC 4180, but for the line break). Formulas are neutralised unless `raw`. */
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
 * A CSV cell that a spreadsheet would take for a formula gets a quote in front. Amounts are numbers and stay. A cell that
 * looks as if it had such a quote gets another one, so that {@link restoreFormula} gives back what there was.
 */
export const neutraliseFormula = (cell: string): string =>
  /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(cell) && !Amount.isAmount(cell) ? `'${cell}` : cell

/** The inverse of {@link neutraliseFormula}. */
export const restoreFormula = (cell: string): string => {
  const rest = cell.slice(1)
  return cell.startsWith("'") && neutraliseFormula(rest) === cell ? rest : cell
}

/** Why a CSV file cannot be read, in words for those who have the file; the parser's are about its own options. */
export const reasonOfError = (error: unknown): string => {
  if (!(error instanceof CsvError)) return reasonOf(error)
  const line = `line ${String(error["lines"])}`
  switch (error.code) {
    case "CSV_RECORD_INCONSISTENT_FIELDS_LENGTH": {
      const record = error["record"]
      return `${line} has ${Array.isArray(record) ? record.length : "too few or too many"} cells, and the header another number of them`
    }
    case "CSV_QUOTE_NOT_CLOSED":
      return `a quote is never closed; it is opened on ${line} or before`
    case "INVALID_OPENING_QUOTE":
    case "CSV_INVALID_CLOSING_QUOTE":
      return `${line} has a quote where none may be: quote the whole cell, and double the quotes in it`
    default:
      return error.message
  }
}
