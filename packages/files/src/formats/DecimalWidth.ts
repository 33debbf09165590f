/**
 * The digits of amounts, and the one decimal that holds them: DECIMAL(38, 18) in every table and file. A scale by content
 * would be another one in each file, and where two are read together, or one is loaded into the table of another, digits
 * would be lost silently.
 */
import * as TransferColumns from "./TransferColumns.ts"

/** The most digits before and after the point. */
export interface DecimalWidth {
  readonly whole: number
  readonly fraction: number
}

/** The most digits that Parquet, DuckDB and others keep exactly in a decimal. */
export const precision = 38

/** Those after the point: ether has as many. */
export const scale = 18

/** Widths by column name. */
export type DecimalWidths = ReadonlyMap<string, DecimalWidth>

/** Widens `widths` to hold all amounts of some transfers, of which these are the cells. */
export const widen = (widths: Map<string, DecimalWidth>, rows: ReadonlyArray<TransferColumns.Cells>): void => {
  for (const cells of rows) {
    for (const [index, name] of amountColumns) {
      const text = cells[index] ?? undefined
      if (text === undefined) continue
      const known = widths.get(name)
      const width = widest(known, text)
      if (width !== known) widths.set(name, width)
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

const amountColumns = TransferColumns.flat.flatMap(({ kind, name }, index) =>
  kind === "amount" ? [[index, name] as const] : [],
)

/** Whether a decimal column can hold the width. A column without amounts can. */
export const fits = (width: DecimalWidth | undefined): boolean =>
  width === undefined || (width.whole <= precision - scale && width.fraction <= scale)
