/** CSV as tables, from a text in memory: the delimiter that its header shows, and its rows. */
import { parse } from "csv-parse/sync"
import * as CsvRows from "../formats/CsvRows.ts"
import * as Datev from "./Datev.ts"
import * as HeaderRow from "./HeaderRow.ts"
import type * as Ledger from "./Ledger.ts"
import type * as LedgerColumns from "./LedgerColumns.ts"
import * as LedgerText from "./LedgerText.ts"
import * as TextLines from "./TextLines.ts"

/** How a CSV text is written. What is absent is detected. */
export interface CsvTextOptions {
  readonly delimiter: string | undefined
  readonly columns: LedgerColumns.Given
  readonly headerRow: number | undefined
}

/**
 * A text as a table. Throws an `Error` whose message says as a clause why it cannot be read.
 *
 * @example
 * CsvText.table("reference;amount\norder-1;1,50", { ...Ledger.detectAll, delimiter: undefined }).facts.delimiter // => ";"
 */
export const table = (text: string, options: CsvTextOptions): Ledger.Table => {
  const separator = LedgerText.separatorOf(text)
  const delimiter = options.delimiter ?? separator?.delimiter ?? likelyDelimiter(text, options)
  const rows = rowsOf(separator === undefined ? text : text.slice(text.search(/[\r\n]/)), delimiter)
  const made: Ledger.Table = {
    facts: { format: "csv", delimiter },
    detected: options.delimiter === undefined ? ["delimiter"] : [],
    isRectangular: true,
    async *rows() {
      yield rows
    },
  }
  const [first] = rows
  return first !== undefined && Datev.isFirst(first) ? Datev.complete(made) : made
}

const rowsOf = (text: string, delimiter: string): ReadonlyArray<Ledger.TableRow> => {
  const rows: Array<Ledger.TableRow> = []
  const lines = new CsvRows.LineCounter()
  try {
    parse(text, {
      bom: true,
      delimiter,
      record_delimiter: [...TextLines.lineBreaks],
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (cells: Array<string>, info) => {
        const place = `line ${lines.firstOf(cells, info.lines, info.empty_lines)}`
        if (!cells.every((cell) => cell.trim() === "")) rows.push({ place, cells })
        return null
      },
    })
  } catch (error) {
    lines.correct(error)
    throw error
  }
  return rows
}

/** The delimiter by which a row is the header; if none is, the one by which a row is closest to one. */
export const likelyDelimiter = (text: string, { columns, headerRow }: CsvTextOptions): string => {
  let whole: ReadonlyArray<Ledger.TableRow> | undefined
  const tried = LedgerText.delimiters.map((delimiter) => {
    // All that are not in the text give the same rows, of one cell.
    const rows = text.includes(delimiter) ? firstRows(text, delimiter) : (whole ??= firstRows(text, delimiter))
    const line = headerRow === undefined ? rows : rows.filter(({ place }) => place === `line ${headerRow}`)
    const best = HeaderRow.closest(line, columns)
    const { named = 0, cells = 0 } = best ?? {}
    return { delimiter, rank: [HeaderRow.isFound(line, columns) ? 1 : 0, named, best === undefined ? 0 : cells] }
  })
  const [first, second] = tried.toSorted((a, b) => compare(b.rank, a.rank))
  if (first === undefined || second === undefined) return ","
  const isOneCell = first.rank[2] !== undefined && first.rank[2] < 2
  if (isOneCell) return ","
  if (compare(first.rank, second.rank) === 0) {
    throw new Error("its header has as many of one delimiter as of another. Name it with --delimiter")
  }
  return first.delimiter
}

const compare = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): number =>
  a.map((value, index) => value - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0

/** The first rows of a text that may end in the middle of one. */
export const firstRows = (text: string, delimiter: string): ReadonlyArray<Ledger.TableRow> => {
  const rows: Array<Ledger.TableRow> = []
  const lines = new CsvRows.LineCounter()
  try {
    parse(text, {
      delimiter,
      record_delimiter: [...TextLines.lineBreaks],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: HeaderRow.within * 2,
      on_record: (cells: Array<string>, info) => {
        const place = `line ${lines.firstOf(cells, info.lines, info.empty_lines)}`
        const isBlank = cells.every((cell) => cell.trim() === "")
        if (!isBlank && rows.length < HeaderRow.within) rows.push({ place, cells })
        return null
      },
    })
  } catch {
    // The rows before a quote that never ends are enough.
  }
  return rows
}
