/** Reads export files back, of any format, as the transfers that were written. */
import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { moneyFields, type Transfer } from "@transferkit/domain/Transfer"
import * as TransferPage from "@transferkit/domain/TransferPage"
import { parse } from "csv-parse"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { reasonOf } from "./AtomicFile.ts"
import { restoreFormula } from "./Escape.ts"
import type { ExportFormat } from "./ExportFormat.ts"
import { FileError } from "./Failure.ts"
import * as ParquetReader from "./ParquetReader.ts"
import * as TransferColumns from "./TransferColumns.ts"

/** What is known of a file before it is read. */
export interface Source {
  readonly path: string
  readonly format: ExportFormat
  readonly csvRaw: boolean
}

const batchSize = 500

/** The transfers of a file, in its order, some at a time. */
export const transfers = (source: Source): Stream.Stream<ReadonlyArray<Transfer>, FileError> => {
  const refuse = (error: unknown) => new FileError({ path: source.path, reason: reasonOf(error) })
  return Stream.fromAsyncIterable(wireTexts(source), refuse).pipe(
    Stream.grouped(batchSize),
    Stream.mapEffect((texts) => Effect.fromResult(Result.mapError(decode(texts), refuse))),
  )
}

const decode = (rows: ReadonlyArray<string>): Result.Result<ReadonlyArray<Transfer>, Error> =>
  Result.mapBoth(TransferPage.fromJson(`{"results":[${rows.join(",")}],"page_info":{"has_next_page":false}}`), {
    onSuccess: ({ results }) => results,
    onFailure: ({ pointer, expected, actual }) =>
      new Error(`it is not an export: the value at ${pointer} should be ${expected}, but is ${actual}`),
  })

/** Each transfer as JSON text. */
const wireTexts = (source: Source): AsyncIterable<string> => {
  switch (source.format) {
    case "ndjson":
    case "json":
      return jsonLines(source.path)
    case "csv":
      return csvRows(source)
    case "parquet":
      return parquetRows(source.path)
  }
}

/** In JSON exports, too, each transfer has a line of its own. */
async function* jsonLines(path: string): AsyncGenerator<string> {
  const file = await open(path)
  try {
    for await (const line of file.readLines()) {
      if (line.startsWith("{") && line !== `{"results":[`) yield line.endsWith(",") ? line.slice(0, -1) : line
    }
  } finally {
    await file.close()
  }
}

async function* csvRows(source: Source): AsyncGenerator<string> {
  const names = TransferColumns.flat.map((column) => column.name).join(",")
  const input = createReadStream(source.path)
  const parser = parse({ bom: true })
  input.on("error", (error) => parser.destroy(error)).pipe(parser)
  let isHeader = true
  for await (const cells of parser) {
    if (!isHeader) yield wireText(cells.map((cell: string) => (source.csvRaw ? cell : restoreFormula(cell))))
    else if (cells.join(",") !== names) throw new Error("it is not an export: its columns have other names")
    isHeader = false
  }
}

async function* parquetRows(path: string): AsyncGenerator<string> {
  for await (const cells of ParquetReader.rows(path)) yield wireText(cells)
}

/** The inverse of `TransferColumns.toCells`: empty cells are fields that were absent. */
const wireText = (cells: ReadonlyArray<string | undefined>): string => {
  const wire: Record<string, unknown> = {}
  TransferColumns.flat.forEach(({ name, kind }, index) => {
    const cell = cells[index]
    if (cell === undefined || cell === "") return
    if (kind === "json") Object.assign(wire, JSON.parse(cell))
    else wire[name] = cell
  })
  for (const field of moneyFields) {
    const amount = wire[`${field}_amount`]
    const currency_code = wire[`${field}_currency_code`]
    delete wire[`${field}_amount`]
    delete wire[`${field}_currency_code`]
    if (amount !== undefined) wire[field] = { amount, currency_code }
  }
  return JSON.stringify(wire)
}
