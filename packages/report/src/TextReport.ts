/**
 * The results of a command as text: tables and paragraphs, one below the other. On a terminal, a long table ends early and
 * says where the rest is; in a file or a pipe, it is whole.
 */
import { grouped } from "@transferkit/domain/Quantity"
import { escapeControls } from "@transferkit/domain/SafeText"
import * as Iterable from "effect/Iterable"
import wrapAnsi from "wrap-ansi"
import * as TextTable from "./TextTable.ts"

/** Columns and their rows. */
export interface Table {
  readonly columns: ReadonlyArray<TextTable.Column>
  readonly rows: Iterable<ReadonlyArray<string>>
  readonly size?: number
  /** Whether it is a part of one table that has several, which share the room of one. */
  readonly isPart?: true
}

/** What a terminal shows of a table that has more rows than this, and what it is, as a sentence. */
export interface Brief extends Table {
  readonly above: number
  readonly what: string
}

/** A table or a paragraph, with a title if there are several. A table may have a narrow form, for where it does not fit. */
export type Section = { readonly title?: string } & (
  | (Table & { readonly narrow?: ReadonlyArray<Section>; readonly brief?: Brief })
  | { readonly text: string }
)

/** How to show it. */
export interface Options {
  /** Cells per line; infinite without a terminal. */
  readonly width: number
  readonly title: (text: string) => string
  readonly heading: (text: string) => string
  /** Where the rest of a table is, as a sentence. */
  readonly whole: string
}

/** The most rows of a table on a terminal: more would push away what the reader came for. */
export const roomOf = (width: number): number => (Number.isFinite(width) ? 100 : Number.POSITIVE_INFINITY)

/** How many fewer rows a terminal shows where each cell has a line. */
const stackedShare = 3

/** What is said of the rows that are not shown. */
export const rest = (
  shown: number,
  total: number | undefined,
  { whole, width }: Pick<Options, "whole" | "width">,
): string =>
  wrapped(
    `The first ${grouped(shown)}${total === undefined ? "" : ` of ${grouped(total)}`} rows. ${whole}`.trimEnd(),
    width,
  )

const wrapped = (text: string, width: number): string => `${wrapAnsi(escapeControls(text), Math.min(width, 100))}\n`

/** The texts, and what to say of dropped columns when they were read. Rows may be more than fit in memory. */
export const make = (
  sections: ReadonlyArray<Section>,
  options: Options,
): { readonly texts: Iterable<string>; readonly remark: () => string } => {
  const hidden = new Set<string>()
  return {
    texts: { [Symbol.iterator]: () => textsOf(sections, options, hidden) },
    remark: () => TextTable.remark(hidden),
  }
}

function* textsOf(sections: ReadonlyArray<Section>, options: Options, hidden: Set<string>): Generator<string> {
  let gap = ""
  const { share, last } = partsOf(sections, roomOf(options.width))
  for (const section of sections) {
    const title =
      section.title === undefined ? "" : options.title(wrapped(section.title, options.width).trimEnd()) + "\n"
    if ("text" in section) {
      yield gap + title + wrapped(section.text, options.width)
      gap = "\n"
      continue
    }
    let isFirst = true
    const room = section.isPart === true ? share : roomOf(options.width)
    const own = section.isPart === true && last !== undefined && section !== last ? { ...options, whole: "" } : options
    for (const text of tableOf(section, room, own, hidden)) {
      yield isFirst ? `${gap}${title}${text}` : text
      isFirst = false
    }
    if (!isFirst) gap = "\n"
  }
}

type TableSection = Extract<Section, { readonly columns: unknown }>

/** How many rows each part has at most, and the last that ends early: it says where the rest of all of them is. */
const partsOf = (sections: ReadonlyArray<Section>, room: number) => {
  const parts = sections.filter((section) => "columns" in section).filter(({ isPart }) => isPart === true)
  const sizes = parts.map(({ size, rows }) => size ?? Iterable.size(rows))
  const share = shareOf(sizes, room)
  return { share, last: parts[sizes.findLastIndex((size) => size > share)] }
}

/** What each may have of a room: what small ones leave is for the others, and none has nothing. */
const shareOf = (sizes: ReadonlyArray<number>, room: number): number => {
  let left = room
  for (const [index, size] of sizes.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (sizes.length - index))
    if (size > share) return Math.max(1, share)
    left -= size
  }
  return room
}

function* tableOf(
  { columns, rows, size, narrow, brief }: TableSection,
  most: number,
  options: Options,
  hidden: Set<string>,
): Generator<string> {
  const { width, heading } = options
  if (brief !== undefined && Number.isFinite(most) && (size ?? Iterable.size(rows)) > brief.above) {
    yield* tableOf(brief, most, options, hidden)
    return yield wrapped(`${brief.what} ${options.whole}`, width)
  }
  const first = Number.isFinite(most) ? [...Iterable.take(rows, most)] : rows
  const layout = TextTable.layout(columns, first, width)
  if (layout.isEmpty) return
  if (narrow !== undefined && (layout.form !== "lines" || layout.hidden.length > 0)) {
    return yield* textsOf(narrow, options, hidden)
  }
  for (const name of layout.hidden) hidden.add(name)
  yield TextTable.header(layout, heading)
  let shown = 0
  const room = layout.form === "stacked" ? Math.ceil(most / stackedShare) : most
  for (const cells of Iterable.take(first, room))
    yield TextTable.row(layout, cells, { heading, isFirst: shown++ === 0 })
  if (shown < room) return
  const total = size ?? Iterable.size(rows)
  if (shown < total) yield rest(shown, total, options)
}
