/** Parquet files as anybody could write them, and what the decoder makes of them. */
import type { AsyncBuffer, SchemaElement } from "hyparquet"
import { ByteWriter, ParquetWriter } from "hyparquet-writer"
import * as ParquetDecoder from "../src/formats/ParquetDecoder.ts"
import { writtenColumn } from "../src/formats/ParquetEncoder.ts"
import * as TransferColumns from "../src/formats/TransferColumns.ts"

/** The columns of a file. */
export const names = [...TransferColumns.flat.map(({ name }) => name), writtenColumn]

/** A column of text. */
export const text = (name: string): SchemaElement => ({
  name,
  type: "BYTE_ARRAY",
  converted_type: "UTF8",
  repetition_type: "OPTIONAL",
})

/** The schema of a file whose columns are all text. */
export const texts: ReadonlyArray<SchemaElement> = [
  { name: "transfers", num_children: names.length },
  ...names.map(text),
]

/** The values of each column. */
export type Cells = Readonly<Record<string, ReadonlyArray<unknown>>>

/** Two rows. */
export const two: Cells = { id: ["a", "b"], kind: ["cash_in", "cash_in"], [writtenColumn]: ["[]", "[]"] }

/** A file of the library alone. `alter` changes its footer. */
export const fileOf = (
  schema: ReadonlyArray<SchemaElement>,
  cells: Cells,
  alter: (writer: ParquetWriter) => void = () => {},
) => {
  const rows = cells["id"]?.length ?? 0
  const writer = new ByteWriter()
  const [root = text("root"), ...elements] = schema
  const parquet = new ParquetWriter({
    writer,
    schema: [{ ...root, num_children: elements.length }, ...elements],
    statisticsTruncateLength: 100,
  })
  const columnData = elements.map(({ name }) => ({
    name,
    data: [...(cells[name] ?? Array.from({ length: rows }, () => undefined))],
  }))
  parquet.write({ columnData, rowGroupSize: 10_000 })
  alter(parquet)
  parquet.finish()
  return Buffer.from(writer.getBytes())
}

const bufferOf = (bytes: Uint8Array): AsyncBuffer => {
  const { buffer } = Uint8Array.from(bytes)
  return { byteLength: buffer.byteLength, slice: (start, end) => buffer.slice(start, end) }
}

/** The cells that rows have, by name; or why there are none. */
export const read = async (bytes: Uint8Array) => {
  const rows: Array<unknown> = []
  try {
    const file = await ParquetDecoder.open(bufferOf(bytes))
    for await (const cells of file.rows()) {
      const named = cells.flatMap((cell, index) => (cell === undefined ? [] : [[file.columns[index]?.name, cell]]))
      rows.push(Object.fromEntries(named))
    }
    return rows
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return message.replace("it is not a Parquet file that transfers wrote, or it is damaged: ", "damaged: ")
  }
}
