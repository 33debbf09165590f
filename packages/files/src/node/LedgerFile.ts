/** Reads ledgers from files, row by row. */
import type { CreatedAt } from "@transferkit/domain/CreatedAt"
import type { LedgerEntry } from "@transferkit/domain/Reconciliation"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { FileError } from "../FileError.ts"
import * as Csv from "../formats/Csv.ts"
import * as Ledger from "../ledgers/Ledger.ts"
import * as LedgerAmount from "../ledgers/LedgerAmount.ts"
import * as LedgerDate from "../ledgers/LedgerDate.ts"
import * as LedgerText from "../ledgers/LedgerText.ts"
import * as CsvTable from "./CsvTable.ts"
import * as LedgerBytes from "./LedgerBytes.ts"

/** How a ledger file is written. What is absent is detected. */
export interface LedgerFileOptions extends Ledger.LedgerOptions, CsvTable.CsvTableOptions {
  /** The sheet of a workbook that has several. */
  readonly sheet: string | undefined
}

/** Options that detect everything. */
export const detectAll: LedgerFileOptions = {
  ...Ledger.detectAll,
  delimiter: undefined,
  encoding: undefined,
  sheet: undefined,
}

/** A ledger whose columns and notation are known. */
export interface LedgerFile {
  /** Its entries, in batches. Each run reads the file again, and fails at the first row that cannot be read. */
  readonly entries: Stream.Stream<ReadonlyArray<LedgerEntry>, FileError>
  /** How it was read. Its counts are those of the latest run of `entries`. */
  readonly reading: Effect.Effect<Ledger.Reading>
}

const batchSize = 1000

/** If so many amounts are numbers, a later one that is text is asked about rather than looked for. */
const numbersSuffice = 10_000

const zero = { rows: 0, outside: 0, pending: 0, numbers: 0, rounded: 0 }

/** Detects how a ledger is written, reading as much of it as that takes. `placeOf` names a place in it for people. */
export const open = (
  path: string,
  options: LedgerFileOptions,
  placeOf?: (place: string) => string,
): Effect.Effect<LedgerFile, FileError> => {
  const toError = (error: unknown) => new FileError({ path, reason: Csv.reasonOf(error) })
  return Effect.tryPromise({
    try: async () => {
      const table = await tableOf(path, options)
      const layout = await inspect(table, options)
      const counts = { ...zero }

      async function* entries(): AsyncGenerator<ReadonlyArray<LedgerEntry>> {
        Object.assign(counts, zero)
        let [isHeader, hasKey] = [true, false]
        let batch: Array<LedgerEntry> = []
        const isWithin = withinOf(options.period)
        for await (const rows of table.rows()) {
          for (const cells of rows) {
            if (isHeader) {
              isHeader = false
              continue
            }
            const row = Ledger.toRow(cells, layout.columns)
            counts.rows++
            if (row.numbers.amount === "rounded") counts.rounded++
            if (row.numbers.amount === "rounded" || row.numbers.amount === "exact") counts.numbers++
            const entry = entryOf(row, layout, options)
            hasKey ||= entry.key !== ""
            if (!isWithin(entry)) counts.outside++
            else batch.push(placeOf === undefined ? entry : { ...entry, reference: placeOf(entry.reference) })
            if (batch.length < batchSize) continue
            yield batch
            batch = []
          }
        }
        counts.pending = table.pending?.() ?? 0
        if (table.keyQuestion !== undefined && options.columns.key === undefined && !hasKey) {
          throw new Error(table.keyQuestion)
        }
        if (batch.length > 0) yield batch
      }

      return {
        entries: Stream.suspend(() => Stream.fromAsyncIterable(entries(), toError)),
        reading: Effect.sync(() => readingOf(path, table, layout, options, counts)),
      }
    },
    catch: toError,
  })
}

/** Reads all of a ledger. */
export const read = Effect.fnUntraced(function* (...args: Parameters<typeof open>) {
  const { entries, reading } = yield* open(...args)
  const batches = yield* Stream.runCollect(entries)
  return { entries: batches.flat(), reading: yield* reading }
})

/** Code for other formats than CSV is loaded when it is needed. */
const tableOf = async (path: string, options: LedgerFileOptions): Promise<Ledger.Table> => {
  const head = await LedgerBytes.head(path)
  switch (LedgerText.formatOf(head)) {
    case "csv":
      return CsvTable.detect(path, options)
    case "xlsx":
      return import("./WorkbookTable.ts").then(({ detect }) => detect(path, options))
    case "camt.053":
      return import("./StatementTable.ts").then(({ camt }) => camt(path, head))
    case "mt940":
      return import("./StatementTable.ts").then(({ mt940 }) => mt940(path, options.encoding))
  }
}

// ---------------------------------------------------------------------------------------------------- detection

/** The columns and the notation of a ledger. */
interface Layout extends Ledger.Notation {
  readonly header: ReadonlyArray<string>
  readonly columns: Ledger.Columns
  /** Absent if every amount is a number. */
  readonly decimalShownBy: Evidence<LedgerAmount.Decimal> | undefined
}

/** Reads a table until its notation is beyond doubt. */
const inspect = async (table: Ledger.Table, options: Ledger.LedgerOptions): Promise<Layout> => {
  let header: ReadonlyArray<string> | undefined
  let columns: Ledger.Columns = {}
  let rows = 0
  const amounts = new Evidence(LedgerAmount.signOf, options.decimal)
  const dates = new Evidence(LedgerDate.orderOf, options.dateOrder)
  for await (const tableRow of singly(table.rows())) {
    if (header === undefined) {
      header = tableRow.cells.map((cell) => cell ?? "")
      columns = orThrow(Ledger.findColumns(header, options))
      continue
    }
    rows++
    const { amount, date, numbers, place } = Ledger.toRow(tableRow, columns)
    if (numbers.amount === undefined) amounts.add({ text: amount ?? "", place })
    if (date !== undefined) dates.add({ text: date, place })
    const isKnown = amounts.found !== undefined || (amounts.cells === 0 && rows >= numbersSuffice)
    if (isKnown && (columns.date === undefined || dates.found !== undefined)) break
  }
  if (header === undefined) throw new Error("it is empty: its first row should name the columns")
  if (rows === 0) {
    const found = table.keyQuestion === undefined ? "a header, but no rows" : "no booked transaction"
    throw new Error(`it has ${found}. If that is meant, there is nothing to match`)
  }
  if (dates.found === undefined && dates.doubtful !== undefined) {
    throw new Error(`${dates.doubtful.place}: ${LedgerDate.question(dates.doubtful.text)}`)
  }
  const cell = amounts.proof ?? amounts.doubtful
  return {
    header,
    columns,
    decimalShownBy: amounts.cells === 0 ? undefined : amounts,
    decimal: amounts.found ?? orThrow(LedgerAmount.detect(cell === undefined ? [] : [cell])),
    dateOrder: dates.found ?? "ymd",
  }
}

async function* singly<A>(batches: AsyncIterable<ReadonlyArray<A>>): AsyncGenerator<A> {
  for await (const batch of batches) yield* batch
}

/** The first cell that shows a notation, and the first that could be in several. */
class Evidence<A extends string> {
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

// ---------------------------------------------------------------------------------------------------- rows

/** Remembers days: a ledger has few of them. */
const withinOf = (period: CreatedAt): ((entry: LedgerEntry) => boolean) => {
  const days = new Map<string | undefined, boolean>()
  return (entry) => {
    const known = days.get(entry.date) ?? Ledger.isWithin(entry, period)
    days.set(entry.date, known)
    return known
  }
}

/** An entry. If its amount contradicts the detected decimal sign, both cells are named. */
const entryOf = (row: Ledger.Row, layout: Layout, options: Ledger.LedgerOptions): LedgerEntry => {
  if (layout.decimalShownBy === undefined && row.numbers.amount === undefined && options.decimal === undefined) {
    const shown = JSON.stringify(row.amount ?? "")
    throw new Error(`${row.place}: the amount ${shown} is a text among numbers. Name its decimal sign with --decimal`)
  }
  const entry = Ledger.toEntry(row, layout, options)
  const proof = layout.decimalShownBy?.proof
  if (Result.isFailure(entry) && proof !== undefined && row.numbers.amount === undefined) {
    orThrow(LedgerAmount.detect([proof, { text: row.amount ?? "", place: row.place }]))
  }
  return orThrow(entry)
}

const orThrow: <A>(result: Result.Result<A, string>) => A = Result.getOrThrowWith((reason) => new Error(reason))

const readingOf = (
  path: string,
  table: Ledger.Table,
  { header, columns, decimal, dateOrder, decimalShownBy }: Layout,
  options: Ledger.LedgerOptions,
  { rows, ...others }: Readonly<typeof zero>,
): Ledger.Reading => {
  const found = Ledger.parts.flatMap((part) => {
    const index = columns[part]
    return index === undefined ? [] : [[part, header[index]?.trim() ?? ""] as const]
  })
  return {
    file: path,
    rows,
    ...Object.fromEntries(Object.entries(others).filter(([, count]) => count > 0)),
    ...table.facts,
    columns: Object.fromEntries(found),
    ...(decimalShownBy === undefined ? {} : { decimal }),
    ...(columns.date === undefined ? {} : { date_order: dateOrder }),
    detected: [
      ...table.detected,
      ...(decimalShownBy === undefined || options.decimal !== undefined ? [] : (["decimal"] as const)),
      ...(columns.date === undefined || options.dateOrder !== undefined ? [] : (["date_order"] as const)),
      ...found.flatMap(([part]) => (options.columns[part] === undefined ? [part] : [])),
    ],
  }
}
