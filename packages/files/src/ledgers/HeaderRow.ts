/** The row that names the columns: exports often begin with titles. */
import * as Result from "effect/Result"
import type { TableRow } from "./Ledger.ts"
import * as LedgerColumns from "./LedgerColumns.ts"

/** The header is one of the first rows that are not empty: of this many. */
export const within = 40

const isHeader = (row: TableRow, given: LedgerColumns.Given): boolean => LedgerColumns.score(row.cells, given).isHeader

/** The row that is closest to a header, and how close it is: the names that it has, and its cells. */
export const closest = (rows: ReadonlyArray<TableRow>, given: LedgerColumns.Given) => {
  let best: { readonly row: TableRow; readonly named: number; readonly cells: number } | undefined
  for (const row of rows) {
    const { named } = LedgerColumns.score(row.cells, given)
    const cells = row.cells.filter((cell) => cell !== undefined && cell.trim() !== "").length
    if (best === undefined || named > best.named || (named === best.named && cells > best.cells)) {
      best = { row, named, cells }
    }
  }
  return best
}

const same = (a: TableRow, b: TableRow): boolean =>
  a.cells.length === b.cells.length && a.cells.every((cell, index) => cell?.trim() === b.cells[index]?.trim())

/** Whether one of the rows is a header, but for repeats of it. */
export const isFound = (rows: ReadonlyArray<TableRow>, given: LedgerColumns.Given): boolean =>
  Result.isSuccess(find(rows, given))

/** The one row that names each wanted part once; or what to ask, as a clause. */
export const find = (rows: ReadonlyArray<TableRow>, given: LedgerColumns.Given): Result.Result<TableRow, string> => {
  const [first, ...others] = rows.filter((row) => isHeader(row, given))
  const other = first === undefined ? undefined : others.find((row) => !same(row, first))
  if (first !== undefined && other === undefined) return Result.succeed(first)
  if (first !== undefined && other !== undefined) {
    return Result.fail(`both ${first.place} and ${other.place} could name its columns: ${which(rows)}`)
  }
  const best = closest(rows, given)
  if (best === undefined) return Result.fail("it is empty: a row should name the columns")
  const columns = LedgerColumns.find(
    Array.from(best.row.cells, (cell) => cell ?? ""),
    given,
  )
  if (Result.isSuccess(columns)) return Result.succeed(best.row)
  const isFirst = best.row === rows[0] && best.named > 0
  return Result.fail(
    isFirst || rows.length < 2
      ? columns.failure
      : `if ${best.row.place} names its columns, ${columns.failure} If another row does, ${which(rows)}`,
  )
}

const shownRows = 6
const shownLength = 80

const which = (rows: ReadonlyArray<TableRow>): string => {
  const lines = rows.slice(0, shownRows).map(({ place, cells }) => {
    const text = cells
      .map((cell) => cell?.trim() ?? "")
      .filter((cell) => cell !== "")
      .join(" | ")
    return `${place}: ${text.length > shownLength ? `${text.slice(0, shownLength)}…` : text}`
  })
  return `say which with --header-row <number>. It begins with ${lines.join("; ")}`
}
