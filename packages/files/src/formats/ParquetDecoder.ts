/**
 * Reads the Parquet files that `ParquetEncoder` writes. Decimals and times are read as integers, never as floats. Of a Parquet
 * file a few bytes can stand for gigabytes, so that it is held to what the encoder makes before anything is unpacked.
 */
import * as Amount from "@transferkit/domain/Amount"
import * as JsonBounds from "@transferkit/domain/JsonBounds"
import * as Result from "effect/Result"
import { type AsyncBuffer, parquetReadObjects, type SchemaElement } from "hyparquet"
import { parquetHeader } from "hyparquet/src/column.js"
import * as ParquetFooter from "../internal/parquet/ParquetFooter.ts"
import * as ParquetShapes from "../internal/parquet/ParquetShapes.ts"
import { decimalBytes, rowGroupSize } from "../internal/parquet/ParquetSizes.ts"
import * as ThriftBounds from "../internal/parquet/ThriftBounds.ts"
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
  const elementOf = new Map(elements.map((element) => [element.name, element]))
  const cellColumns = columns.flatMap(({ name, kind }) => {
    const element = elementOf.get(name)
    return element === undefined ? [] : [{ element, isValue: kind === "amount" || kind === "timestamp" }]
  })
  const names = elements.map(({ name }) => name)
  const schema = withoutTypes(footer.schema)
  const unpacked = new Budget(file.byteLength)
  const text = new Budget(file.byteLength)
  let number = 0
  // A row group is decoded as a whole, whatever part of it is requested.
  for (let index = 0; index < footer.rowGroups; index++) {
    const group = attempt(() => footer.rowGroup(index))
    const expected = await checkPages(file, names, group, unpacked)
    const found = names.map(() => 0)
    const metadata = { version: 2, schema, num_rows: group.num_rows, row_groups: [group], metadata_length: 0 }
    const read = parquetReadObjects({ file, metadata })
    for (const row of await read.catch((error: Error) => reject(error.message))) {
      const place = `row ${++number}`
      const forms = formsOf(row[writtenColumn], place)
      let value = 0
      const cells = cellColumns.map(({ element, isValue }) =>
        textOf(row[element.name], element, isValue ? forms[value++] : undefined, place),
      )
      for (const [index, name] of names.entries()) {
        const cell = row[name]
        if (cell === undefined || cell === null) continue
        text.take(typeof cell === "string" ? cell.length : decimalBytes)
        found[index] = (found[index] ?? 0) + 1
      }
      yield cells
    }
    // The library leaves out what it cannot look up in a dictionary.
    if (found.some((count, index) => count !== expected[index])) reject("values are missing")
  }
  if (BigInt(number) !== footer.num_rows) {
    reject(`it has ${footer.num_rows} rows, and its row groups have ${number}`)
  }
}

// ---------------------------------------------------------------------------------------------------- bounds

const reject = (reason: string): never => {
  throw new Error(`it is not a Parquet file that transfers wrote, or it is damaged: ${reason}`)
}

const attempt = <A>(read: () => A): A => {
  try {
    return read()
  } catch (error) {
    return reject(error instanceof Error ? error.message : String(error))
  }
}

/** What a file may unpack to: far more than transfers do, far less than a bomb. */
class Budget {
  #left: number

  constructor(fileBytes: number) {
    this.#left = 64 * 1024 * 1024 + 200 * fileBytes
  }

  take(bytes: number): void {
    this.#left -= bytes
    if (this.#left < 0) reject("it would unpack to far more than transfers do")
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

/** Checks the headers of all pages. Returns how many values each column has. */
const checkPages = async (
  file: AsyncBuffer,
  names: ReadonlyArray<string>,
  group: ParquetFooter.RowGroup,
  unpacked: Budget,
): Promise<ReadonlyArray<number>> => {
  const present: Array<number> = []
  const rowCount = Number(group.num_rows)
  if (rowCount < 1 || rowCount > rowGroupSize) reject(`a row group should have up to ${rowGroupSize} rows`)
  for (const [index, { meta_data: chunk }] of group.columns.entries()) {
    if (chunk === undefined || chunk.path_in_schema[0] !== names[index]) {
      return reject("a column is missing in a row group")
    }
    if (chunk.codec !== "SNAPPY") reject(`it is compressed with ${chunk.codec}, not with SNAPPY`)
    const offset = chunk.dictionary_page_offset || chunk.data_page_offset
    const [from, to] = [Number(offset), Number(offset + chunk.total_compressed_size)]
    if (!(from >= 4 && to > from && to <= file.byteLength)) reject("a column lies outside of the file")
    const reader = { view: new DataView(await file.slice(from, to)), offset: 0 }
    let [values, nulls] = [0, 0]
    while (reader.offset < reader.view.byteLength) {
      const page = checkPage(reader, unpacked)
      values += page.num_values
      nulls += page.num_nulls
    }
    if (values !== rowCount) reject(`a column has ${values} of ${rowCount} values`)
    present.push(values - nulls)
  }
  return present
}

/** The encoder starts a page at each megabyte; only one value can be larger. */
const maxPageBytes = 64 * 1024 * 1024

/** Steps over a page. A dictionary has no rows. */
const checkPage = (
  reader: { readonly view: DataView; offset: number },
  unpacked: Budget,
): { readonly num_values: number; readonly num_nulls: number } => {
  const { type, uncompressed_page_size, compressed_page_size, dictionary_page_header, data_page_header_v2 } =
    headerOf(reader)
  const page =
    type === "DICTIONARY_PAGE" ? dictionary_page_header : type === "DATA_PAGE_V2" ? data_page_header_v2 : undefined
  if (page === undefined) return reject(`a page is of the type ${type}`)
  if (page.encoding !== "PLAIN" && page.encoding !== "RLE_DICTIONARY")
    reject(`a page has the encoding ${page.encoding}`)
  if (!isWithin(page.num_values, rowGroupSize)) reject(`a page has ${page.num_values} values`)
  const left = reader.view.byteLength - reader.offset
  if (!isWithin(compressed_page_size, left)) reject("a page has a wrong size")
  if (!isWithin(uncompressed_page_size, maxPageBytes)) reject(`a page is larger than ${maxPageBytes >> 20} MiB`)
  unpacked.take(uncompressed_page_size)
  reader.offset += compressed_page_size
  if (!("num_nulls" in page)) return { num_values: 0, num_nulls: 0 }
  const { num_nulls, num_values, definition_levels_byte_length, repetition_levels_byte_length } = page
  if (!isWithin(num_nulls, num_values) || repetition_levels_byte_length !== 0) reject("a page has wrong levels")
  if (!isWithin(definition_levels_byte_length, compressed_page_size)) reject("a page has wrong levels")
  return { num_values, num_nulls }
}

const headerOf = (reader: { readonly view: DataView; offset: number }): ReturnType<typeof parquetHeader> =>
  attempt(() => {
    ThriftBounds.check(reader.view, ParquetShapes.pageHeader, reader.offset)
    return parquetHeader(reader)
  })

const isWithin = (value: number, most: number): boolean => value >= 0 && value <= most

// ---------------------------------------------------------------------------------------------------- values

/** The library turns decimals into floats and times into `Date`s; without their types, they stay integers. */
const withoutTypes = (schema: ReadonlyArray<SchemaElement>): Array<SchemaElement> =>
  schema.map(({ converted_type, logical_type: _, ...element }) =>
    converted_type === "UTF8" ? { ...element, converted_type } : element,
  )

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

const textOf = (value: unknown, { name }: SchemaElement, form: unknown, place: string): string | undefined => {
  if (typeof value === "string") return value
  const rejectValue = (shown: string, reason = `but was written as ${JSON.stringify(form)?.slice(0, 64)}`) =>
    reject(`${place}: its column ${name} holds ${shown}, ${reason}`)
  if (typeof value === "bigint") {
    const text = WrittenForm.time(value, form)
    if (text !== undefined) return text
    const shown = `${value} microseconds since 1970`
    if (WrittenForm.isWithinYears(value)) return rejectValue(shown)
    return rejectValue(shown, "which is not within the years 0 to 9999 of UTC")
  }
  if (!(value instanceof Uint8Array)) return undefined
  const units = BigInt.asIntN(value.length * 8, BigInt(`0x${Buffer.from(value).toString("hex")}`))
  return WrittenForm.amount(units, form) ?? rejectValue(Amount.fromUnits(units, DecimalWidth.scale))
}
