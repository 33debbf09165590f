/** Reads transfer files of any format. */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import type { Transfer } from "@transferkit/domain/Transfer"
import { parse } from "csv-parse"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { asyncBufferFromFile } from "hyparquet"
import { FileError, reasonOf } from "../FileError.ts"
import * as Csv from "../formats/Csv.ts"
import * as ParquetDecoder from "../formats/ParquetDecoder.ts"
import * as TransferColumns from "../formats/TransferColumns.ts"
import * as TransferDecoder from "../formats/TransferDecoder.ts"
import type { TransferFormat } from "../formats/TransferFormat.ts"
import { fileLines } from "./FileLines.ts"

/** A file and how it is written. */
export interface Source {
  readonly path: string
  readonly format: TransferFormat
  /** Whether cells that look like formulas were left as they are. */
  readonly csvRaw: boolean
}

/** The size of a file and its SHA-256. */
export interface Fingerprint {
  readonly bytes: number
  readonly sha256: string
}

const batchSize = 500

/** The transfers of a file, in its order, in batches. */
export const transfers = (source: Source): Stream.Stream<ReadonlyArray<Transfer>, FileError> =>
  Stream.fromAsyncIterable(batches(source), (error) => errorOf(source, error))

/** The same batches, to read two files in step. Throws a {@link FileError}. */
export async function* batches(source: Source): AsyncGenerator<ReadonlyArray<Transfer>> {
  try {
    let texts: Array<string> = []
    for await (const text of jsonTexts(source)) {
      texts.push(text)
      if (texts.length < batchSize) continue
      yield decode(texts)
      texts = []
    }
    yield decode(texts)
  } catch (error) {
    throw errorOf(source, error)
  }
}

/** Reads all of a file for its fingerprint. */
export const fingerprint = (path: string): Effect.Effect<Fingerprint, FileError> =>
  Effect.tryPromise({
    try: async () => {
      const hash = createHash("sha256")
      let bytes = 0
      for await (const chunk of createReadStream(path)) {
        hash.update(chunk)
        bytes += chunk.length
      }
      return { bytes, sha256: hash.digest("hex") }
    },
    catch: (error) => new FileError({ path, reason: reasonOf(error) }),
  })

const errorOf = ({ path }: Source, error: unknown): FileError =>
  error instanceof FileError ? error : new FileError({ path, reason: Csv.reasonOf(error) })

const decode = (texts: ReadonlyArray<string>): ReadonlyArray<Transfer> =>
  Result.getOrThrowWith(
    TransferDecoder.fromJsonTexts(texts),
    ({ message }) => new Error(`it is not an export: ${message}`),
  )

/** Each transfer as JSON text. */
const jsonTexts = (source: Source): AsyncIterable<string> => {
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

async function* jsonLines(path: string): AsyncGenerator<string> {
  const file = await open(path)
  try {
    for (const line of fileLines(file.fd, { unfinished: true })) {
      const text = TransferDecoder.jsonTextOfLine(line.text)
      if (text !== undefined) yield text
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
    if (!isHeader) {
      yield TransferDecoder.jsonTextOfCells(
        cells.map((cell: string) => (source.csvRaw ? cell : Csv.restoreFormula(cell))),
      )
    } else if (cells.join(",") !== names) throw new Error("it is not an export: its columns have other names")
    isHeader = false
  }
}

async function* parquetRows(path: string): AsyncGenerator<string> {
  for await (const cells of ParquetDecoder.rows(await asyncBufferFromFile(path))) {
    yield TransferDecoder.jsonTextOfCells(cells)
  }
}
