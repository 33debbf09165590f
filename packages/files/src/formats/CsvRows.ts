/** CSV as it is read: the errors of a file in words about its rows, and the line of each. */
import { CsvError } from "csv-parse"
import * as FileError from "../FileError.ts"

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
