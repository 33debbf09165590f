/**
 * Transfers as Parquet. Amounts are DECIMAL(38, s) with the scale that the column needs, or text if an amount is longer;
 * they are never floating point numbers. Everything else is text, unchanged.
 */
import * as Amount from "@transferkit/domain/Amount"
import type { Transfer } from "@transferkit/domain/Transfer"
import type { SchemaElement } from "hyparquet"
import { ByteWriter, ParquetWriter } from "hyparquet-writer"
import * as DecimalWidth from "./DecimalWidth.ts"
import * as TransferColumns from "./TransferColumns.ts"

/** Rows per row group: the unit that a writer holds in memory and a reader can skip. */
export const rowGroupSize = 5_000

type Value = string | bigint | undefined

/** Writes row group after row group, and returns the bytes of each when it is full. */
export class ParquetEncoder {
  readonly #widths: DecimalWidth.DecimalWidths
  readonly #bytes = new TakenBytes()
  readonly #writer: ParquetWriter
  // The values, because whole transfers take several times their memory.
  #columns: ReadonlyArray<{ readonly name: string; readonly data: Array<Value> }> = emptyColumns()

  constructor(widths: DecimalWidth.DecimalWidths) {
    this.#widths = widths
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: [
        { name: "transfers", num_children: TransferColumns.flat.length },
        ...TransferColumns.flat.map((column) => elementOf(column, widths)),
      ],
      createdBy: "transfers",
    })
  }

  /** Adds transfers. Returns the bytes of the row groups that they fill. */
  add(transfers: ReadonlyArray<Transfer>): Uint8Array {
    for (const transfer of transfers) {
      TransferColumns.flat.forEach((column, index) => {
        this.#columns[index]?.data.push(valueOf(column, this.#widths, transfer))
      })
      if (this.#columns[0]?.data.length === rowGroupSize) this.#write()
    }
    return this.#bytes.take()
  }

  /** Writes the last row group and the footer, and returns their bytes. */
  close(): Uint8Array {
    if (this.#columns[0]?.data.length !== 0) this.#write()
    this.#writer.finish()
    return this.#bytes.take()
  }

  #write(): void {
    this.#writer.write({ columnData: this.#columns.map((column) => ({ ...column })), rowGroupSize })
    this.#columns = emptyColumns()
  }
}

const emptyColumns = () => TransferColumns.flat.map(({ name }) => ({ name, data: new Array<Value>() }))

/** Bytes that can be taken as they are written, so that the file is never in memory as a whole. */
class TakenBytes extends ByteWriter {
  take(): Uint8Array {
    const bytes = this.getBytes().slice()
    this.index = 0
    return bytes
  }
}

/** Bytes of the widest integer behind a DECIMAL(38). */
export const decimalBytes = 16

const elementOf = (column: TransferColumns.TransferColumn, widths: DecimalWidth.DecimalWidths): SchemaElement => {
  const width = widths.get(column.name)
  if (column.kind !== "amount" || !DecimalWidth.fits(width)) {
    return { name: column.name, type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" }
  }
  return {
    name: column.name,
    type: "FIXED_LEN_BYTE_ARRAY",
    type_length: decimalBytes,
    converted_type: "DECIMAL",
    precision: DecimalWidth.maxPrecision,
    scale: DecimalWidth.scaleOf(width),
    repetition_type: "OPTIONAL",
  }
}

const valueOf = (
  column: TransferColumns.TransferColumn,
  widths: DecimalWidth.DecimalWidths,
  transfer: Transfer,
): Value => {
  const text = column.read(transfer)
  const width = widths.get(column.name)
  if (text === undefined || column.kind !== "amount" || !DecimalWidth.fits(width)) return text
  return Amount.toUnits(text, DecimalWidth.scaleOf(width))
}
