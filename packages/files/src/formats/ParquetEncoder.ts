/**
 * Transfers as Parquet. The type of a column is the same in every file, so that files read together lose no digit: a
 * warehouse takes the scale of one of them for all. Amounts are DECIMAL(38, 18), never floating point, or text in every
 * column if asked for; times are TIMESTAMP in UTC, to the microsecond. Both are values: how each was written is in one more
 * column, from which their texts are read back unchanged. Everything else is text.
 */
import * as Amount from "@transferkit/domain/Amount"
import type { Transfer } from "@transferkit/domain/Transfer"
import type { SchemaElement } from "hyparquet"
import { ByteWriter, ParquetWriter } from "hyparquet-writer"
import * as DecimalWidth from "./DecimalWidth.ts"
import * as TransferColumns from "./TransferColumns.ts"
import type { AmountForm } from "./TransferFormat.ts"
import * as WrittenForm from "./WrittenForm.ts"

/** The last column: a JSON array with the {@link WrittenForm} of each amount and time that is held as a value, else null. */
export const writtenColumn = "written"

/** The columns of the array, in its order. */
export const valueColumns = TransferColumns.flat.filter(({ kind }) => kind === "amount" || kind === "timestamp")

/** Rows per row group: the unit that a writer holds in memory and a reader can skip. */
export const rowGroupSize = 5_000

type Value = string | bigint | undefined

/** Writes row group after row group, and returns the bytes of each when it is full. */
export class ParquetEncoder {
  readonly #amounts: AmountForm
  readonly #bytes = new TakenBytes()
  readonly #writer: ParquetWriter
  // The values, because whole transfers take several times their memory.
  #columns: ReadonlyArray<{ readonly name: string; readonly data: Array<Value> }> = emptyColumns()
  #rows = 0

  constructor(amounts: AmountForm = "decimal") {
    this.#amounts = amounts
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: [
        { name: "transfers", num_children: TransferColumns.flat.length + 1 },
        ...TransferColumns.flat.map((column) => elementOf(column, amounts)),
        textElement(writtenColumn),
      ],
      createdBy: "transfers",
    })
  }

  /** Adds transfers. Returns the bytes of the row groups that they fill. Throws an `Error` at an amount of too many digits. */
  add(transfers: ReadonlyArray<Transfer>): Uint8Array {
    for (const transfer of transfers) {
      const cells = TransferColumns.flat.map((column) => valueOf(column, this.#amounts, transfer))
      const written = valueColumns.map((column) => writtenOf(column, this.#amounts, transfer))
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

const elementOf = ({ name, kind }: TransferColumns.TransferColumn, amounts: AmountForm): SchemaElement => {
  if (kind === "timestamp") {
    return {
      name,
      type: "INT64",
      converted_type: "TIMESTAMP_MICROS",
      logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
      repetition_type: "OPTIONAL",
    }
  }
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

const valueOf = (column: TransferColumns.TransferColumn, amounts: AmountForm, transfer: Transfer): Value => {
  const instant = column.instant?.(transfer)
  if (instant !== undefined) return WrittenForm.microseconds(instant)
  const text = column.read(transfer)
  if (column.kind !== "amount" || amounts === "text" || text === undefined) return text
  if (!DecimalWidth.fits(DecimalWidth.widest(undefined, text))) {
    throw new Error(
      `transfer ${transfer.id}: ${column.name} ${text} has more digits than the 20 before the point and the 18 after it that DECIMAL(38, 18) holds. Write all amounts as text: --amounts text`,
    )
  }
  return Amount.toUnits(text, DecimalWidth.scale)
}

const writtenOf = (
  column: TransferColumns.TransferColumn,
  amounts: AmountForm,
  transfer: Transfer,
): WrittenForm.WrittenForm | null => {
  const text = column.read(transfer)
  if (text === undefined) return null
  if (column.kind === "amount") return amounts === "text" ? null : Amount.scale(text)
  const instant = column.instant?.(transfer)
  return instant === undefined ? null : WrittenForm.ofTime(text, instant)
}
