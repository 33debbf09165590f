/**
 * Reads the Parquet files that `ParquetEncoder` writes. Decimals are read as integers, never as floats. Of a Parquet
 * file a few bytes can stand for gigabytes, so that it is held to what the encoder makes before anything is unpacked.
 */
import * as Amount from "@transferkit/domain/Amount"
import { type AsyncBuffer, type FileMetaData, parquetMetadata, parquetReadObjects, type SchemaElement } from "hyparquet"
import { parquetHeader } from "hyparquet/src/column.js"
import { deserializeTCompactProtocol } from "hyparquet/src/thrift.js"
import * as DecimalWidth from "./DecimalWidth.ts"
import { decimalBytes, rowGroupSize } from "./ParquetEncoder.ts"
import * as TransferColumns from "./TransferColumns.ts"

/** The rows as the cells of `TransferColumns.flat`. */
export async function* rows(file: AsyncBuffer): AsyncGenerator<ReadonlyArray<string | undefined>> {
  const metadata = await readMetadata(file)
  const columns = new Map(metadata.schema.map((element) => [element.name, element]))
  const undecided = withoutDecimals(metadata)
  const unpacked = new Budget(file.byteLength)
  const text = new Budget(file.byteLength)
  let rowStart = 0
  // A row group is decoded as a whole, whatever part of it is requested.
  for (const group of metadata.row_groups) {
    const expected = await checkPages(file, group, unpacked)
    const found = TransferColumns.flat.map(() => 0)
    const rowEnd = rowStart + Number(group.num_rows)
    const read = parquetReadObjects({ file, metadata: undecided, rowStart, rowEnd })
    for (const row of await read.catch((error: Error) => reject(error.message))) {
      const cells = TransferColumns.flat.map(({ name }) => textOf(row[name], columns.get(name)))
      cells.forEach((cell, index) => {
        text.take(cell?.length ?? 0)
        if (cell !== undefined) found[index] = (found[index] ?? 0) + 1
      })
      yield cells
    }
    // The library leaves out what it cannot look up in a dictionary.
    if (found.some((count, index) => count !== expected[index])) reject("values are missing")
    rowStart = rowEnd
  }
}

// ---------------------------------------------------------------------------------------------------- bounds

const reject = (reason: string): never => {
  throw new Error(`it is not a Parquet file that transfers wrote, or it is damaged: ${reason}`)
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

const readMetadata = async (file: AsyncBuffer): Promise<FileMetaData> => {
  const { byteLength } = file
  if (byteLength < 12) reject("it is too short")
  const end = new DataView(await file.slice(byteLength - 8, byteLength))
  const footerBytes = end.getUint32(0, true)
  if (end.getUint32(4, true) !== magic) reject("its end is missing")
  if (footerBytes > Math.min(maxFooterBytes, byteLength - 12)) reject("its footer is too long")
  const footer = await file.slice(byteLength - 8 - footerBytes, byteLength)
  try {
    checkFooter(deserializeTCompactProtocol({ view: new DataView(footer), offset: 0 }))
    const metadata = parquetMetadata(footer)
    checkSchema(metadata.schema)
    return metadata
  } catch (error) {
    return reject(error instanceof Error ? error.message : String(error))
  }
}

const byteArray = 6
const statisticsValues = ["field_1", "field_2", "field_5", "field_6"] as const

/** The library converts statistics as it reads the footer, in quadratic time for decimals: so these are checked first. */
const checkFooter = ({
  field_2: [root, ...elements],
  field_4: groups,
}: ReturnType<typeof deserializeTCompactProtocol>) => {
  if (root.field_1 !== undefined) throw new Error("its schema has no root")
  for (const { field_1: columns } of groups) {
    if (columns.length !== elements.length) throw new Error("a row group lacks columns")
    for (const [index, { field_3: chunk }] of columns.entries()) {
      const statistics = elements[index].field_1 === byteArray ? undefined : chunk?.field_12
      for (const name of statisticsValues) {
        if (statistics?.[name]?.length > decimalBytes) throw new Error("a statistic is too long")
      }
    }
  }
}

const checkSchema = ([, ...elements]: ReadonlyArray<SchemaElement>): void => {
  if (elements.length !== TransferColumns.flat.length) throw new Error("it has other columns")
  TransferColumns.flat.forEach(({ name, kind }, index) => {
    const element = elements[index]
    if (element?.name !== name) throw new Error(`its column ${index + 1} should be ${name}`)
    if (element.repetition_type !== "OPTIONAL") throw new Error(`its column ${name} should be optional`)
    if (element.type === "BYTE_ARRAY" && element.converted_type === "UTF8") return
    const { type, type_length, converted_type, scale = -1 } = element
    const isDecimal = type === "FIXED_LEN_BYTE_ARRAY" && type_length === decimalBytes && converted_type === "DECIMAL"
    if (kind === "amount" && isDecimal && scale >= 0 && scale <= DecimalWidth.maxPrecision) return
    throw new Error(`its column ${name} has another type`)
  })
}

/** Checks the headers of all pages. Returns how many values each column has. */
const checkPages = async (
  file: AsyncBuffer,
  group: FileMetaData["row_groups"][number],
  unpacked: Budget,
): Promise<ReadonlyArray<number>> => {
  const present: Array<number> = []
  const rowCount = Number(group.num_rows)
  if (rowCount < 1 || rowCount > rowGroupSize) reject(`a row group should have up to ${rowGroupSize} rows`)
  for (const [index, { meta_data: chunk }] of group.columns.entries()) {
    if (chunk === undefined || chunk.path_in_schema[0] !== TransferColumns.flat[index]?.name) {
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
    parquetHeader(reader)
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

const isWithin = (value: number, most: number): boolean => value >= 0 && value <= most

// ---------------------------------------------------------------------------------------------------- values

/** The library turns decimals into floats; without their type, they stay the bytes of an integer. */
const withoutDecimals = (metadata: FileMetaData): FileMetaData => ({
  ...metadata,
  schema: metadata.schema.map(({ converted_type, logical_type, ...element }) =>
    converted_type === "DECIMAL"
      ? element
      : { ...element, ...(converted_type && { converted_type }), ...(logical_type && { logical_type }) },
  ),
})

const textOf = (value: unknown, element: SchemaElement | undefined): string | undefined => {
  if (typeof value === "string") return value
  return value instanceof Uint8Array ? decimalText(value, element?.scale ?? 0) : undefined
}

/** The amount of a big-endian two's complement integer at a scale. Parquet does not keep trailing zeros. */
const decimalText = (bytes: Uint8Array, scale: number): string => {
  const unsigned = BigInt(`0x${Buffer.from(bytes).toString("hex")}`)
  const value = BigInt.asIntN(bytes.length * 8, unsigned)
  const text = Amount.fromUnits(value, scale)
  return scale === 0 ? text : text.replace(/^(.*[^0])0*$/, "$1").replace(/\.$/, "")
}
