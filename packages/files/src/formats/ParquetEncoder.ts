/**
 * Transfers as Parquet. The type of a column is the same in every file, so that files read together lose no digit: a
 * warehouse takes the scale of one of them for all. Amounts are DECIMAL(38, 18), never floating point, or text in every
 * column if asked for; times are TIMESTAMP in UTC, to the microsecond. Both are values: how each was written is in one more
 * column, from which their texts are read back unchanged. Everything else is text.
 */
import * as Amount from "@transferkit/domain/Amount"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import type { SchemaElement } from "hyparquet"
import { ByteWriter, ParquetWriter } from "hyparquet-writer"
import { decimalBytes, rowGroupSize } from "../internal/parquet/ParquetSizes.ts"
import * as DecimalWidth from "./DecimalWidth.ts"
import * as TransferColumns from "./TransferColumns.ts"
import type { AmountForm } from "./TransferFormat.ts"
import * as WrittenForm from "./WrittenForm.ts"

/** The last column: a JSON array with the {@link WrittenForm} of each amount and time that is held as a value, else null. */
export const writtenColumn = "written"

/** The columns of the array, in its order. */
export const valueColumns = TransferColumns.flat.filter(({ kind }) => kind === "amount" || kind === "timestamp")

type Value = string | bigint | Uint8Array | undefined

/** A column beside those of a transfer: microseconds since 1970, or a whole number. */
export interface MoreColumn {
  readonly name: string
  readonly kind: "timestamp" | "integer"
}

/** What an encoder writes. */
export interface Layout {
  readonly amounts?: AmountForm | undefined
  /** Columns that follow those of a transfer. */
  readonly more?: ReadonlyArray<MoreColumn>
}

/** Writes row group after row group, and returns the bytes of each when it is full. */
export class ParquetEncoder {
  readonly #amounts: AmountForm
  readonly #bytes = new TakenBytes()
  readonly #schema: Array<SchemaElement>
  readonly #writer: ParquetWriter
  // The values, because whole transfers take several times their memory.
  #columns: ReadonlyArray<Column>
  #rows = 0

  constructor({ amounts = "decimal", more = [] }: Layout = {}) {
    this.#amounts = amounts
    const elements = [
      ...TransferColumns.flat.map((column) => elementOf(column, amounts)),
      textElement(writtenColumn),
      ...more.map(moreElement),
    ]
    this.#schema = [{ name: "transfers", num_children: elements.length }, ...elements]
    this.#columns = empty(elements)
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: this.#schema.map(asBytes),
      createdBy: "transfers",
    })
  }

  /**
   * Adds transfers, with the values of further columns for each. Returns the bytes of the row groups that they fill.
   * Throws an `Error` at an amount of too many digits.
   */
  add(transfers: ReadonlyArray<Transfer>, more?: (index: number) => ReadonlyArray<bigint | undefined>): Uint8Array {
    return this.addCells(
      transfers.map((transfer) => TransferColumns.toCells(transfer)),
      more,
    )
  }

  /** The same from the cells of transfers. */
  addCells(
    rows: ReadonlyArray<TransferColumns.Cells>,
    more: (index: number) => ReadonlyArray<bigint | undefined> = () => [],
  ): Uint8Array {
    for (const [index, cells] of rows.entries()) {
      const values: Array<Value> = []
      const written: Array<WrittenForm.WrittenForm | null> = []
      TransferColumns.flat.forEach((column, at) => {
        const cell = cells[at] ?? undefined
        if (column.kind === "timestamp") {
          values.push(cell === undefined ? undefined : microsecondsOf(cell))
          written.push(cell === undefined ? null : WrittenForm.ofTime(cell))
        } else if (column.kind === "amount" && this.#amounts === "decimal") {
          values.push(cell === undefined ? undefined : decimalOf(cell, column, cells))
          written.push(cell === undefined ? null : Amount.scale(cell))
        } else {
          values.push(cell)
          if (column.kind === "amount") written.push(null)
        }
      })
      values.push(JSON.stringify(written), ...more(index))
      this.#columns.forEach(({ data }, column) => data.push(values[column]))
      if (++this.#rows === rowGroupSize) this.#write()
    }
    return this.#bytes.take()
  }

  /** Writes the last row group and the footer, and returns their bytes. */
  close(): Uint8Array {
    this.#write()
    this.#writer.schema = this.#schema
    this.#writer.finish()
    return this.#bytes.take()
  }

  #write(): void {
    this.#writer.write({ columnData: this.#columns.map((column) => ({ ...column })), rowGroupSize })
    this.#columns = empty(this.#schema.slice(1))
    this.#rows = 0
  }
}

/** The values of a column. */
interface Column {
  readonly name: string
  readonly data: Array<Value>
  readonly statistics: boolean
}

const empty = (elements: ReadonlyArray<SchemaElement>): ReadonlyArray<Column> =>
  elements.map((element) => ({ name: element.name, data: [], statistics: !isDecimal(element) }))

const isDecimal = ({ converted_type }: SchemaElement): boolean => converted_type === "DECIMAL"

/**
 * The library makes the bytes of a decimal one by one, a third of all that a file takes: so decimals are given to it as
 * bytes, whose order says nothing, and are called decimals in the footer only.
 */
const asBytes = (element: SchemaElement): SchemaElement => {
  const { converted_type, precision, scale, ...bytes } = element
  return isDecimal(element) ? bytes : element
}

/** Bytes that can be taken as they are written, so that the file is never in memory as a whole. */
class TakenBytes extends ByteWriter {
  take(): Uint8Array {
    const bytes = this.getBytes().slice()
    this.index = 0
    return bytes
  }
}

const textElement = (name: string): SchemaElement => ({
  name,
  type: "BYTE_ARRAY",
  converted_type: "UTF8",
  repetition_type: "OPTIONAL",
})

const timeElement = (name: string): SchemaElement => ({
  name,
  type: "INT64",
  converted_type: "TIMESTAMP_MICROS",
  logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
  repetition_type: "OPTIONAL",
})

const moreElement = ({ name, kind }: MoreColumn): SchemaElement =>
  kind === "timestamp" ? timeElement(name) : { name, type: "INT64", repetition_type: "OPTIONAL" }

const elementOf = ({ name, kind }: TransferColumns.TransferColumn, amounts: AmountForm): SchemaElement => {
  if (kind === "timestamp") return timeElement(name)
  if (kind !== "amount" || amounts === "text") return textElement(name)
  return {
    name,
    type: "FIXED_LEN_BYTE_ARRAY",
    type_length: decimalBytes,
    converted_type: "DECIMAL",
    precision: DecimalWidth.precision,
    scale: DecimalWidth.scale,
    repetition_type: "OPTIONAL",
  }
}

/** An amount in units of the last digit of its column, as an integer of 16 bytes, the highest first. */
const decimalOf = (text: string, { name }: TransferColumns.TransferColumn, [id]: TransferColumns.Cells): Uint8Array => {
  if (!DecimalWidth.fits(DecimalWidth.widest(undefined, text))) {
    throw new Error(
      `transfer ${id}: ${name} ${text} has more digits than the 20 before the point and the 18 after it that DECIMAL(38, 18) holds. Write all amounts as text: --amounts text`,
    )
  }
  const units = Amount.toUnits(text, DecimalWidth.scale)
  const bytes = Buffer.allocUnsafe(decimalBytes)
  bytes.writeBigInt64BE(units >> 64n, 0)
  bytes.writeBigUInt64BE(BigInt.asUintN(64, units), 8)
  return bytes
}

const microsecondsOf = (time: string): bigint => WrittenForm.microseconds(Timestamp.parseUnsafe(time).epochNanoseconds)
