/** CSV files of any encoding and delimiter as tables. */
import { parse } from "csv-parse"
import { parse as parseAtOnce } from "csv-parse/sync"
import * as Csv from "../formats/Csv.ts"
import * as Datev from "../ledgers/Datev.ts"
import * as HeaderRow from "../ledgers/HeaderRow.ts"
import type * as Ledger from "../ledgers/Ledger.ts"
import type * as LedgerColumns from "../ledgers/LedgerColumns.ts"
import * as LedgerText from "../ledgers/LedgerText.ts"
import * as TextLines from "../ledgers/TextLines.ts"
import * as LedgerBytes from "./LedgerBytes.ts"

/** How a CSV file is written. What is absent is detected. */
export interface CsvTableOptions {
  readonly delimiter: string | undefined
  readonly encoding: LedgerText.Encoding | undefined
  readonly columns: LedgerColumns.Given
  readonly headerRow: number | undefined
}

/** The longest row, in bytes. It bounds the memory that an unclosed quote takes. */
const maxRowBytes = 1024 * 1024

/** Detects how a file is written. Throws an `Error` whose message says as a clause why it cannot be read. */
export const detect = async (path: string, options: CsvTableOptions): Promise<Ledger.Table> => {
  const { head, encoding } = await LedgerBytes.inspect(path, options.encoding)
  const text = new TextDecoder(encoding).decode(head)
  const separator = LedgerText.separatorOf(text)
  const delimiter = options.delimiter ?? separator?.delimiter ?? likelyDelimiter(text, options)
  const isPlain = !encoding.startsWith("utf-16") && !(await LedgerBytes.hasQuotes(path))
  const table: Ledger.Table = {
    facts: { format: "csv", encoding, delimiter },
    detected: [
      ...(options.encoding === undefined ? (["encoding"] as const) : []),
      ...(options.delimiter === undefined ? (["delimiter"] as const) : []),
    ],
    isRectangular: true,
    rows: () => {
      const chunks = LedgerBytes.text(path, encoding)
      const text = separator === undefined ? chunks : withoutSeparator(chunks)
      return isPlain ? plainRows(text, delimiter) : parsedRows(text, delimiter)
    },
  }
  const [first] = firstRows(text, delimiter)
  return first !== undefined && Datev.isFirst(first) ? Datev.complete(table) : table
}

/** The delimiter by which a row is the header; if none is, the one by which a row is closest to one. */
const likelyDelimiter = (text: string, { columns, headerRow }: CsvTableOptions): string => {
  const tried = LedgerText.delimiters.map((delimiter) => {
    const rows = firstRows(text, delimiter)
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
const firstRows = (text: string, delimiter: string): ReadonlyArray<Ledger.TableRow> => {
  const rows: Array<Ledger.TableRow> = []
  const lines = new Csv.LineCounter()
  try {
    parseAtOnce(text, {
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

/** Collects rows that are not blank. */
class Rows {
  #rows: Array<Ledger.TableRow> = []

  add(place: string, cells: ReadonlyArray<string>): void {
    if (!cells.every((cell) => cell.trim() === "")) this.#rows.push({ place, cells })
  }

  take(): ReadonlyArray<Ledger.TableRow> {
    return this.#rows.splice(0)
  }
}

async function* parsedRows(
  chunks: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<ReadonlyArray<Ledger.TableRow>> {
  const lines = new Csv.LineCounter()
  const rows = new Rows()
  const parser = parse({
    delimiter,
    // It would take the first one in the file for all of them.
    record_delimiter: [...TextLines.lineBreaks],
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: maxRowBytes,
    // Taken here: to read them from a stream of objects costs more than to parse them.
    on_record: (cells: Array<string>, info) => {
      rows.add(`line ${lines.firstOf(cells, info.lines, info.empty_lines)}`, cells)
      return null
    },
  })
  const done = (act: (callback: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => act((error) => (error ? reject(error) : resolve())))
  parser.on("error", () => {})
  try {
    for await (const chunk of chunks) {
      await done((callback) => parser.write(chunk, callback))
      yield rows.take()
    }
    await done((callback) => parser.end(callback))
  } catch (error) {
    yield rows.take()
    lines.correct(error)
    throw error
  }
  yield rows.take()
}

/** The same for a text without quotes, at a fraction of the work. */
async function* plainRows(
  chunks: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<ReadonlyArray<Ledger.TableRow>> {
  let number = 0
  const rows = new Rows()
  try {
    for await (const lines of TextLines.read(chunks, maxRowBytes)) {
      for (const line of lines) {
        const place = `line ${++number}`
        if (line.length > maxRowBytes) throw new Error(Csv.tooLong(place))
        if (line !== "") rows.add(place, line.split(delimiter))
      }
      yield rows.take()
    }
  } catch (error) {
    yield rows.take()
    throw error
  }
}

/** The line `sep=;`, which is in the first chunk, becomes an empty one, so that the others keep their numbers. */
async function* withoutSeparator(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true
  for await (const text of chunks) {
    yield isFirst ? text.slice(text.search(/[\r\n]/)) : text
    isFirst = false
  }
}
