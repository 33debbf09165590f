/** Reads export files back, of any format, as the transfers that were written. */
import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { moneyFields, type Transfer } from "@transferkit/domain/Transfer"
import * as TransferPage from "@transferkit/domain/TransferPage"
import { parse } from "csv-parse"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { FileError } from "../FileError.ts"
import * as Csv from "../formats/Csv.ts"
import * as ParquetDecoder from "../formats/ParquetDecoder.ts"
import * as TransferColumns from "../formats/TransferColumns.ts"
import type { TransferFormat } from "../formats/TransferFormat.ts"
import { fileLines } from "./FileLines.ts"

/** What is known of a file before it is read. */
export interface Source {
  readonly path: string
  readonly format: TransferFormat
  readonly csvRaw: boolean
}

const batchSize = 500

/** The transfers of a file, in its order, some at a time. */
export const transfers = (source: Source): Stream.Stream<ReadonlyArray<Transfer>, FileError> =>
  Stream.fromAsyncIterable(batches(source), (error) => refusal(source, error))

/** The same, for who reads two files in step. It throws what {@link refusal} makes an error of. */
export async function* batches(source: Source): AsyncGenerator<ReadonlyArray<Transfer>> {
  let texts: Array<string> = []
  for await (const text of wireTexts(source)) {
    texts.push(text)
    if (texts.length < batchSize) continue
    yield decode(texts)
    texts = []
  }
  yield decode(texts)
}

/** Why a file cannot be read as an export. */
export const refusal = (source: Source, error: unknown): FileError =>
  error instanceof FileError ? error : new FileError({ path: source.path, reason: Csv.reasonOfError(error) })

const decode = (rows: ReadonlyArray<string>): ReadonlyArray<Transfer> => {
  const page = TransferPage.fromJson(`{"results":[${rows.join(",")}],"page_info":{"has_next_page":false}}`)
  if (Result.isSuccess(page)) return page.success.results
  const { pointer, expected, actual } = page.failure
  throw new Error(`it is not an export: the value at ${pointer} should be ${expected}, but is ${actual}`)
}

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
    for (const { text } of fileLines(file.fd, { unfinished: true })) {
      const line = text.trim()
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
    if (!isHeader) yield wireText(cells.map((cell: string) => (source.csvRaw ? cell : Csv.restoreFormula(cell))))
    else if (cells.join(",") !== names) throw new Error("it is not an export: its columns have other names")
    isHeader = false
  }
}

async function* parquetRows(path: string): AsyncGenerator<string> {
  for await (const cells of ParquetDecoder.rows(path)) yield wireText(cells)
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
