/**
 * Tables that fit the terminal. Widths are in cells (`string-width`), so that wide characters and emoji align. If a table
 * does not fit, columns that allow it are truncated, then whole columns are dropped, the least important first.
 */
import { escapeControls } from "@transferkit/domain/SafeText"
import cliTruncate from "cli-truncate"
import stringWidth from "string-width"
import wrapAnsi from "wrap-ansi"
import { widthOf } from "./internal/CellWidth.ts"

/** One column. */
export interface Column {
  readonly header: string
  readonly align?: "left" | "right"
  /** The narrowest width; without it, the column is never truncated. */
  readonly shrinkTo?: number
  /** Cells that are never truncated all the same, such as amounts. */
  readonly keeps?: (cell: string) => boolean
  /** Where to truncate. Identifiers that start alike differ in their ends. */
  readonly cut?: "end" | "middle"
  /** For the last column: wrap instead of truncating. */
  readonly wrap?: boolean
  /** Columns with the highest number are dropped first. Without it, a column stays. */
  readonly dropOrder?: number
  /** Colours the truncated text of a cell; `cell` is its full text. */
  readonly style?: (text: string, cell: string) => string
}

/** Which columns are shown and how wide. */
export interface Layout {
  readonly columns: ReadonlyArray<
    Column & {
      readonly index: number
      readonly width: number
      /** The narrowest width in which no header and no cell that is kept whole is truncated. */
      readonly narrowest: number
    }
  >
  /** The headers of dropped columns. */
  readonly hidden: ReadonlyArray<string>
  /** Whether the columns that must stay do not fit. */
  readonly isTooWide: boolean
  /** Whether there are no rows. */
  readonly isEmpty: boolean
}

const gap = "  "

/** Fits columns to a width by some rows. Later rows may need another layout: see {@link fits}. */
export const layout = (
  columns: ReadonlyArray<Column>,
  rows: Iterable<ReadonlyArray<string>>,
  width: number,
): Layout => {
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
  const natural = columns.map((column, index) => {
    const { ofAll = 0, ofKept = 0 } = widths[index] ?? {}
    return { ...column, index, width: ofAll, narrowest: Math.min(ofAll, Math.max(column.shrinkTo ?? 0, ofKept)) }
  })
  const shown = dropUntilFits(natural, width)
  return {
    isEmpty,
    isTooWide: total(shown, narrowest) > width,
    columns: shrinkUntilFits(shown, width),
    hidden: natural.filter((column) => !shown.includes(column)).map((column) => column.header),
  }
}

type Measured = Layout["columns"][number]

const total = (columns: ReadonlyArray<Measured>, widthOf: (column: Measured) => number): number =>
  columns.reduce((sum, column) => sum + widthOf(column), gap.length * Math.max(0, columns.length - 1))

const narrowest = (column: Measured): number => column.narrowest

/**
 * Whether rows can be printed under a header that is there already: no cell is truncated that must be whole, and none to
 * less than the narrowest width of its column.
 */
export const fits = (self: Layout, rows: ReadonlyArray<ReadonlyArray<string>>): boolean =>
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
  return shown
}

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

const cell = (column: Measured, value: string, isLast: boolean): string => {
  const safe = escapeControls(value)
  const cut =
    canBeCut(column, value) && stringWidth(safe) > column.width
      ? cliTruncate(safe, column.width, { position: column.cut ?? "end" })
      : safe
  const padding = " ".repeat(Math.max(0, column.width - stringWidth(cut)))
  const styled = column.style === undefined ? cut : column.style(cut, value)
  if (column.align === "right") return padding + styled
  return isLast ? styled : styled + padding
}

/** The line of headers. */
export const header = (self: Layout, style: (text: string) => string): string =>
  style(
    self.columns
      .map((column, index) => cell({ ...column, style: plain }, column.header, index === self.columns.length - 1))
      .join(gap)
      .trimEnd(),
  )

const plain = (text: string): string => text

/** A row as a line, or as several if its last cell wraps. */
export const line = (self: Layout, row: ReadonlyArray<string>): string => {
  const last = self.columns.at(-1)
  if (last?.wrap !== true) return oneLine(self, row)
  const [first = "", ...rest] = wrapAnsi(escapeControls(row[last.index] ?? ""), last.width, { hard: true }).split("\n")
  const indent = " ".repeat(total(self.columns, (column) => column.width) - last.width)
  const firstRow = row.map((value, index) => (index === last.index ? first : value))
  return [oneLine(self, firstRow), ...rest.map((text) => indent + text)].join("\n")
}

const oneLine = (self: Layout, row: ReadonlyArray<string>): string =>
  self.columns
    .map((column, index) => cell(column, row[column.index] ?? "", index === self.columns.length - 1))
    .join(gap)
    .trimEnd()

/** For rows that fit no layout: each cell on its own line after its header, with an empty line between rows. */
export const stacked = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  { width, heading }: { readonly width: number; readonly heading: (text: string) => string },
): string => {
  const widest = widthOf(columns.map((column) => column.header))
  const indent = " ".repeat(widest + gap.length)
  const lineOf = (column: Column, value: string): string => {
    const safe = wrapAnsi(escapeControls(value), Math.max(1, width - indent.length)).replaceAll("\n", `\n${indent}`)
    const label = column.header + " ".repeat(widest - stringWidth(column.header))
    return `${heading(label)}${gap}${column.style === undefined ? safe : column.style(safe, value)}\n`
  }
  return rows
    .map((row) => columns.flatMap((column, index) => (row[index] ? [lineOf(column, row[index])] : [])).join(""))
    .join("\n")
}

/** Names the dropped columns; stacked rows have all of them. */
export const remark = ({ hidden, isTooWide }: Pick<Layout, "hidden" | "isTooWide">): string =>
  hidden.length === 0 || isTooWide ? "" : `Hidden columns (terminal too narrow): ${hidden.join(", ")}.\n`

/** A whole table with its header; stacked if even its narrowest form does not fit. */
export function* lines(
  self: Layout,
  columns: ReadonlyArray<Column>,
  rows: Iterable<ReadonlyArray<string>>,
  options: { readonly width: number; readonly heading: (text: string) => string },
): Generator<string> {
  if (!self.isTooWide) yield `${header(self, options.heading)}\n`
  let gap = ""
  for (const row of rows) {
    yield self.isTooWide ? gap + stacked(columns, [row], options) : `${line(self, row)}\n`
    gap = "\n"
  }
}

/** The same, as one text. */
export const render = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  options: { readonly width: number; readonly heading: (text: string) => string },
): string => [...lines(layout(columns, rows, options.width), columns, rows, options)].join("")
