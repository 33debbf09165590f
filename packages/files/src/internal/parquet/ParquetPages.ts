/**
 * The values of a column of a row group, from its pages. These are held to what the encoder makes: as many values as they say,
 * in runs that add up, of the type that the schema gives the column.
 */
import type { SchemaElement } from "hyparquet"
import { parquetHeader } from "hyparquet/src/column.js"
import * as ParquetShapes from "./ParquetShapes.ts"
import { decimalBytes, rowGroupSize } from "./ParquetSizes.ts"
import * as RunLengths from "./RunLengths.ts"
import * as Snappy from "./Snappy.ts"
import * as ThriftBounds from "./ThriftBounds.ts"
import type { UnpackBudget } from "./UnpackBudget.ts"

/** A text, the microseconds of a time, or the units of a decimal. */
export type Value = string | bigint | undefined

/** The values of all pages. Throws if there are not `rowCount` of them. */
export const read = (
  chunk: Uint8Array,
  element: SchemaElement,
  rowCount: number,
  unpacked: UnpackBudget,
): ReadonlyArray<Value> => {
  const reader: Reader = { view: viewOf(chunk), offset: 0 }
  const values: Array<Value> = []
  let dictionary: ReadonlyArray<Value> = []
  while (reader.offset < chunk.length) {
    const isFirst = reader.offset === 0
    const page = pageOf(reader)
    unpacked.take(page.size + page.levels)
    const start = reader.offset + page.levels
    reader.offset += page.compressed
    const data = Snappy.uncompress(chunk.subarray(start, reader.offset), page.size)
    if (page.nulls === undefined) {
      if (!isFirst) throw new Error("a page is of the type DICTIONARY_PAGE")
      dictionary = plain(data, element, page.count)
    } else {
      const levels = RunLengths.decode(chunk.subarray(start - page.levels, start), 1, page.count)
      const count = levels.reduce((sum, level) => sum + level, 0)
      if (count !== page.count - page.nulls) throw new Error("a page has wrong levels")
      const present = page.isPlain ? plain(data, element, count) : lookedUp(data, dictionary, count)
      let next = 0
      for (const level of levels) values.push(level === 0 ? undefined : present[next++])
    }
  }
  if (values.length !== rowCount) throw new Error(`a column has ${values.length} of ${rowCount} values`)
  return values
}

/** Bytes, and how far they are read. */
interface Reader {
  readonly view: DataView
  offset: number
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength)

// ---------------------------------------------------------------------------------------------------- headers

/** What the header of a page says. A dictionary has no levels, and no nulls. */
interface Page {
  readonly count: number
  readonly nulls: number | undefined
  readonly isPlain: boolean
  /** Bytes of its levels, and of its values when they are unpacked. */
  readonly levels: number
  readonly size: number
  /** Bytes of both in the file. */
  readonly compressed: number
}

/** The encoder starts a page at each megabyte; only one value can be larger. */
const maxPageBytes = 64 * 1024 * 1024

const pageOf = (reader: Reader): Page => {
  ThriftBounds.check(reader.view, ParquetShapes.pageHeader, reader.offset)
  const header = parquetHeader(reader)
  const { type, uncompressed_page_size, compressed_page_size } = header
  const data = type === "DATA_PAGE_V2" ? header.data_page_header_v2 : undefined
  const page = type === "DICTIONARY_PAGE" ? header.dictionary_page_header : data
  if (page === undefined) throw new Error(`a page is of the type ${type}`)
  const { encoding, num_values } = page
  if (encoding !== "PLAIN" && (data === undefined || encoding !== "RLE_DICTIONARY"))
    throw new Error(`a page has the encoding ${encoding}`)
  if (!isWithin(num_values, 1, rowGroupSize)) throw new Error(`a page has ${num_values} values`)
  const left = reader.view.byteLength - reader.offset
  if (!isWithin(compressed_page_size, 0, left)) throw new Error("a page has a wrong size")
  if (!isWithin(uncompressed_page_size, 0, maxPageBytes))
    throw new Error(`a page is larger than ${maxPageBytes >> 20} MiB`)
  const levels = data?.definition_levels_byte_length ?? 0
  if (!isWithin(levels, 0, Math.min(compressed_page_size, uncompressed_page_size)))
    throw new Error("a page has wrong levels")
  return {
    count: num_values,
    nulls: data?.num_nulls,
    isPlain: encoding === "PLAIN",
    levels,
    size: uncompressed_page_size - levels,
    compressed: compressed_page_size,
  }
}

const isWithin = (value: number, least: number, most: number): boolean => value >= least && value <= most

// ---------------------------------------------------------------------------------------------------- values

/** Of a dictionary with one entry a row. */
const mostIndexBits = Math.ceil(Math.log2(rowGroupSize))

const lookedUp = (data: Uint8Array, dictionary: ReadonlyArray<Value>, count: number): ReadonlyArray<Value> => {
  const [width = Infinity] = data
  if (width > mostIndexBits) throw new Error(`a page has indexes of more than ${mostIndexBits} bits`)
  return Array.from(RunLengths.decode(data.subarray(1), width, count), (index) => {
    const value = dictionary[index]
    if (value === undefined) throw new Error("values are missing")
    return value
  })
}

/** Values one after the other. */
const plain = (data: Uint8Array, { name, type }: SchemaElement, count: number): ReadonlyArray<Value> => {
  if (type === "BYTE_ARRAY") return texts(data, name, count)
  const size = type === "INT64" ? 8 : decimalBytes
  if (data.length !== count * size) throw new Error("values are missing")
  const view = viewOf(data)
  return Array.from({ length: count }, (_, index) =>
    size === 8
      ? view.getBigInt64(index * size, true)
      : (view.getBigInt64(index * size) << 64n) | view.getBigUint64(index * size + 8),
  )
}

/** The bytes of each text follow their number. */
const texts = (data: Uint8Array, name: string, count: number): ReadonlyArray<string> => {
  const view = viewOf(data)
  const values: Array<string> = []
  let offset = 0
  while (values.length < count) {
    const start = offset + 4
    if (start > data.length) throw new Error("values are missing")
    offset = start + view.getUint32(offset, true)
    if (offset > data.length) throw new Error("values are missing")
    values.push(textOf(data.subarray(start, offset), name))
  }
  if (offset !== data.length) throw new Error("a page has more values than it says")
  return values
}

const textOf = (bytes: Uint8Array, name: string): string => {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new Error(`its column ${name} holds a text that is not UTF-8`)
  }
}

/** Of two keys that differ in lost characters, or in a byte order mark, none may become the other. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
