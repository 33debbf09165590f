/** Reads a ledger from a CSV file of any encoding, delimiter and way to write amounts. */
import { open } from "node:fs/promises"
import { Readable } from "node:stream"
import type { LedgerEntry } from "@transferkit/domain/Reconciliation"
import { parse } from "csv-parse"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { FileError } from "../FileError.ts"
import * as Csv from "../formats/Csv.ts"
import * as Ledger from "../ledgers/Ledger.ts"
import * as LedgerText from "../ledgers/LedgerText.ts"

/** How a ledger file is written. What is absent is detected. */
export interface LedgerFileOptions extends Ledger.LedgerOptions {
  readonly delimiter: string | undefined
  readonly encoding: LedgerText.Encoding | undefined
}

/** A ledger, and how it was read. */
export interface LedgerFile {
  readonly entries: ReadonlyArray<LedgerEntry>
  readonly reading: Ledger.Reading
}

/** The longest row, in bytes. It bounds the memory that an unclosed quote takes. */
export const maxRowBytes = 1024 * 1024

const headBytes = 64 * 1024

/** Reads a ledger. `placeOf` names a line for people. Fails at the first row that cannot be read, and says what to try. */
export const read = (
  path: string,
  options: LedgerFileOptions,
  placeOf = (line: number) => `line ${line}`,
): Effect.Effect<LedgerFile, FileError> =>
  Effect.tryPromise({
    try: async () => {
      const { head, encoding } = await inspect(path, options)
      const text = new TextDecoder(encoding).decode(head, { stream: true })
      const separator = LedgerText.separatorOf(text)
      const delimiter =
        options.delimiter ?? separator?.delimiter ?? LedgerText.likelyDelimiter(text.replace(/^[\r\n]+/, ""))
      if (delimiter === undefined) {
        throw new Error("its header has as many of one delimiter as of another. Name it with --delimiter")
      }
      const { header, columns, rows } = await readRows(path, encoding, { delimiter, separator, options, placeOf })
      if (rows.length === 0)
        throw new Error("it has a header, but no rows. If that is meant, there is nothing to match")
      const orThrow = Result.getOrThrowWith((reason: string) => new Error(reason))
      const decimal = orThrow(Ledger.decimalOf(rows, options))
      const entries = rows.map((row) => orThrow(Ledger.toEntry(row, decimal, options)))
      const found = Ledger.parts.flatMap((part) => {
        const index = columns[part]
        return index === undefined ? [] : [[part, header[index]?.trim() ?? ""] as const]
      })
      const reading: Ledger.Reading = {
        file: path,
        rows: rows.length,
        encoding,
        delimiter,
        columns: Object.fromEntries(found),
        decimal,
        detected: [
          ...(options.encoding === undefined ? (["encoding"] as const) : []),
          ...(options.delimiter === undefined ? (["delimiter"] as const) : []),
          ...(options.decimal === undefined ? (["decimal"] as const) : []),
          ...found.flatMap(([part]) => (options.columns[part] === undefined ? [part] : [])),
        ],
      }
      return { entries, reading }
    },
    catch: (error) => new FileError({ path, reason: Csv.reasonOf(error) }),
  })

/** The beginning of a file and its encoding. Reads all of it if only its bytes can tell. */
const inspect = async (
  path: string,
  options: LedgerFileOptions,
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

interface Layout {
  readonly delimiter: string
  readonly separator: ReturnType<typeof LedgerText.separatorOf>
  readonly options: LedgerFileOptions
  readonly placeOf: (line: number) => string
}

const readRows = async (path: string, encoding: LedgerText.Encoding, layout: Layout) => {
  const { delimiter, separator, options, placeOf } = layout
  const parser = parse({
    delimiter,
    info: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: maxRowBytes,
  })
  const file = await open(path)
  const input = Readable.from(decoded(file.createReadStream(), encoding, separator !== undefined))
  input.on("error", (error) => parser.destroy(error)).pipe(parser)
  const rows: Array<Ledger.Row> = []
  let header: ReadonlyArray<string> = []
  let columns: Ledger.Columns | undefined
  const lines = new LineCounter(separator === undefined ? 0 : 1)
  for await (const { record, info } of parser) {
    const line = lines.firstOf(record, info.lines)
    if (columns === undefined) {
      header = record
      columns = Result.getOrThrowWith(Ledger.findColumns(record, options), (reason) => new Error(reason))
    } else {
      const { key, amount, currency, status } = columns
      const cell = (index: number | undefined): string | undefined => (index === undefined ? undefined : record[index])
      rows.push({
        place: placeOf(line),
        key: cell(key),
        amount: cell(amount),
        currency: cell(currency),
        status: cell(status),
      })
    }
  }
  if (columns === undefined) throw new Error("it is empty: its first row should name the columns")
  return { header, columns, rows }
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
