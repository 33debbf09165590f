/** Writes an export from its spool, in order of creation, so that the same transfers give the same bytes. */
import { createHash } from "node:crypto"
import { basename } from "node:path"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as ExportManifest from "../exports/ExportManifest.ts"
import { FileError, mapTo, reasonOf } from "../FileError.ts"
import type * as CsvDialect from "../formats/CsvDialect.ts"
import * as DecimalWidth from "../formats/DecimalWidth.ts"
import * as ParquetEncoder from "../formats/ParquetEncoder.ts"
import * as SqlTable from "../formats/SqlTable.ts"
import * as TransferColumns from "../formats/TransferColumns.ts"
import * as TransferEncoder from "../formats/TransferEncoder.ts"
import type { AmountForm, ExportFormat } from "../formats/TransferFormat.ts"
import * as Workbook from "../formats/Workbook.ts"
import * as AtomicFile from "./AtomicFile.ts"
import * as Spool from "./Spool.ts"
import * as TextFile from "./TextFile.ts"

/** What to write. */
export interface ExportOptions {
  readonly path: string
  readonly format: ExportFormat
  /** Whether CSV cells that look like formulas are not escaped. */
  readonly csvRaw: boolean
  readonly csvDialect?: CsvDialect.CsvDialect | undefined
  /** The columns of a CSV file or a workbook that has only some. */
  readonly columns?: ReadonlyArray<TransferColumns.TransferColumn> | undefined
  /** How Parquet holds amounts, by default as decimals: then one with too many digits fails the export. */
  readonly amounts?: AmountForm | undefined
  /** Whether to write a `CREATE TABLE` beside the file. */
  readonly createTable: boolean
  /** Whether an existing file may be replaced, by default. One that appeared meanwhile is not. */
  readonly replaces?: boolean | undefined
}

/** Fails if something else has the place of a file that is written beside an export. */
export const spare = Effect.fnUntraced(function* (options: Pick<ExportOptions, "path" | "format" | "createTable">) {
  const { path, format, createTable } = options
  yield* AtomicFile.spare(ExportManifest.pathOf(path), '{"transfers_export"')
  if (createTable && format !== "xlsx") yield* AtomicFile.spare(`${path}.sql`, "--Thetransfersof")
})

/** Writes a spool to a file, with its manifest beside it. For the holder of the file's lock. */
export const write = Effect.fn("ExportFile.write")(function* (spool: Spool.Spool, options: ExportOptions) {
  const {
    path,
    format,
    csvRaw,
    csvDialect = "rfc4180",
    columns,
    createTable,
    amounts = "decimal",
    replaces = true,
  } = options
  const [manifestPath, tablePath] = [ExportManifest.pathOf(path), `${path}.sql`]
  yield* Effect.forEach([path, manifestPath, tablePath], AtomicFile.removeLeftovers, { discard: true })
  const widths = createTable || format === "xlsx" ? yield* measure(spool) : new Map<string, never>()
  const hash = createHash("sha256")
  let bytes = 0
  const encode = (append: AtomicFile.Append) => {
    const put = (data: string | Uint8Array): Effect.Effect<void, FileError> => {
      const encoded = typeof data === "string" ? Buffer.from(data) : data
      hash.update(encoded)
      bytes += encoded.length
      return append(encoded)
    }
    if (format === "xlsx")
      return writeWorkbook(spool, Workbook.columnsOf(columns ?? TransferColumns.flat, widths), put, options)
    return format === "parquet"
      ? writeParquet(spool, options, put)
      : writeText(spool, TransferEncoder.make(format, { csvRaw, csvDialect, columns }), put)
  }
  // Nothing is put in place if what belongs beside it cannot be.
  yield* spare(options)
  yield* AtomicFile.write(path, encode, { replaces })
  const file = basename(path)
  const { filters, started_at, created_at, origin, only, unread, read, as_of, final } = spool.header
  const manifest = ExportManifest.seal({
    transfers_export: 2,
    file,
    format,
    ...(csvRaw ? { csv_raw: true } : {}),
    ...(csvDialect === "rfc4180" ? {} : { csv_dialect: csvDialect }),
    ...(columns === undefined ? {} : { columns: columns.map(({ name }) => name) }),
    filters,
    ...(origin && { origin }),
    // Of an unknown source nothing is claimed, though the spool says which times were read of it.
    ...(as_of === undefined
      ? {}
      : {
          created_at,
          ...(only && { only }),
          ...(unread && { unread }),
          ...(read && { read }),
          as_of,
          ...(final && { final }),
        }),
    started_at,
    transfers: Spool.count(spool),
    totals: ExportManifest.totalsOf(Spool.summary(spool)),
    bytes,
    sha256: hash.digest("hex"),
  })
  yield* AtomicFile.writeText(manifestPath, `${JSON.stringify(manifest, undefined, 2)}\n`)
  if (createTable && format !== "xlsx")
    yield* AtomicFile.writeText(tablePath, SqlTable.script({ file, format, widths, amounts }))
  return manifest
})

/** Reads the manifest of an export. */
export const readManifest = Effect.fnUntraced(function* (file: string) {
  const path = ExportManifest.pathOf(file)
  if (!(yield* TextFile.exists(file))) return yield* new FileError({ path: file, reason: "no such file" })
  if (!(yield* TextFile.exists(path))) {
    return yield* new FileError({
      path: file,
      reason: `there is no manifest beside it. transfers export writes one with each file, here ${path}; without it, nothing can be verified`,
    })
  }
  return yield* Effect.fromResult(
    Result.mapError(ExportManifest.parse(yield* TextFile.read(path)), (reason) => new FileError({ path, reason })),
  )
})

/** The manifest beside a file, if there is one. It speaks of that file only: one of another size is rejected. */
export const manifestBeside = Effect.fnUntraced(function* (file: string) {
  if (!(yield* TextFile.exists(ExportManifest.pathOf(file)))) return undefined
  const manifest = yield* readManifest(file)
  const files = yield* FileSystem.FileSystem
  const { size } = yield* mapTo(file)(files.stat(file))
  if (size === BigInt(manifest.bytes)) return manifest
  return yield* new FileError({
    path: file,
    reason: `it has ${size} bytes, and its manifest is of a file of ${manifest.bytes}: it was changed since it was exported. Export it again, or remove ${ExportManifest.pathOf(file)}`,
  })
})

const measure = (spool: Spool.Spool): Effect.Effect<DecimalWidth.DecimalWidths, FileError> =>
  Effect.suspend(() => {
    const widths = new Map<string, DecimalWidth.DecimalWidth>()
    const take = (rows: ReadonlyArray<TransferColumns.Cells>) => Effect.sync(() => DecimalWidth.widen(widths, rows))
    return Effect.as(Stream.runForEach(Spool.sortedCells(spool), take), widths)
  })

const writeText = Effect.fnUntraced(function* (
  spool: Spool.Spool,
  encoder: TransferEncoder.TransferEncoder,
  put: AtomicFile.Append,
) {
  const { ofTexts, ofCells } = encoder
  let isFirst = true
  const putNext = (text: string) => {
    isFirst = false
    return put(text)
  }
  yield* put(encoder.open)
  yield* ofCells !== undefined
    ? Stream.runForEach(Spool.sortedCells(spool), (rows) => putNext(ofCells(rows)))
    : ofTexts !== undefined
      ? Stream.runForEach(Spool.sortedTexts(spool), (texts) => putNext(ofTexts(texts, isFirst)))
      : Stream.runForEach(Spool.sorted(spool), (batch) => putNext(encoder.batch(batch, isFirst)))
  yield* put(encoder.close)
})

const writeParquet = Effect.fnUntraced(function* (
  spool: Spool.Spool,
  { path, amounts }: ExportOptions,
  put: AtomicFile.Append,
) {
  const encoder = new ParquetEncoder.ParquetEncoder({ amounts })
  const encode = (rows: ReadonlyArray<TransferColumns.Cells>) =>
    Effect.try({
      try: () => encoder.addCells(rows),
      catch: (error) => new FileError({ path, reason: reasonOf(error) }),
    })
  yield* Stream.runForEach(Spool.sortedCells(spool), (rows) => Effect.flatMap(encode(rows), put))
  yield* put(encoder.close())
})

const writeWorkbook = (
  spool: Spool.Spool,
  sheet: ReadonlyArray<Workbook.SheetColumn>,
  put: AtomicFile.Append,
  { path, columns = TransferColumns.flat }: ExportOptions,
) => {
  const choose = TransferColumns.choose(columns)
  const rows = Stream.map(Spool.sortedCells(spool), (batch) => batch.map(choose))
  return Stream.runForEach(Workbook.bytes([{ name: "Transfers", columns: sheet, rows }], path), put)
}
