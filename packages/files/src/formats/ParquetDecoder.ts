/**
 * Reads the Parquet files that `ParquetEncoder` writes. Decimals and times are read as integers, never as floats. Of a Parquet
 * file a few bytes can stand for gigabytes, so that it is held to what the encoder makes before anything is unpacked.
 */
import * as Amount from "@transferkit/domain/Amount"
import * as JsonBounds from "@transferkit/domain/JsonBounds"
import * as Result from "effect/Result"
import type { AsyncBuffer, SchemaElement } from "hyparquet"
import * as ParquetFooter from "../internal/parquet/ParquetFooter.ts"
import * as ParquetPages from "../internal/parquet/ParquetPages.ts"
import { decimalBytes, rowGroupSize } from "../internal/parquet/ParquetSizes.ts"
import { UnpackBudget } from "../internal/parquet/UnpackBudget.ts"
import * as DecimalWidth from "./DecimalWidth.ts"
import { writtenColumn } from "./ParquetEncoder.ts"
import * as TransferColumns from "./TransferColumns.ts"
import * as WrittenForm from "./WrittenForm.ts"

/** A file whose schema is good. */
export interface ParquetFile {
  /** In the order of the file. */
  readonly columns: ReadonlyArray<TransferColumns.TransferColumn>
  /** The cells of each row, in the order of the columns. */
  readonly rows: () => AsyncGenerator<ReadonlyArray<string | undefined>>
}

/** Opens a file. Its schema names its columns, and what it holds is read by that alone. */
export const open = async (file: AsyncBuffer): Promise<ParquetFile> => {
  const footer = await readFooter(file)
  const columns = columnsOf(footer.schema)
  return { columns, rows: () => rowsOf(file, footer, columns) }
}

async function* rowsOf(
  file: AsyncBuffer,
  footer: ParquetFooter.ParquetFooter,
  columns: ReadonlyArray<TransferColumns.TransferColumn>,
): AsyncGenerator<ReadonlyArray<string | undefined>> {
  const elements = footer.schema.slice(1)
  const kinds = new Map(columns.map(({ name, kind }) => [name, kind]))
  const isValue = elements.map(({ name }) => kinds.get(name) === "amount" || kinds.get(name) === "timestamp")
  const written = elements.findIndex(({ name }) => name === writtenColumn)
  const unpacked = new UnpackBudget(file.byteLength)
  const text = new UnpackBudget(file.byteLength)
  let number = 0
  for (let index = 0; index < footer.rowGroups; index++) {
    const group = attempt(() => footer.rowGroup(index))
    const values = await valuesOf(file, elements, group, unpacked)
    for (let row = 0; row < Number(group.num_rows); row++) {
      const place = `row ${++number}`
      const cells = values.map((column) => column[row])
      attempt(() => text.take(cells.reduce(sizeWith, 0)))
      const forms = formsOf(cells[written], place)
      let value = 0
      yield elements.flatMap((element, column) => {
        if (column === written) return []
        return [textOf(cells[column], element, isValue[column] ? forms[value++] : undefined, place)]
      })
    }
  }
  if (BigInt(number) !== footer.num_rows) {
    reject(`it has ${footer.num_rows} rows, and its row groups have ${number}`)
  }
}

const sizeWith = (sum: number, value: ParquetPages.Value): number =>
  sum + (typeof value === "string" ? value.length : value === undefined ? 0 : decimalBytes)

// ---------------------------------------------------------------------------------------------------- bounds

const reject = (reason: string): never => {
  throw new Error(`it is not a Parquet file that transfers wrote, or it is damaged: ${reason}`)
}

const attempt = <A>(read: () => A): A => {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return reject("a part of it ends too early")
    return reject(error instanceof Error ? error.message : String(error))
  }
}

const maxFooterBytes = 256 * 1024 * 1024
const magic = 0x31524150

const readFooter = async (file: AsyncBuffer): Promise<ParquetFooter.ParquetFooter> => {
  const { byteLength } = file
  if (byteLength < 12) reject("it is too short")
  const end = new DataView(await file.slice(byteLength - 8, byteLength))
  const footerBytes = end.getUint32(0, true)
  if (end.getUint32(4, true) !== magic) reject("its end is missing")
  if (footerBytes > Math.min(maxFooterBytes, byteLength - 12)) reject("its footer is too long")
  const footer = new Uint8Array(await file.slice(byteLength - 8 - footerBytes, byteLength - 8))
  return attempt(() => ParquetFooter.read(footer))
}

/** The columns of a schema, whose types have to be those that the encoder writes. */
const columnsOf = ([, ...elements]: ReadonlyArray<SchemaElement>): ReadonlyArray<TransferColumns.TransferColumn> => {
  const names = elements.map(({ name }) => name)
  const columns = Result.getOrThrowWith(
    TransferColumns.ofNames(names.filter((name) => name !== writtenColumn)),
    (reason) => new Error(reason),
  )
  if (names.filter((name) => name === writtenColumn).length !== 1) reject(`it should have one column ${writtenColumn}`)
  const kinds = new Map(columns.map(({ name, kind }) => [name, kind]))
  for (const element of elements) {
    const { name } = element
    if (element.repetition_type !== "OPTIONAL") reject(`its column ${name} should be optional`)
    if (!hasType(element, kinds.get(name))) reject(`its column ${name} has another type`)
  }
  return columns
}

const hasType = (element: SchemaElement, kind: TransferColumns.TransferColumn["kind"] | undefined): boolean => {
  if (element.type === "BYTE_ARRAY" && element.converted_type === "UTF8") return true
  const { type, type_length, converted_type, logical_type, scale } = element
  if (kind === "timestamp" && type === "INT64" && logical_type?.type === "TIMESTAMP") {
    return logical_type.isAdjustedToUTC && logical_type.unit === "MICROS"
  }
  const isDecimal = type === "FIXED_LEN_BYTE_ARRAY" && type_length === decimalBytes && converted_type === "DECIMAL"
  return kind === "amount" && isDecimal && scale === DecimalWidth.scale
}

/** The values of each column of a row group. */
const valuesOf = async (
  file: AsyncBuffer,
  elements: ReadonlyArray<SchemaElement>,
  group: ParquetFooter.RowGroup,
  unpacked: UnpackBudget,
): Promise<ReadonlyArray<ReadonlyArray<ParquetPages.Value>>> => {
  const values: Array<ReadonlyArray<ParquetPages.Value>> = []
  const rowCount = Number(group.num_rows)
  if (rowCount < 1 || rowCount > rowGroupSize) reject(`a row group should have up to ${rowGroupSize} rows`)
  for (const [index, element] of elements.entries()) {
    const chunk = group.columns[index]?.meta_data
    if (chunk === undefined || chunk.path_in_schema[0] !== element.name) {
      return reject("a column is missing in a row group")
    }
    if (chunk.type !== element.type) {
      reject(`its column ${element.name} has the type ${chunk.type} in a row group, and ${element.type} in the schema`)
    }
    if (chunk.codec !== "SNAPPY") reject(`it is compressed with ${chunk.codec}, not with SNAPPY`)
    const offset = chunk.dictionary_page_offset || chunk.data_page_offset
    const [from, to] = [Number(offset), Number(offset + chunk.total_compressed_size)]
    if (!(from >= 4 && to > from && to <= file.byteLength)) reject("a column lies outside of the file")
    const bytes = new Uint8Array(await file.slice(from, to))
    values.push(attempt(() => ParquetPages.read(bytes, element, rowCount, unpacked)))
  }
  return values
}

// ---------------------------------------------------------------------------------------------------- values

/** How the values of a row were written, in the order that the columns of amounts and times have in the file. */
const formsOf = (written: unknown, place: string): ReadonlyArray<unknown> => {
  try {
    const text = String(written)
    const forms: unknown = JsonBounds.isExceeded(text) ? undefined : JSON.parse(text)
    if (Array.isArray(forms)) return forms
  } catch {
    // Rejected below.
  }
  return reject(`${place}: its column ${writtenColumn} holds no JSON array`)
}

const textOf = (
  value: ParquetPages.Value,
  { name, type }: SchemaElement,
  form: unknown,
  place: string,
): string | undefined => {
  if (value === undefined && form !== undefined && form !== null) {
    return reject(`${place}: its column ${name} holds nothing, but was written as ${JSON.stringify(form).slice(0, 64)}`)
  }
  if (typeof value !== "bigint") return value
  const isTime = type === "INT64"
  const text = isTime ? WrittenForm.time(value, form) : WrittenForm.amount(value, form)
  if (text !== undefined) return text
  const shown = isTime ? `${value} microseconds since 1970` : Amount.fromUnits(value, DecimalWidth.scale)
  const reason =
    isTime && !WrittenForm.isWithinYears(value)
      ? "which is not within the years 0 to 9999 of UTC"
      : `but was written as ${JSON.stringify(form)?.slice(0, 64)}`
  return reject(`${place}: its column ${name} holds ${shown}, ${reason}`)
}
