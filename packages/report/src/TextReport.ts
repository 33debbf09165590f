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
}

/** A table or a paragraph, with a title if there are several. A table may have a narrow form, for where it does not fit. */
export type Section = { readonly title?: string } & (
  | (Table & { readonly narrow?: ReadonlyArray<Section> })
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

/** What is said of the rows that are not shown. */
export const rest = (
  shown: number,
  total: number | undefined,
  { whole, width }: Pick<Options, "whole" | "width">,
): string =>
  wrapped(`The first ${grouped(shown)}${total === undefined ? "" : ` of ${grouped(total)}`} rows. ${whole}`, width)

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
  for (const section of sections) {
    const title =
      section.title === undefined ? "" : options.title(wrapped(section.title, options.width).trimEnd()) + "\n"
    if ("text" in section) {
      yield gap + title + wrapped(section.text, options.width)
      gap = "\n"
      continue
    }
    let isFirst = true
    for (const text of tableOf(section, options, hidden)) {
      yield isFirst ? `${gap}${title}${text}` : text
      isFirst = false
    }
    if (!isFirst) gap = "\n"
  }
}

type TableSection = Extract<Section, { readonly columns: unknown }>

function* tableOf(
  { columns, rows, size, narrow }: TableSection,
  options: Options,
  hidden: Set<string>,
): Generator<string> {
  const { width, heading } = options
  const room = roomOf(width)
  const first = Number.isFinite(room) ? [...Iterable.take(rows, room)] : rows
  const layout = TextTable.layout(columns, first, width)
  if (layout.isEmpty) return
  if (narrow !== undefined && (layout.form !== "lines" || layout.hidden.length > 0)) {
    return yield* textsOf(narrow, options, hidden)
  }
  for (const name of layout.hidden) hidden.add(name)
  yield TextTable.header(layout, heading)
  let shown = 0
  for (const cells of first) yield TextTable.row(layout, cells, { heading, isFirst: shown++ === 0 })
  if (shown < room) return
  const total = size ?? Iterable.size(rows)
  if (shown < total) yield rest(shown, total, options)
}
