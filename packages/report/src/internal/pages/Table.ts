/** Tables of a page. On a narrow screen each row is a block of labelled cells, so that nothing is cut or scrolled. */
import { type Html, markup, nothing } from "./Html.ts"

/** A column. `kind` says what its cells hold: identifiers and amounts break only if they are long, times and lines never; text is read from the left on a phone, too, and so are names, which never break on a wide screen. */
export interface Column {
  readonly header: string
  /** Goes to a second line of each row if the table is too wide for one. The first column stays above one of these. */
  readonly below?: true
  readonly kind?: "id" | "amount" | "time" | "line" | "text" | "name"
}

/** A table without the columns that are empty in every row. Roles stay where styles make blocks of rows. */
export const table = (columns: ReadonlyArray<Column>, rows: ReadonlyArray<ReadonlyArray<Html>>): Html => {
  if (rows.length === 0) return nothing
  const shown = columns
    .map((column, index) => ({ ...column, index }))
    .filter(({ index }) => rows.some((row) => !isEmpty(row[index])))
  const widths = shown.map(({ index, kind }) => ({
    kind,
    width: Math.max(...rows.map((row) => lengthOf(row[index]))),
  }))
  const width = widths.reduce((sum, column) => sum + column.width, 0)
  // Few columns without long identifiers fit on a tablet as they are, with words on several lines and amounts on one.
  const least = widths.reduce(
    (sum, column) => sum + (column.kind === "amount" ? column.width : Math.min(column.width, ofProse)),
    0,
  )
  const isFew = shown.length <= 5 && shown.every(({ kind }) => kind !== "id") && least <= mostOnPaper
  const [above, below] = [shown.filter((column) => !column.below), shown.filter((column) => column.below)]
  const isTwofold = width > mostOnPaper && above.length > 1 && below.length > 0
  const breaksIds = !isTwofold && width > mostInRow
  const heads = (own: typeof shown, spans: ReadonlyArray<number>) =>
    markup`<tr role="row">${own.map(({ header, kind }, at) => markup`<th role="columnheader" scope="col" class="${kind}"${spanned(spans[at])}>${header}</th>`)}</tr>`
  const cells = (own: typeof shown, row: ReadonlyArray<Html>, spans: ReadonlyArray<number>) =>
    own.map(
      ({ header, kind, index }, at) =>
        markup`<td role="cell" class="${breaksIds && kind === "id" ? kind : classOf(kind, row[index])}" data-label="${header}"${spanned(spans[at])}>${isEmpty(row[index]) ? undefined : markup`<span>${row[index]}</span>`}</td>`,
    )
  const spans = spansOf(above.length, below.length)
  const head = isTwofold ? markup`${heads(above, spans.above)}${heads(below, spans.below)}` : heads(shown, [])
  const lines = rows.map((row) =>
    isTwofold
      ? markup`<tr role="row" class="upper">${cells(above, row, spans.above)}</tr>
<tr role="row" class="lower">${cells(below, row, spans.below)}</tr>\n`
      : markup`<tr role="row">${cells(shown, row, [])}</tr>\n`,
  )
  const kind = isTwofold ? "twofold" : isFew ? "few" : least <= mostWhole ? "whole" : undefined
  return markup`<table role="table"${kind === undefined ? nothing : markup` class="${kind}"`}><thead role="rowgroup">${head}</thead><tbody role="rowgroup">
${lines}</tbody></table>
`
}

/** How many columns each cell of the two lines of a row takes: the last of a line takes those that are left. */
const spansOf = (above: number, below: number) => {
  const columns = Math.max(above, below)
  const of = (count: number) => Array.from({ length: count }, (_, at) => (at < count - 1 ? 1 : columns - count + 1))
  return { above: of(above), below: of(below) }
}

const spanned = (columns = 1): Html => (columns === 1 ? nothing : markup` colspan="${columns}"`)

/** How many characters of a kind are kept on one line, so that they can be read, copied and searched for. */
const mostOnLine = { id: 40, amount: 28 }

/** How many characters are beside each other on a sheet of Letter. */
const mostOnPaper = 100

/** How many characters leave room on a desktop for amounts on one line each. */
const mostWhole = 130

/** How many characters are beside each other on a desktop. In a wider table, identifiers break. */
const mostInRow = 150

const linesOf = (text: string): ReadonlyArray<string> => text.replaceAll(/<(?!br)[^<>]*>/g, "").split("<br />")

/** What prose takes at least: it takes the width that is left. */
const ofProse = 20

const lengthOf = ({ text }: Html = nothing): number => {
  const longest = Math.max(...linesOf(text).map((line) => line.length))
  return text.includes(" ") && longest > 40 ? ofProse : longest
}

const classOf = (kind: Column["kind"], { text }: Html = nothing): string | undefined => {
  if (kind === "name") return "text line"
  if (kind !== "id" && kind !== "amount") return kind
  return linesOf(text).every((line) => line.length <= mostOnLine[kind]) ? `${kind} line` : kind
}

const isEmpty = (cell: Html | undefined): boolean => cell === undefined || cell.text === ""
