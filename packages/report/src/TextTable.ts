/**
 * Tables that fit the terminal. Widths are in cells (`string-width`), so that wide characters and emoji align. Identifiers,
 * amounts and currencies are never truncated. If a table does not fit, columns that allow it are truncated, and the least
 * important ones dropped. Rows get a second line if one is too narrow, and rows with several identifiers also if it shows
 * more columns. If two are too narrow, each cell gets a line.
 */
import { escapeControls } from "@transferkit/domain/SafeText"
import stringWidth from "string-width"
import wrapAnsi from "wrap-ansi"
import { widthOf } from "./internal/text/CellWidth.ts"
import * as Line from "./TextLine.ts"
import type { Column } from "./TextLine.ts"

export type { Column } from "./TextLine.ts"

/** How the rows of a table are shown. */
export interface Layout {
  /** A line for each row; one that begins with its identifiers and one for the rest; or one for each cell. */
  readonly form: "lines" | "folded" | "stacked"
  /** The headers of dropped columns. */
  readonly hidden: ReadonlyArray<string>
  /** Whether there are no rows. */
  readonly isEmpty: boolean
  readonly columns: ReadonlyArray<Column>
  readonly lines: ReadonlyArray<Line.Line>
  readonly width: number
}

const indent = "  "

/** Fits columns to a width by some rows. Later rows may need another layout: see {@link fits}. */
export const layout = (
  columns: ReadonlyArray<Column>,
  rows: Iterable<ReadonlyArray<string>>,
  width: number,
): Layout => {
  const { measured, isEmpty } = Line.measure(columns, rows)
  const whole = Line.make(measured, width)
  const folded = whole.hidden.length > 0 || whole.isTooWide ? fold(measured, width) : undefined
  const isRecord = measured.filter(({ id }) => id === true).length > 1
  if (folded !== undefined && (whole.isTooWide || (isRecord && folded.hidden.length < whole.hidden.length))) {
    return { form: "folded", ...folded, isEmpty, columns, width }
  }
  return whole.isTooWide
    ? { form: "stacked", lines: [], hidden: [], isEmpty, columns, width }
    : { form: "lines", lines: [whole], hidden: whole.hidden, isEmpty, columns, width }
}

/** Two lines: the identifiers, with as many of the next columns as leave the fewest to drop; and the rest. */
const fold = (columns: ReadonlyArray<Line.Measured>, width: number): Pick<Layout, "lines" | "hidden"> | undefined => {
  const ids = columns.filter(({ id }) => id === true)
  const others = columns.filter(({ id }) => id !== true)
  return others
    .map((_, count) => ({ first: [...ids, ...others.slice(0, count)], second: others.slice(count) }))
    .filter(({ first }, count) => ids.length > 0 && (count === 0 || Line.isRoomy(first, width)))
    .map(({ first, second }) => [Line.make(first, width), Line.make(second, width - indent.length)])
    .filter((lines) => lines.every((line) => line.columns.length > 0 && !line.isTooWide))
    .map((lines) => ({ lines, hidden: lines.flatMap((line) => line.hidden) }))
    .reduce<Pick<Layout, "lines" | "hidden"> | undefined>(
      (best, each) => (best === undefined || each.hidden.length < best.hidden.length ? each : best),
      undefined,
    )
}

/**
 * Whether rows can be printed under a header that is there already: no cell is truncated that must be whole, and none to
 * less than the narrowest width of its column.
 */
export const fits = (self: Layout, rows: ReadonlyArray<ReadonlyArray<string>>): boolean =>
  self.lines.every((line) => Line.fits(line, rows))

/** The headers; nothing where each cell has its header beside it. */
export const header = (self: Layout, style: (text: string) => string): string =>
  self.lines.map((line, index) => `${index === 0 ? "" : indent}${style(Line.header(line))}\n`).join("")

/** A row. Rows of one line per cell have an empty line between them. */
export const row = (
  self: Layout,
  cells: ReadonlyArray<string>,
  { heading, isFirst }: { readonly heading: (text: string) => string; readonly isFirst: boolean },
): string => {
  if (self.form === "stacked") return `${isFirst ? "" : "\n"}${stacked(self, cells, heading)}`
  const [first = "", ...rest] = self.lines.map((line) => Line.text(line, cells))
  const below = rest.filter((text) => text !== "").map((text) => indent + text.replaceAll("\n", `\n${indent}`))
  // A row that goes on with the one above has no identifiers, and no line for them.
  return `${[...(first === "" && below.length > 0 ? [] : [first]), ...below].join("\n")}\n`
}

/** Each cell on its own line after its header. A word that is wider than the terminal stays whole. */
const stacked = (
  { columns, width }: Layout,
  cells: ReadonlyArray<string>,
  heading: (text: string) => string,
): string => {
  const widest = widthOf(columns.map((column) => column.header))
  const margin = " ".repeat(widest + indent.length)
  const lineOf = (column: Column, value: string): string => {
    const safe = wrapAnsi(escapeControls(value), Math.max(1, width - margin.length)).replaceAll("\n", `\n${margin}`)
    const label = column.header + " ".repeat(widest - stringWidth(column.header))
    return `${heading(label)}${indent}${column.style === undefined ? safe : column.style(safe, value)}\n`
  }
  return columns.flatMap((column, index) => (cells[index] ? [lineOf(column, cells[index])] : [])).join("")
}

/** Names the dropped columns. */
export const remark = (hidden: Iterable<string>): string => {
  const names = [...hidden]
  return names.length === 0 ? "" : `Hidden columns (terminal too narrow): ${names.join(", ")}.\n`
}

/** A whole table with its header. */
export const render = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  { width, heading }: { readonly width: number; readonly heading: (text: string) => string },
): string => {
  const self = layout(columns, rows, width)
  return (
    header(self, heading) + rows.map((cells, index) => row(self, cells, { heading, isFirst: index === 0 })).join("")
  )
}
