/** CSV files of any encoding and delimiter as tables. */
import { parse } from "csv-parse"
import * as CsvRows from "../formats/CsvRows.ts"
import * as CsvText from "../ledgers/CsvText.ts"
import * as Datev from "../ledgers/Datev.ts"
import type * as Ledger from "../ledgers/Ledger.ts"
import * as LedgerText from "../ledgers/LedgerText.ts"
import * as TextLines from "../ledgers/TextLines.ts"
import * as LedgerBytes from "./LedgerBytes.ts"
import type { SteadyFile } from "./SteadyFile.ts"

/** How a CSV file is written. What is absent is detected. */
export interface CsvTableOptions extends CsvText.CsvTextOptions {
  readonly encoding: LedgerText.Encoding | undefined
}

/** The longest row, in bytes. It bounds the memory that an unclosed quote takes. */
const maxRowBytes = 1024 * 1024

/** Detects how a file is written. Throws an `Error` whose message says as a clause why it cannot be read. */
export const detect = async (file: SteadyFile, options: CsvTableOptions): Promise<Ledger.Table> => {
  const { head, encoding } = await LedgerBytes.inspect(file, options.encoding)
  const text = new TextDecoder(encoding).decode(head)
  const separator = LedgerText.separatorOf(text)
  const delimiter = options.delimiter ?? separator?.delimiter ?? CsvText.likelyDelimiter(text, options)
  const isPlain = !encoding.startsWith("utf-16") && !(await LedgerBytes.hasQuotes(file))
  const table: Ledger.Table = {
    facts: { format: "csv", encoding, delimiter },
    detected: [
      ...(options.encoding === undefined ? (["encoding"] as const) : []),
      ...(options.delimiter === undefined ? (["delimiter"] as const) : []),
    ],
    isRectangular: true,
    rows: () => {
      const chunks = LedgerBytes.text(file, encoding)
      const text = separator === undefined ? chunks : withoutSeparator(chunks)
      return isPlain ? plainRows(text, delimiter) : parsedRows(text, delimiter)
    },
  }
  const [first] = CsvText.firstRows(text, delimiter)
  return first !== undefined && Datev.isFirst(first) ? Datev.complete(table) : table
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
  const lines = new CsvRows.LineCounter()
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
        if (line.length > maxRowBytes) throw new Error(CsvRows.tooLong(place))
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
