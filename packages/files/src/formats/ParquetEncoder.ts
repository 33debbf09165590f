/**
 * Transfers as Parquet. Amounts are DECIMAL(38, s) with the scale that the column needs, or text if an amount is longer;
 * they are never floating point numbers. Times are TIMESTAMP in UTC. Both are values: how each was written is in one more
 * column, from which their texts are read back unchanged. Everything else is text.
 */
import * as Amount from "@transferkit/domain/Amount"
import type { Transfer } from "@transferkit/domain/Transfer"
import type { SchemaElement } from "hyparquet"
import { ByteWriter, ParquetWriter } from "hyparquet-writer"
import * as DecimalWidth from "./DecimalWidth.ts"
import type * as TimeUnit from "./TimeUnit.ts"
import * as TransferColumns from "./TransferColumns.ts"
import * as WrittenForm from "./WrittenForm.ts"

/** The last column: a JSON array with the {@link WrittenForm} of each amount and time that is held as a value, else null. */
export const writtenColumn = "written"

/** The columns of the array, in its order. */
export const valueColumns = TransferColumns.flat.filter(({ kind }) => kind === "amount" || kind === "timestamp")

/** How the columns of one export are held. */
export interface ParquetLayout {
  readonly widths: DecimalWidth.DecimalWidths
  readonly units: TimeUnit.TimeUnits
}

/** Rows per row group: the unit that a writer holds in memory and a reader can skip. */
export const rowGroupSize = 5_000

type Value = string | bigint | undefined

/** Writes row group after row group, and returns the bytes of each when it is full. */
export class ParquetEncoder {
  readonly #layout: ParquetLayout
  readonly #bytes = new TakenBytes()
  readonly #writer: ParquetWriter
  // The values, because whole transfers take several times their memory.
  #columns: ReadonlyArray<{ readonly name: string; readonly data: Array<Value> }> = emptyColumns()
  #rows = 0

  constructor(layout: ParquetLayout) {
    this.#layout = layout
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: [
        { name: "transfers", num_children: TransferColumns.flat.length + 1 },
        ...TransferColumns.flat.map((column) => elementOf(column, layout)),
        textElement(writtenColumn),
      ],
      createdBy: "transfers",
    })
  }

  /** Adds transfers. Returns the bytes of the row groups that they fill. */
  add(transfers: ReadonlyArray<Transfer>): Uint8Array {
    for (const transfer of transfers) {
      const cells = TransferColumns.flat.map((column) => valueOf(column, this.#layout, transfer))
      const written = valueColumns.map((column) => writtenOf(column, this.#layout, transfer))
      const row = [...cells, JSON.stringify(written)]
      this.#columns.forEach(({ data }, index) => data.push(row[index]))
      if (++this.#rows === rowGroupSize) this.#write()
    }
    return this.#bytes.take()
  }

  /** Writes the last row group and the footer, and returns their bytes. */
  close(): Uint8Array {
    this.#write()
    this.#writer.finish()
    return this.#bytes.take()
  }

  #write(): void {
    this.#writer.write({ columnData: this.#columns.map((column) => ({ ...column })), rowGroupSize })
    this.#columns = emptyColumns()
    this.#rows = 0
  }
}

const emptyColumns = () =>
  [...TransferColumns.flat.map(({ name }) => name), writtenColumn].map((name) => ({ name, data: new Array<Value>() }))

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

const textElement = (name: string): SchemaElement => ({
  name,
  type: "BYTE_ARRAY",
  converted_type: "UTF8",
  repetition_type: "OPTIONAL",
})

const elementOf = (column: TransferColumns.TransferColumn, { widths, units }: ParquetLayout): SchemaElement => {
  const { name, kind } = column
  const [width, unit] = [widths.get(name), unitOf(column, units)]
  if (unit !== undefined) {
    return {
      name,
      type: "INT64",
      // Readers of before 2017 know no nanoseconds.
      ...(unit === "MICROS" ? { converted_type: "TIMESTAMP_MICROS" } : {}),
      logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit },
      repetition_type: "OPTIONAL",
    }
  }
  if (kind !== "amount" || !DecimalWidth.fits(width)) return textElement(name)
  return {
    name,
    type: "FIXED_LEN_BYTE_ARRAY",
    type_length: decimalBytes,
    converted_type: "DECIMAL",
    precision: DecimalWidth.maxPrecision,
    scale: DecimalWidth.scaleOf(width),
    repetition_type: "OPTIONAL",
  }
}

/** The unit of a column of times that are held as values. */
const unitOf = ({ name, kind }: TransferColumns.TransferColumn, units: TimeUnit.TimeUnits) => {
  const unit = kind === "timestamp" ? (units.get(name) ?? "MICROS") : "TEXT"
  return unit === "TEXT" ? undefined : unit
}

const valueOf = (
  column: TransferColumns.TransferColumn,
  { widths, units }: ParquetLayout,
  transfer: Transfer,
): Value => {
  const text = column.read(transfer)
  if (text === undefined) return undefined
  const unit = unitOf(column, units)
  if (unit !== undefined) {
    const instant = column.instant?.(transfer)
    return unit === "MICROS" && instant !== undefined ? instant / 1000n : instant
  }
  const width = widths.get(column.name)
  if (column.kind !== "amount" || !DecimalWidth.fits(width)) return text
  return Amount.toUnits(text, DecimalWidth.scaleOf(width))
}

const writtenOf = (
  column: TransferColumns.TransferColumn,
  { widths, units }: ParquetLayout,
  transfer: Transfer,
): WrittenForm.WrittenForm | null => {
  const text = column.read(transfer)
  if (text === undefined) return null
  if (column.kind === "amount") return DecimalWidth.fits(widths.get(column.name)) ? Amount.scale(text) : null
  const instant = column.instant?.(transfer)
  return unitOf(column, units) === undefined || instant === undefined ? null : WrittenForm.ofTime(text, instant)
}
