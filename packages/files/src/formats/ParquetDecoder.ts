/** Reads the Parquet files that `ParquetEncoder` writes. Decimals are read as integers, never as floats. */
import * as Amount from "@transferkit/domain/Amount"
import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  type SchemaElement,
} from "hyparquet"
import * as TransferColumns from "./TransferColumns.ts"

/** The rows as the cells of `TransferColumns.flat`. */
export async function* rows(file: AsyncBuffer): AsyncGenerator<ReadonlyArray<string | undefined>> {
  const metadata = await parquetMetadataAsync(file)
  const columns = new Map(metadata.schema.map((element) => [element.name, element]))
  const undecided = withoutDecimals(metadata)
  let rowStart = 0
  // A row group is decoded as a whole, whatever part of it is requested.
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows)
    for (const row of await parquetReadObjects({ file, metadata: undecided, rowStart, rowEnd })) {
      yield TransferColumns.flat.map(({ name }) => textOf(row[name], columns.get(name)))
    }
    rowStart = rowEnd
  }
}

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
  return scale === 0 ? text : text.replace(/\.?0+$/, "")
}
