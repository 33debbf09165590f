/** CSV files of any encoding and delimiter as tables. */
import { Readable } from "node:stream"
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
  return {
    facts: { format: "csv", encoding, delimiter },
    detected: [
      ...(options.encoding === undefined ? (["encoding"] as const) : []),
      ...(options.delimiter === undefined ? (["delimiter"] as const) : []),
    ],
    rows: () => rowsOf(path, encoding, delimiter, separator !== undefined),
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
  const input = Readable.from(
    hasSeparator ? withoutSeparator(LedgerBytes.text(path, encoding)) : LedgerBytes.text(path, encoding),
  )
  input.on("error", (error) => parser.destroy(error)).pipe(parser)
  const lines = new Csv.LineCounter(hasSeparator ? 1 : 0)
  try {
    for await (const { record, info } of parser) {
      yield { place: `line ${lines.firstOf(record, info.lines)}`, cells: record }
    }
  } finally {
    input.destroy()
  }
}

/** The line `sep=;` is in the first chunk. */
async function* withoutSeparator(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true
  for await (const text of chunks) {
    yield isFirst ? (LedgerText.separatorOf(text)?.rest ?? text) : text
    isFirst = false
  }
}
