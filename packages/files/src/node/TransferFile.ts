/** Reads transfer files of any format. */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { open, stat } from "node:fs/promises"
import { Readable } from "node:stream"
import { setImmediate } from "node:timers/promises"
import { moneyFields, type Transfer } from "@transferkit/domain/Transfer"
import { parse } from "csv-parse"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { asyncBufferFromFile } from "hyparquet"
import { FileError, reasonOf } from "../FileError.ts"
import * as Csv from "../formats/Csv.ts"
import * as CsvDialect from "../formats/CsvDialect.ts"
import * as CsvRows from "../formats/CsvRows.ts"
import * as ParquetDecoder from "../formats/ParquetDecoder.ts"
import * as RepeatedNames from "../formats/RepeatedNames.ts"
import * as TransferColumns from "../formats/TransferColumns.ts"
import * as TransferDecoder from "../formats/TransferDecoder.ts"
import type { TransferFormat } from "../formats/TransferFormat.ts"
import { fileLines, maxLineBytes } from "./FileLines.ts"

/** A file and how it is written. */
export interface Source {
  readonly path: string
  readonly format: TransferFormat
  /** How the cells of a CSV file were written. Without it, a cell that can be read in two ways is an error. */
  readonly csvCells?: CsvDialect.CellForm | undefined
  /** @default the one by whose delimiter the first line has the names of columns */
  readonly csvDialect?: CsvDialect.CsvDialect | undefined
}

/** The size of a file and its SHA-256. */
export interface Fingerprint {
  readonly bytes: number
  readonly sha256: string
}

const batchSize = 50

/** The transfers of a file, in its order, in batches. */
export const transfers = (source: Source): Stream.Stream<ReadonlyArray<Transfer>, FileError> =>
  Stream.suspend(() => Stream.fromAsyncIterable(batches(source), (error) => errorOf(source, error)))

/** The same batches, to read two files in step. Throws a {@link FileError}. */
export async function* batches(source: Source): AsyncGenerator<ReadonlyArray<Transfer>> {
  try {
    for await (const rows of rowsOf(source)) {
      yield decode(rows)
      // What is read at once, or from a cache, would let no signal and no other call through before its end.
      await setImmediate()
    }
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
  error instanceof FileError ? error : new FileError({ path, reason: CsvRows.reasonOf(error) })

/** A transfer as JSON text, and its place in the file. */
interface Row {
  readonly text: string
  readonly place: string
  /** The line that is this text, if the file holds it. */
  readonly line?: number
}

const decode = (rows: ReadonlyArray<Row>): ReadonlyArray<Transfer> => {
  const decoded = TransferDecoder.fromJsonTexts(
    rows.map(({ text }) => text),
    (index) => rows[index]?.place ?? "",
  )
  const transfers = Result.getOrThrowWith(decoded, ({ message }) => new Error(`it is not an export: ${message}`))
  transfers.forEach((transfer, index) => {
    const row = rows[index]
    const repeat = row?.line === undefined ? undefined : RepeatedNames.find(row.text, transfer, row.line)
    if (repeat !== undefined) throw new Error(repeat)
  })
  return transfers
}

const rowsOf = (source: Source): AsyncIterable<ReadonlyArray<Row>> => {
  switch (source.format) {
    case "ndjson":
      return textRows(source.path, TransferDecoder.ndjsonLines())
    case "json":
      return textRows(source.path, TransferDecoder.jsonLines())
    case "csv":
      return batched(csvRows(source))
    case "parquet":
      return batched(parquetRows(source.path))
  }
}

async function* batched(rows: AsyncIterable<Row>): AsyncGenerator<ReadonlyArray<Row>> {
  let batch: Array<Row> = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  yield batch
}

/** In batches at once: a promise for each line would take as long as to read it. */
async function* textRows(path: string, reader: TransferDecoder.LineReader): AsyncGenerator<ReadonlyArray<Row>> {
  const file = await open(path)
  let batch: Array<Row> = []
  try {
    for (const { text: line, number } of fileLines(file.fd, { unfinished: true })) {
      const text = reader.line(line, number)
      if (text !== undefined) batch.push({ text, place: `line ${number}`, line: number })
      if (batch.length < batchSize) continue
      yield batch
      batch = []
    }
    reader.end()
    yield batch
  } finally {
    await file.close()
  }
}

async function* csvRows(source: Source): AsyncGenerator<Row> {
  const { csvCells } = source
  const { delimiter, comma } = CsvDialect.forms[source.csvDialect ?? (await dialectOf(source.path))]
  const mayHaveEmptyTexts = await hasTwoQuotes(source.path)
  const input = Readable.from(utf8(createReadStream(source.path)))
  let columns: Columns = []
  // We quote no header. Another program has quoted every cell, also of those that are absent.
  let quotesAll = false
  const parser = parse({
    bom: true,
    delimiter,
    max_record_size: maxLineBytes,
    // To say which cells are quoted takes the parser half as long again.
    ...(mayHaveEmptyTexts
      ? {
          cast: (cell, { quoting }) => {
            if (columns.length === 0) quotesAll ||= quoting
            else if (cell === "" && (quotesAll || !quoting)) return undefined
            return cell
          },
        }
      : {}),
    // Checked as it is read: with another delimiter, the rows below seem to have too many cells.
    on_record: (cells: Array<string>): Array<string> | null => {
      if (columns.length > 0) return cells
      columns = columnsOf(cells)
      return null
    },
  })
  input.on("error", (error) => parser.destroy(error)).pipe(parser)
  let number = 0
  for await (const cells of parser) {
    const place = `row ${++number}`
    const given: CsvCells = cells
    const restored = given.map((cell, index) => {
      if (cell === undefined || csvCells === "raw") return cell
      if (csvCells !== undefined) return Csv.restoreFormula(cell, CsvDialect.forms[csvCells].delimiter)
      if (Csv.isAmbiguous(cell)) throw new Error(ambiguous(place, columns[index]))
      return cell
    })
    const written = comma ? withPoints(restored, columns) : restored
    const present = written.map(mayHaveEmptyTexts ? presentIn(columns) : (cell) => cell || undefined)
    yield { text: textOfCells(present, columns, place), place }
  }
}

const ambiguous = (place: string, column: TransferColumns.TransferColumn | undefined): string =>
  `${place}: an apostrophe in its column ${column?.name} is of the transfer itself, or was put there so that no spreadsheet runs a formula. Without a manifest beside the file, say how it was exported: --exported-as raw if with --csv-raw, else its --csv-dialect, which is rfc4180 if none was given`

const quote = 0x22

/** Whether a file has two quotes in a row, as an empty text has. What is no file can be read only once. */
const hasTwoQuotes = async (path: string): Promise<boolean> => {
  if (!(await stat(path)).isFile()) return true
  let last: number | undefined
  for await (const chunk of createReadStream(path, { highWaterMark: headBytes })) {
    const bytes: Buffer = chunk
    if (bytes.includes('""') || (last === quote && bytes[0] === quote)) return true
    last = bytes.at(-1)
  }
  return false
}

/** The chunks as they are. Throws at the first that is not UTF-8. */
async function* utf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  const check = (chunk?: Buffer): void => {
    const decoded = Result.try(() => decoder.decode(chunk, { stream: chunk !== undefined }))
    if (Result.isFailure(decoded)) throw new Error("it is not UTF-8: it is damaged, or was saved in another encoding")
  }
  for await (const chunk of chunks) {
    check(chunk)
    yield chunk
  }
  check()
}

const headBytes = 64 * 1024

/** The columns that the first line of a CSV file names. */
export const columns = ({
  path,
  csvDialect = "rfc4180",
}: Pick<Source, "path" | "csvDialect">): Effect.Effect<ReadonlyArray<string>, FileError> =>
  Effect.tryPromise({
    try: async () => (await firstLine(path)).split(CsvDialect.forms[csvDialect].delimiter),
    catch: (error) => new FileError({ path, reason: reasonOf(error) }),
  })

/** The dialect by whose delimiter the first line names the columns of an export. */
const dialectOf = async (path: string): Promise<CsvDialect.CsvDialect> => {
  const line = await firstLine(path)
  const isOf = (dialect: CsvDialect.CsvDialect) =>
    Result.isSuccess(TransferColumns.ofNames(line.split(CsvDialect.forms[dialect].delimiter)))
  return (["excel-de", "tsv"] as const).find(isOf) ?? "rfc4180"
}

const firstLine = async (path: string): Promise<string> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    const [line = ""] = buffer
      .toString("utf8", 0, bytesRead)
      .replace(/^\ufeff/, "")
      .split(/[\r\n]/, 1)
    return line
  } finally {
    await file.close()
  }
}

type Columns = ReadonlyArray<TransferColumns.TransferColumn>

/** Cells of CSV: one that is empty without quotes is undefined. */
type CsvCells = ReadonlyArray<string | undefined>

const withPoints = (cells: CsvCells, columns: Columns): CsvCells =>
  cells.map((cell, index) => (columns[index]?.kind === "amount" ? cell?.replace(",", ".") : cell))

/** Only a text of its own may be empty, and not that of an amount, an instant or JSON. */
const presentIn =
  (columns: Columns) =>
  (cell: string | undefined, index: number): string | undefined => {
    const { kind, field } = columns[index] ?? {}
    return cell === "" && (kind !== "text" || moneyFields.some((money) => money === field)) ? undefined : cell
  }

const columnsOf = (names: ReadonlyArray<string>): Columns =>
  Result.getOrThrowWith(TransferColumns.ofNames(names), (reason) => new Error(reason))

const textOfCells = (cells: ReadonlyArray<string | undefined>, columns: Columns, place: string): string =>
  Result.getOrThrowWith(
    Result.try(() => TransferDecoder.jsonTextOfCells(cells, columns)),
    (error) => new Error(`it is not an export: ${place}: ${reasonOf(error)}`),
  )

async function* parquetRows(path: string): AsyncGenerator<Row> {
  const { columns, rows } = await ParquetDecoder.open(await asyncBufferFromFile(path))
  let number = 0
  for await (const cells of rows()) {
    const place = `row ${++number}`
    yield { text: textOfCells(cells, columns, place), place }
  }
}
