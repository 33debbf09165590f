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

// A cell may start after `;`, a tab or a line break too, whatever the quotes; blanks and quotes may precede a formula.
const formulas = /(^|[;\t\r\n])('*(?:"|[^\S\t\r\n])*[=+\-@\uff1d\uff0b\uff0d\uff20])/g
const neutralised = /(^|[;\t\r\n])'('*(?:"|[^\S\t\r\n])*[=+\-@\uff1d\uff0b\uff0d\uff20])/g

/**
 * Puts a quote before each part of a CSV cell that a spreadsheet would run as a formula, whatever separates its lists.
 * Amounts are numbers and stay. A part that already looks quoted gets another quote, so that {@link restoreFormula}
 * returns the original.
 *
 * @example
 * neutraliseFormula("=1+1") // => "'=1+1"
 * neutraliseFormula("x;=1+1") // => "x;'=1+1"
 * neutraliseFormula("-1.50") // => "-1.50"
 */
export const neutraliseFormula = (cell: string): string =>
  Amount.isAmount(cell) ? cell : cell.replace(formulas, "$1'$2")

/**
 * The inverse of {@link neutraliseFormula}.
 *
 * @example
 * restoreFormula("'=1+1") // => "=1+1"
 */
export const restoreFormula = (cell: string): string => cell.replace(neutralised, "$1$2")

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
    case "CSV_MAX_RECORD_SIZE":
      return `the row at ${line} is too long; is a quote before it never closed?`
    default:
      return error.message
  }
}

/** The first line of each row: the parser counts the lines to its end, and CR and LF in a quoted cell as one each. */
export class LineCounter {
  #pairs: number

  /** `before` are lines that the parser has not seen. */
  constructor(before = 0) {
    this.#pairs = -before
  }

  /** Called once for each row, in their order. */
  firstOf(record: ReadonlyArray<string>, linesToItsEnd: number): number {
    let [breaks, pairs] = [0, 0]
    for (const cell of record) {
      if (!/[\r\n]/.test(cell)) continue
      breaks += cell.match(/[\r\n]/g)?.length ?? 0
      pairs += cell.match(/\r\n/g)?.length ?? 0
    }
    const first = linesToItsEnd - breaks - this.#pairs
    this.#pairs += pairs
    return first
  }
}
