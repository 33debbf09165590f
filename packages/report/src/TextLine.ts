/** Columns side by side in a width: which are shown, how wide, and what is truncated. */
import { escapeControls } from "@transferkit/domain/SafeText"
import cliTruncate from "cli-truncate"
import stringWidth from "string-width"
import wrapAnsi from "wrap-ansi"

/** One column. */
export interface Column {
  readonly header: string
  /** Whether its cells tell a row from others, or the next command needs them: they come first, and stay whole. */
  readonly id?: boolean
  readonly align?: "left" | "right"
  /** The narrowest width; without it, the column is never truncated. */
  readonly shrinkTo?: number
  /** Cells that are not truncated even then, such as amounts. */
  readonly keeps?: (cell: string) => boolean
  /** For the last column: wrap instead of truncating. */
  readonly wrap?: boolean
  /** Columns with the highest number are dropped first. Without it, a column stays. */
  readonly dropOrder?: number
  /** Colours the truncated text of a cell; `cell` is its full text. */
  readonly style?: (text: string, cell: string) => string
}

/** A column and the widths of its cells. */
export interface Measured extends Column {
  readonly index: number
  readonly width: number
  /** The narrowest width in which no header and no cell that is kept whole is truncated. */
  readonly narrowest: number
}

/** Which columns are shown and how wide. */
export interface Line {
  readonly columns: ReadonlyArray<Measured>
  /** The headers of dropped columns. */
  readonly hidden: ReadonlyArray<string>
  /** Whether the columns that must stay do not fit. */
  readonly isTooWide: boolean
}

const gap = "  "

/** The columns as wide as their cells need, and whether there is a row. */
export const measure = (columns: ReadonlyArray<Column>, rows: Iterable<ReadonlyArray<string>>) => {
  const widths = columns.map(({ header }) => ({ ofAll: stringWidth(header), ofKept: stringWidth(header) }))
  let isEmpty = true
  for (const row of rows) {
    isEmpty = false
    columns.forEach((column, index) => {
      const [own, value] = [widths[index], row[index] ?? ""]
      if (own === undefined) return
      const needed = stringWidth(escapeControls(value))
      own.ofAll = Math.max(own.ofAll, needed)
      if (!canBeCut(column, value)) own.ofKept = Math.max(own.ofKept, needed)
    })
  }
  const measured = columns.map((column, index): Measured => {
    const { ofAll = 0, ofKept = 0 } = widths[index] ?? {}
    return { ...column, index, width: ofAll, narrowest: Math.min(ofAll, Math.max(column.shrinkTo ?? 0, ofKept)) }
  })
  return { measured, isEmpty }
}

/** Whether all columns fit in a width, and none has to shrink. */
export const isRoomy = (columns: ReadonlyArray<Measured>, width: number): boolean =>
  total(columns, (column) => column.width) <= width

/** Fits columns to a width: the least important ones are dropped, then others shrink. */
export const make = (columns: ReadonlyArray<Measured>, width: number): Line => {
  const shown = dropUntilFits(columns, width)
  return {
    isTooWide: total(shown, narrowest) > width,
    columns: shrinkUntilFits(shown, width),
    hidden: columns.filter((column) => !shown.includes(column)).map((column) => column.header),
  }
}

/** Whether rows can be printed under the header: no cell is truncated that must be whole, and none too much. */
export const fits = (self: Line, rows: ReadonlyArray<ReadonlyArray<string>>): boolean =>
  self.columns.every((column) =>
    rows.every((row) => {
      const cell = row[column.index] ?? ""
      const isWideEnough = column.shrinkTo !== undefined && column.width >= column.shrinkTo
      return (
        (canBeCut(column, cell) && isWideEnough) ||
        column.wrap === true ||
        stringWidth(escapeControls(cell)) <= column.width
      )
    }),
  )

/** The headers. */
export const header = (self: Line): string =>
  self.columns
    .map((column, index) => cellOf({ ...column, style: plain }, column.header, index === self.columns.length - 1))
    .join(gap)
    .trimEnd()

/** A row, of several lines if its last cell wraps. A word that is wider than the cell stays whole, on a line of its own. */
export const text = (self: Line, row: ReadonlyArray<string>): string => {
  const last = self.columns.at(-1)
  if (last?.wrap !== true) return oneLine(self, row)
  const lines = wrapAnsi(escapeControls(row[last.index] ?? ""), last.width).split("\n")
  const isWide = (line: string): boolean => self.columns.length > 1 && stringWidth(line) > last.width
  const [first = "", ...rest] = isWide(lines[0] ?? "") ? ["", ...lines] : lines
  const indent = " ".repeat(total(self.columns, (column) => column.width) - last.width)
  const firstRow = row.map((value, index) => (index === last.index ? first : value))
  return [oneLine(self, firstRow), ...rest.map((more) => (isWide(more) ? gap : indent) + more)].join("\n")
}

const oneLine = (self: Line, row: ReadonlyArray<string>): string =>
  self.columns
    .map((column, index) => cellOf(column, row[column.index] ?? "", index === self.columns.length - 1))
    .join(gap)
    .trimEnd()

const total = (columns: ReadonlyArray<Measured>, widthOf: (column: Measured) => number): number =>
  columns.reduce((sum, column) => sum + widthOf(column), gap.length * Math.max(0, columns.length - 1))

const narrowest = (column: Measured): number => column.narrowest

const canBeCut = (column: Column, cell: string): boolean =>
  column.shrinkTo !== undefined && column.keeps?.(cell) !== true

const dropUntilFits = (columns: ReadonlyArray<Measured>, width: number): ReadonlyArray<Measured> => {
  let shown = columns
  while (total(shown, narrowest) > width) {
    const next = shown
      .filter((column) => column.dropOrder !== undefined)
      .reduce<Measured | undefined>(
        (last, column) => ((column.dropOrder ?? 0) > (last?.dropOrder ?? -1) ? column : last),
        undefined,
      )
    if (next === undefined) return shown
    shown = shown.filter((column) => column !== next)
  }
  return withAllThatFit(shown, columns, width)
}

/** A wide column that was dropped leaves room for narrow ones that were dropped before it. */
const withAllThatFit = (
  kept: ReadonlyArray<Measured>,
  columns: ReadonlyArray<Measured>,
  width: number,
): ReadonlyArray<Measured> =>
  columns
    .filter((column) => !kept.includes(column))
    .toSorted((a, b) => (a.dropOrder ?? 0) - (b.dropOrder ?? 0))
    .reduce((shown, column) => {
      const more = columns.filter((other) => other === column || shown.includes(other))
      return total(more, narrowest) > width ? shown : more
    }, kept)

/** Takes one cell at a time from the column with most to spare. */
const shrinkUntilFits = (columns: ReadonlyArray<Measured>, width: number): ReadonlyArray<Measured> => {
  const shown = columns.map((column) => ({ ...column }))
  for (let excess = total(shown, (column) => column.width) - width; excess > 0; excess--) {
    const widest = shown.reduce<(typeof shown)[number] | undefined>(
      (most, column) => (spare(column) > (most === undefined ? 0 : spare(most)) ? column : most),
      undefined,
    )
    if (widest === undefined) break
    widest.width--
  }
  return shown
}

const spare = (column: Measured): number => column.width - narrowest(column)

const cellOf = (column: Measured, value: string, isLast: boolean): string => {
  const safe = escapeControls(value)
  const cut =
    canBeCut(column, value) && column.wrap !== true && stringWidth(safe) > column.width
      ? cliTruncate(safe, column.width, { position: "end" })
      : safe
  const padding = " ".repeat(Math.max(0, column.width - stringWidth(cut)))
  const styled = column.style === undefined ? cut : column.style(cut, value)
  if (column.align === "right") return padding + styled
  return isLast ? styled : styled + padding
}

const plain = (text: string): string => text
