/** The digits that each column of amounts needs as a decimal. */
import type { Transfer } from "@transferkit/domain/Transfer"
import * as TransferColumns from "./TransferColumns.ts"

/** The most digits before and after the point. */
export interface DecimalWidth {
  readonly whole: number
  readonly fraction: number
}

/** The most digits that Parquet, DuckDB and others keep exactly in a decimal. */
export const maxPrecision = 38

/** Widths by column name. */
export type DecimalWidths = ReadonlyMap<string, DecimalWidth>

/** Widens `widths` to hold all amounts of some transfers. */
export const widen = (widths: Map<string, DecimalWidth>, transfers: ReadonlyArray<Transfer>): void => {
  for (const transfer of transfers) {
    for (const column of amountColumns) {
      const text = column.read(transfer)
      if (text === undefined) continue
      const known = widths.get(column.name)
      const width = widest(known, text)
      if (width !== known) widths.set(column.name, width)
    }
  }
}

/** A width that holds an amount, too. */
export const widest = (known: DecimalWidth | undefined, text: string): DecimalWidth => {
  const digits = text.startsWith("-") ? text.slice(1) : text
  const point = digits.indexOf(".")
  const whole = Math.max(known?.whole ?? 1, point === -1 ? digits.length : point)
  const fraction = Math.max(known?.fraction ?? 0, point === -1 ? 0 : digits.length - point - 1)
  return whole === known?.whole && fraction === known.fraction ? known : { whole, fraction }
}

const amountColumns = TransferColumns.flat.filter((column) => column.kind === "amount")

/** Whether a decimal column can hold the width. A column without amounts can. */
export const fits = (width: DecimalWidth | undefined): boolean =>
  width === undefined || width.whole + width.fraction <= maxPrecision

/** The scale of a decimal column. */
export const scaleOf = (width: DecimalWidth | undefined): number => width?.fraction ?? 0
