/** Tables of a page. On a narrow screen each row is a block of labelled cells, so that nothing is cut or scrolled. */
import { type Html, markup, nothing } from "./Html.ts"

/** A column. `kind` says what its cells hold: identifiers and amounts break only if they are long, times and lines never; text is read from the left on a phone, too, and so are names, which never break on a wide screen. */
export interface Column {
  readonly header: string
  readonly kind?: "id" | "amount" | "time" | "line" | "text" | "name"
}

/** A table without the columns that are empty in every row. Roles stay where styles make blocks of rows. */
export const table = (columns: ReadonlyArray<Column>, rows: ReadonlyArray<ReadonlyArray<Html>>): Html => {
  if (rows.length === 0) return nothing
  const shown = columns
    .map((column, index) => ({ ...column, index }))
    .filter(({ index }) => rows.some((row) => !isEmpty(row[index])))
  // Few columns without long identifiers fit on a tablet as they are.
  const isFew = shown.length <= 5 && shown.every(({ kind }) => kind !== "id")
  const heads = shown.map(
    ({ header, kind }) => markup`<th role="columnheader" scope="col" class="${kind}">${header}</th>`,
  )
  const isWide =
    shown.reduce((sum, { index }) => sum + Math.max(...rows.map((row) => lengthOf(row[index]))), 0) > mostInRow
  const lines = rows.map((row) => {
    const cells = shown.map(
      ({ header, kind, index }) =>
        markup`<td role="cell" class="${isWide && kind === "id" ? kind : classOf(kind, row[index])}" data-label="${header}">${isEmpty(row[index]) ? undefined : markup`<span>${row[index]}</span>`}</td>`,
    )
    return markup`<tr role="row">${cells}</tr>\n`
  })
  return markup`<table role="table"${isFew ? markup` class="few"` : nothing}><thead role="rowgroup"><tr role="row">${heads}</tr></thead><tbody role="rowgroup">
${lines}</tbody></table>
`
}

/** How many characters of a kind are kept on one line, so that they can be read, copied and searched for. */
const mostOnLine = { id: 40, amount: 28 }

/** How many characters are beside each other on a desktop. In a wider table, identifiers break. */
const mostInRow = 150

const linesOf = (text: string): ReadonlyArray<string> => text.replaceAll(/<(?!br)[^<>]*>/g, "").split("<br />")

/** Prose takes the width that is left. */
const lengthOf = ({ text }: Html = nothing): number => {
  const longest = Math.max(...linesOf(text).map((line) => line.length))
  return text.includes(" ") && longest > 40 ? 20 : longest
}

const classOf = (kind: Column["kind"], { text }: Html = nothing): string | undefined => {
  if (kind === "name") return "text line"
  if (kind !== "id" && kind !== "amount") return kind
  return linesOf(text).every((line) => line.length <= mostOnLine[kind]) ? `${kind} line` : kind
}

const isEmpty = (cell: Html | undefined): boolean => cell === undefined || cell.text === ""
