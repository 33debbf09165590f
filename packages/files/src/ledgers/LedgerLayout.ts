/** What is detected of a ledger before its rows are read: its header, columns, notation, and sign. */
import * as Result from "effect/Result"
import * as Direction from "./Direction.ts"
import * as HeaderRow from "./HeaderRow.ts"
import type * as Ledger from "./Ledger.ts"
import * as LedgerAmount from "./LedgerAmount.ts"
import * as LedgerColumns from "./LedgerColumns.ts"
import * as LedgerDate from "./LedgerDate.ts"

/** The columns, the notation and the sign of a ledger. */
export interface LedgerLayout extends Ledger.Notation {
  readonly header: ReadonlyArray<string>
  /** The place of the header. */
  readonly place: string
  /** Whether the header is the first row. */
  readonly isFirst: boolean
  readonly columns: LedgerColumns.Columns
  readonly sign: Direction.Sign
  /** Signs of which the running balance must prove one. */
  readonly toProve: ReadonlyArray<Direction.Sign>
  /** What to ask if it proves none. */
  readonly question: string | undefined
  /** Absent if every amount is a number. */
  readonly decimalShownBy: Evidence<LedgerAmount.Decimal> | undefined
}

/** If this many rows leave something open, it is asked about, rather than searching on for a row that decides. */
const rowsSuffice = 10_000

const orThrow: <A>(result: Result.Result<A, string>) => A = Result.getOrThrowWith((reason) => new Error(reason))

/** Reads a table until its notation is beyond doubt. Throws an `Error` whose message says as a clause what to ask. */
export const inspect = async (table: Ledger.Table, options: Ledger.LedgerOptions): Promise<LedgerLayout> => {
  const { header, place, isFirst } = await headerOf(table, options)
  const columns = orThrow(LedgerColumns.find(header, options.columns))
  const given = orThrow(signOf(columns, options.columns, options.markers))
  const sides = columns.amount === undefined && given._tag === "Signed" ? Direction.sidesOf(header) : undefined
  const isAsked = given._tag === "Signed" && options.columns.sign === undefined && table.keyQuestion === undefined
  const directions = isAsked ? new Direction.Columnar(header, new Set(Object.values(columns))) : undefined
  const amountColumns =
    given._tag === "Columns"
      ? [given.in, given.out]
      : sides
        ? [sides.debit.index, sides.credit.index]
        : [columns.amount]
  const amounts = new Evidence(LedgerAmount.signOf, options.decimal)
  const dates = new Evidence(LedgerDate.orderOf, options.dateOrder)
  let rows = 0
  for await (const row of singly(below(table, place))) {
    rows++
    directions?.add(row.cells)
    for (const column of amountColumns) {
      const text = column === undefined ? undefined : row.cells[column]
      if (column !== undefined && !row.numbers?.has(column)) amounts.add({ text: text ?? "", place: row.place })
    }
    const date = columns.date === undefined ? undefined : row.cells[columns.date]
    if (date !== undefined) dates.add({ text: date, place: row.place })
    const isKnown = amounts.found !== undefined || (amounts.cells === 0 && rows >= rowsSuffice)
    const isDirected = directions?.isOpen !== true || rows >= rowsSuffice
    if (isKnown && isDirected && (columns.date === undefined || dates.found !== undefined)) break
  }
  if (rows === 0) {
    const found = table.keyQuestion === undefined ? "a header, but no rows" : "no booked transaction"
    throw new Error(`it has ${found}. If that is meant, there is nothing to match`)
  }
  if (dates.found === undefined && dates.doubtful !== undefined) {
    throw new Error(`${dates.doubtful.place}: ${LedgerDate.question(dates.doubtful.text)}`)
  }
  const question = directions?.question
  const toProve = columns.balance === undefined || question === undefined ? [] : provable(sides, directions, columns)
  if (question !== undefined && toProve.length === 0) throw new Error(question)
  const cell = amounts.proof ?? amounts.doubtful
  return {
    header,
    place,
    isFirst,
    columns,
    sign: toProve[0] ?? given,
    toProve,
    question,
    decimalShownBy: amounts.cells === 0 ? undefined : amounts,
    decimal: amounts.found ?? orThrow(LedgerAmount.detect(cell === undefined ? [] : [cell])),
    dateOrder: dates.found ?? "ymd",
    dateProof: dates.proof?.text,
  }
}

/** How the sign is shown, as far as the columns that a person has named say it. */
const signOf = (
  columns: LedgerColumns.Columns,
  given: LedgerColumns.Given,
  markers: Direction.Markers,
): Result.Result<Direction.Sign, string> => {
  if (columns.in !== undefined && columns.out !== undefined) {
    return Result.succeed({
      _tag: "Columns",
      in: columns.in,
      out: columns.out,
      isSigned: given.sign === LedgerColumns.noSign,
    })
  }
  if (columns.sign === undefined) return Result.succeed({ _tag: "Signed" })
  if (markers.in.length === 0 && markers.out.length === 0) {
    return Result.fail(
      `say which texts of its column ${JSON.stringify(given.sign?.slice(0, 64) ?? "")} are money in and out: --marker-in <text> --marker-out <text>`,
    )
  }
  return Result.succeed({ _tag: "Marked", column: columns.sign, markers })
}

/** The two ways to read the sides or the markers of a ledger. */
const provable = (
  sides: Direction.Sides | undefined,
  directions: Direction.Columnar | undefined,
  columns: LedgerColumns.Columns,
): ReadonlyArray<Direction.Sign> => {
  if (sides !== undefined) {
    const [debit, credit] = [sides.debit.index, sides.credit.index]
    return [
      { _tag: "Columns", in: credit, out: debit, isSigned: false },
      { _tag: "Columns", in: debit, out: credit, isSigned: false },
    ]
  }
  const [found, ...others] = directions?.found ?? []
  if (columns.amount === undefined || found?.markers === undefined || others.length > 0) return []
  const [credit, debit] = found.markers
  return [
    { _tag: "Marked", column: found.index, markers: { in: [credit], out: [debit] } },
    { _tag: "Marked", column: found.index, markers: { in: [debit], out: [credit] } },
  ]
}

/** The row that names the columns. */
const headerOf = async (table: Ledger.Table, { columns, headerRow }: Ledger.LedgerOptions) => {
  const first: Array<Ledger.TableRow> = []
  let row: Ledger.TableRow | undefined
  for await (const next of singly(table.rows())) {
    first.push(next)
    if (headerRow === undefined ? first.length === HeaderRow.within : numberOf(next.place) >= headerRow) break
  }
  if (headerRow === undefined) row = orThrow(HeaderRow.find(first, columns))
  else {
    row = first.at(-1)
    if (row === undefined || numberOf(row.place) !== headerRow) {
      throw new Error(`its line ${headerRow}, which --header-row names, is empty or beyond its end`)
    }
  }
  return {
    header: Array.from(row.cells, (cell) => cell ?? ""),
    place: row.place,
    isFirst: row.place === first[0]?.place,
  }
}

const numberOf = (place: string): number => Number(/[0-9]+/.exec(place)?.[0] ?? 0)

/** The rows below the header, in batches: a promise for each row takes as long as to read it. */
export async function* below(table: Ledger.Table, place: string): AsyncGenerator<ReadonlyArray<Ledger.TableRow>> {
  let isBelow = false
  for await (const rows of table.rows()) {
    const header: number = isBelow ? -1 : rows.findIndex((row) => row.place === place)
    if (isBelow || header >= 0) yield rows.slice(header + 1)
    isBelow ||= header >= 0
  }
}

async function* singly<A>(batches: AsyncIterable<ReadonlyArray<A>>): AsyncGenerator<A> {
  for await (const batch of batches) yield* batch
}

/** The first cell that shows a notation, and the first that could be in several. */
export class Evidence<A extends string> {
  cells = 0
  proof: LedgerAmount.Cell | undefined
  doubtful: LedgerAmount.Cell | undefined
  readonly #notationOf: (text: string) => A | "doubtful" | undefined
  found: A | undefined

  constructor(notationOf: (text: string) => A | "doubtful" | undefined, given: A | undefined) {
    this.#notationOf = notationOf
    this.found = given
  }

  add(cell: LedgerAmount.Cell): void {
    this.cells++
    if (this.found !== undefined) return
    const notation = this.#notationOf(cell.text)
    if (notation === "doubtful") this.doubtful ??= cell
    else if (notation !== undefined) {
      this.found = notation
      this.proof = cell
    }
  }
}
