/** CSV files of any encoding and delimiter as tables. */
import { open } from "node:fs/promises"
import { Readable } from "node:stream"
import { parse } from "csv-parse"
import type * as Ledger from "../ledgers/Ledger.ts"
import * as LedgerText from "../ledgers/LedgerText.ts"

/** How a CSV file is written. What is absent is detected. */
export interface CsvTableOptions {
  readonly delimiter: string | undefined
  readonly encoding: LedgerText.Encoding | undefined
}

/** The longest row, in bytes. It bounds the memory that an unclosed quote takes. */
const maxRowBytes = 1024 * 1024

const headBytes = 64 * 1024

/** Detects how a file is written. Throws an `Error` whose message says as a clause why it cannot be read. */
export const detect = async (path: string, options: CsvTableOptions): Promise<Ledger.Table> => {
  const { head, encoding } = await inspect(path, options)
  const text = new TextDecoder(encoding).decode(head, { stream: true })
  const separator = LedgerText.separatorOf(text)
  const delimiter =
    options.delimiter ?? separator?.delimiter ?? LedgerText.likelyDelimiter(text.replace(/^[\r\n]+/, ""))
  if (delimiter === undefined) {
    throw new Error("its header has as many of one delimiter as of another. Name it with --delimiter")
  }
  return {
    facts: { encoding, delimiter },
    detected: [
      ...(options.encoding === undefined ? (["encoding"] as const) : []),
      ...(options.delimiter === undefined ? (["delimiter"] as const) : []),
    ],
    rows: () => rowsOf(path, encoding, delimiter, separator !== undefined),
  }
}

/** The beginning of a file and its encoding. Reads all of it if only its bytes can tell. */
const inspect = async (
  path: string,
  options: CsvTableOptions,
): Promise<{ readonly head: Buffer; readonly encoding: LedgerText.Encoding }> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    const head = buffer.subarray(0, bytesRead)
    const foreign = LedgerText.foreignKind(head)
    if (foreign !== undefined) throw new Error(foreign)
    const marked = LedgerText.markedEncoding(head)
    if (options.encoding !== undefined) return { head, encoding: options.encoding }
    if (marked !== undefined && marked !== "utf-8") return { head, encoding: marked }
    const utf8 = new TextDecoder("utf-8", { fatal: true })
    try {
      for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) {
        utf8.decode(chunk, { stream: true })
      }
      utf8.decode()
      return { head, encoding: "utf-8" }
    } catch {
      if (marked === undefined) return { head, encoding: "windows-1252" }
      throw new Error("it begins as UTF-8 and goes on in another encoding. Export it again, or name it with --encoding")
    }
  } finally {
    await file.close()
  }
}

async function* rowsOf(
  path: string,
  encoding: LedgerText.Encoding,
  delimiter: string,
  hasSeparator: boolean,
): AsyncGenerator<Ledger.TableRow> {
  const parser = parse({
    delimiter,
    info: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: maxRowBytes,
  })
  const file = await open(path)
  const input = Readable.from(decoded(file.createReadStream(), encoding, hasSeparator))
  input.on("error", (error) => parser.destroy(error)).pipe(parser)
  const lines = new LineCounter(hasSeparator ? 1 : 0)
  try {
    for await (const { record, info } of parser) {
      yield { place: `line ${lines.firstOf(record, info.lines)}`, cells: record }
    }
  } finally {
    input.destroy()
    await file.close()
  }
}

async function* decoded(
  chunks: AsyncIterable<Buffer>,
  encoding: LedgerText.Encoding,
  hasSeparator: boolean,
): AsyncGenerator<string> {
  // Drops a byte order mark.
  const decoder = new TextDecoder(encoding)
  let isFirst = hasSeparator
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    yield isFirst ? (LedgerText.separatorOf(text)?.rest ?? text) : text
    isFirst = false
  }
  yield decoder.decode()
}

/** The parser counts the lines to the end of a row, and CR and LF in a quoted cell as one each. */
class LineCounter {
  #pairs: number

  /** `before` are lines that the parser has not seen. */
  constructor(before: number) {
    this.#pairs = -before
  }

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
