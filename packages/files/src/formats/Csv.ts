/** CSV: rows as text, formulas escaped, and the errors of a file in words. */
import * as Amount from "@transferkit/domain/Amount"
import { CsvError } from "csv-parse"
import { stringify } from "csv-stringify/sync"
import * as FileError from "../FileError.ts"

/** How CSV files are written: RFC 4180, and what Excel opens by a double click, in English and in German. */
export const dialects = ["rfc4180", "excel", "excel-de", "tsv"] as const

/** One of {@link dialects}. */
export type Dialect = (typeof dialects)[number]

/** Excel takes a file for UTF-8 if it begins with a mark, which a line `sep=;` before it would hide. */
export const forms: Readonly<
  Record<
    Dialect,
    {
      readonly delimiter: string
      readonly lineBreak: "unix" | "windows"
      readonly mark: string
      readonly comma: boolean
    }
  >
> = {
  rfc4180: { delimiter: ",", lineBreak: "unix", mark: "", comma: false },
  excel: { delimiter: ",", lineBreak: "windows", mark: "\ufeff", comma: false },
  "excel-de": { delimiter: ";", lineBreak: "windows", mark: "\ufeff", comma: true },
  tsv: { delimiter: "\t", lineBreak: "unix", mark: "", comma: false },
}

/**
 * Rows of cells as CSV, by default as of RFC 4180 with LF line breaks. Formulas are neutralised unless `raw`. `amounts`
 * are the indices of the columns that have a decimal comma where the dialect has one. The mark is the caller's.
 */
export const lines = (
  rows: ReadonlyArray<ReadonlyArray<string | undefined>>,
  raw: boolean,
  { dialect = "rfc4180", amounts = [] }: { readonly dialect?: Dialect; readonly amounts?: ReadonlyArray<number> } = {},
): string => {
  const { delimiter, lineBreak, comma } = forms[dialect]
  const isCommaAt = new Set(comma ? amounts : [])
  return rows.length === 0
    ? ""
    : stringify(
        rows.map((row) =>
          row.map((cell, index) => {
            const written = raw ? cell : safe(cell)
            return isCommaAt.has(index) ? written?.replace(".", ",") : written
          }),
        ),
        // It quotes a cell with its own line break only.
        { delimiter, record_delimiter: lineBreak, quoted_match: /[\r\n]/ },
      )
}

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
      return otherWidth(line, Array.isArray(record) ? record.length : "too few or too many")
    }
    case "CSV_QUOTE_NOT_CLOSED":
      return `a quote is never closed; it opens in the row at ${line} or before`
    case "INVALID_OPENING_QUOTE":
    case "CSV_INVALID_CLOSING_QUOTE":
      return `${line} has a misplaced quote: quote the whole cell, and double the quotes in it`
    case "CSV_MAX_RECORD_SIZE":
      return tooLong(line)
    default:
      return error.message
  }
}

/** Why a row cannot be read. */
export const otherWidth = (line: string, cells: number | string): string =>
  `${line} has ${cells} cells, unlike the header`

/** Why a row cannot be read. */
export const tooLong = (line: string): string => `the row at ${line} is too long; is a quote before it never closed?`

/** The first line of each row: the parser counts the lines to its end, and CR and LF in a quoted cell as one each. */
export class LineCounter {
  #pairs: number
  /** The line below the latest row, without the empty ones that the parser has skipped. */
  #next: number

  /** `before` are lines that the parser has not seen. */
  constructor(before = 0) {
    this.#pairs = -before
    this.#next = before + 1
  }

  /** Called once for each row, in their order. */
  firstOf(record: ReadonlyArray<string>, linesToItsEnd: number, emptyLines = 0): number {
    let [breaks, pairs] = [0, 0]
    for (const cell of record) {
      if (!/[\r\n]/.test(cell)) continue
      breaks += cell.match(/[\r\n]/g)?.length ?? 0
      pairs += cell.match(/\r\n/g)?.length ?? 0
    }
    const first = linesToItsEnd - breaks - this.#pairs
    this.#pairs += pairs
    this.#next = linesToItsEnd - this.#pairs + 1 - emptyLines
    return first
  }

  /** Gives the parser's error the first line of the row that it rejects. It needs the empty lines above each row. */
  correct(error: unknown): void {
    if (error instanceof CsvError) error["lines"] = this.#next + Number(error["empty_lines"])
  }
}
