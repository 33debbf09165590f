/** Pages of Parquet as anybody could write them. */
import { ByteWriter, type ParquetWriter } from "hyparquet-writer"
import { writePageHeader } from "hyparquet-writer/src/datapage.js"
import { snappyCompress } from "hyparquet-writer/src/snappy.js"

/** A run of a number, as `RunLengths` has it: a header, and the number. */
export const run = (length: number, value: number): ReadonlyArray<number> => {
  const writer = new ByteWriter()
  writer.appendVarInt(length * 2)
  writer.appendUint8(value)
  return [...writer.getBytes()]
}

/** The bytes of texts, each after its length. */
export const plain = (...texts: ReadonlyArray<string | Uint8Array>): Buffer =>
  Buffer.concat(
    texts.flatMap((text) => {
      const size = Buffer.alloc(4)
      const bytes = Buffer.from(text)
      size.writeUInt32LE(bytes.length)
      return [size, bytes]
    }),
  )

/** A page of values, or a dictionary if it has no levels. `block` is what its data is compressed to. */
export const page = ({
  data,
  block = snappyCompress(data),
  count,
  levels,
  nulls = 0,
  encoding = "PLAIN",
}: {
  readonly data: Uint8Array
  readonly block?: Uint8Array
  readonly count: number
  readonly levels?: ReadonlyArray<number>
  readonly nulls?: number
  readonly encoding?: "PLAIN" | "RLE_DICTIONARY"
}): Buffer => {
  const writer = new ByteWriter()
  const before = levels?.length ?? 0
  writePageHeader(writer, {
    type: levels === undefined ? "DICTIONARY_PAGE" : "DATA_PAGE_V2",
    uncompressed_page_size: before + data.length,
    compressed_page_size: before + block.length,
    ...(levels === undefined
      ? { dictionary_page_header: { num_values: count, encoding } }
      : {
          data_page_header_v2: {
            num_values: count,
            num_nulls: nulls,
            num_rows: count,
            encoding,
            definition_levels_byte_length: before,
            repetition_levels_byte_length: 0,
            is_compressed: true,
          },
        }),
  })
  return Buffer.concat([writer.getBytes(), Buffer.from(levels ?? []), block])
}

/** Gives the first row group other pages for a column, at the end of the file. */
export const withChunk = (name: string, chunk: Uint8Array) => (writer: ParquetWriter) => {
  const columns = writer.row_groups[0]?.columns ?? []
  const metadata = columns.find(({ meta_data }) => meta_data?.path_in_schema[0] === name)?.meta_data
  if (metadata === undefined) throw new Error(`no column ${name}`)
  metadata.data_page_offset = BigInt(writer.writer.offset)
  metadata.total_compressed_size = BigInt(chunk.length)
  delete metadata.dictionary_page_offset
  writer.writer.appendBytes(chunk)
}

/** A block of Snappy whose literal has a length of 32 bits, which leads back to its own tag. */
export const endless = (size: number): Buffer =>
  Buffer.concat([Buffer.from([size, 0xfc, 0xfa, 0xff, 0xff, 0xff]), Buffer.alloc(16)])
