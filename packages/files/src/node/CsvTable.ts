/** CSV files of any encoding and delimiter as tables. */
import { parse } from "csv-parse"
import * as Csv from "../formats/Csv.ts"
import type * as Ledger from "../ledgers/Ledger.ts"
import * as LedgerText from "../ledgers/LedgerText.ts"
import * as LedgerBytes from "./LedgerBytes.ts"

/** How a CSV file is written. What is absent is detected. */
export interface CsvTableOptions {
  readonly delimiter: string | undefined
  readonly encoding: LedgerText.Encoding | undefined
}

/** The longest row, in bytes. It bounds the memory that an unclosed quote takes. */
const maxRowBytes = 1024 * 1024

/** Detects how a file is written. Throws an `Error` whose message says as a clause why it cannot be read. */
export const detect = async (path: string, options: CsvTableOptions): Promise<Ledger.Table> => {
  const { head, encoding } = await LedgerBytes.inspect(path, options.encoding)
  const text = new TextDecoder(encoding).decode(head, { stream: true })
  const separator = LedgerText.separatorOf(text)
  const delimiter =
    options.delimiter ?? separator?.delimiter ?? LedgerText.likelyDelimiter(text.replace(/^[\r\n]+/, ""))
  if (delimiter === undefined) {
    throw new Error("its header has as many of one delimiter as of another. Name it with --delimiter")
  }
  const lineBreak = encoding.startsWith("utf-16") ? undefined : await LedgerBytes.plainLineBreak(path)
  return {
    facts: { format: "csv", encoding, delimiter },
    detected: [
      ...(options.encoding === undefined ? (["encoding"] as const) : []),
      ...(options.delimiter === undefined ? (["delimiter"] as const) : []),
    ],
    rows: () => {
      const chunks = LedgerBytes.text(path, encoding)
      const text = separator === undefined ? chunks : withoutSeparator(chunks)
      return lineBreak === undefined ? parsedRows(text, delimiter) : plainRows(text, delimiter, lineBreak)
    },
  }
}

async function* parsedRows(
  chunks: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<ReadonlyArray<Ledger.TableRow>> {
  const lines = new Csv.LineCounter()
  let rows: Array<Ledger.TableRow> = []
  const parser = parse({
    delimiter,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: maxRowBytes,
    // Taken here: to read them from a stream of objects costs more than to parse them.
    on_record: (cells: Array<string>, info) => {
      rows.push({ place: `line ${lines.firstOf(cells, info.lines)}`, cells })
      return null
    },
  })
  const done = (act: (callback: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => act((error) => (error ? reject(error) : resolve())))
  parser.on("error", () => {})
  try {
    for await (const chunk of chunks) {
      await done((callback) => parser.write(chunk, callback))
      yield rows.splice(0)
    }
    await done((callback) => parser.end(callback))
  } catch (error) {
    yield rows.splice(0)
    throw error
  } finally {
    parser.destroy()
  }
  yield rows
}

/** The same for a text without quotes that has one kind of line break, at a fraction of the work. */
async function* plainRows(
  chunks: AsyncIterable<string>,
  delimiter: string,
  lineBreak: string,
): AsyncGenerator<ReadonlyArray<Ledger.TableRow>> {
  let [pending, number, width] = ["", 0, 0]
  let rows: Array<Ledger.TableRow> = []
  const add = (text: string): void => {
    const place = `line ${++number}`
    if (text.length > maxRowBytes) throw new Error(Csv.tooLong(place))
    if (text === "") return
    const cells = text.split(delimiter)
    if (width !== 0 && cells.length !== width) throw new Error(Csv.otherWidth(place, cells.length))
    if (cells.every((cell) => cell.trim() === "")) return
    width = cells.length
    rows.push({ place, cells })
  }
  try {
    for await (const chunk of chunks) {
      const texts = (pending + chunk).split(lineBreak)
      pending = texts.pop() ?? ""
      texts.forEach(add)
      if (pending.length > maxRowBytes) add(pending)
      yield rows
      rows = []
    }
    add(pending)
  } catch (error) {
    yield rows
    throw error
  }
  yield rows
}

/** The line `sep=;`, which is in the first chunk, becomes an empty one, so that the others keep their numbers. */
async function* withoutSeparator(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true
  for await (const text of chunks) {
    yield isFirst ? text.slice(text.search(/[\r\n]/)) : text
    isFirst = false
  }
}
