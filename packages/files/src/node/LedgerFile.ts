/** Reads a ledger from a CSV file. */
import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import type { LedgerEntry } from "@transferkit/domain/Reconciliation"
import { parse } from "csv-parse"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { FileError } from "../FileError.ts"
import * as Csv from "../formats/Csv.ts"
import * as Ledger from "../formats/Ledger.ts"

/** How a ledger file is written. */
export interface LedgerFileOptions extends Ledger.LedgerOptions {
  /** Detected if absent. */
  readonly delimiter: string | undefined
}

/** All entries of a ledger, or the fault of its first bad row. */
export const read = (path: string, options: LedgerFileOptions): Effect.Effect<ReadonlyArray<LedgerEntry>, FileError> =>
  Effect.tryPromise({
    try: async () => {
      const input = createReadStream(path)
      const delimiter = options.delimiter ?? (await detectDelimiter(path))
      const parser = parse({
        bom: true,
        delimiter,
        info: true,
        relax_column_count: false,
        skip_empty_lines: true,
        max_record_size: 1024 * 1024,
      })
      input.on("error", (error) => parser.destroy(error)).pipe(parser)
      const entries: Array<LedgerEntry> = []
      let columns: Ledger.Columns | undefined
      for await (const { record, info } of parser) {
        if (columns === undefined) columns = Result.getOrThrow(Ledger.findColumns(record, options))
        else
          entries.push(
            Result.getOrThrow(Ledger.toEntry(record, columns, options, `line ${info.lines - breaksIn(record)}`)),
          )
      }
      if (columns === undefined) throw new Error("it is empty: its first row should name the columns")
      return entries
    },
    catch: (error) => new FileError({ path, reason: Csv.reasonOf(error) }),
  })

/** A row with line breaks in its cells ends further down than it begins; the parser counts CR and LF as one each. */
const breaksIn = (record: ReadonlyArray<string>): number => record.join("").match(/[\r\n]/g)?.length ?? 0

const headerBytes = 64 * 1024

const detectDelimiter = async (path: string): Promise<string> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0)
    return Ledger.likelyDelimiter(buffer.toString("utf8", 0, bytesRead))
  } finally {
    await file.close()
  }
}
