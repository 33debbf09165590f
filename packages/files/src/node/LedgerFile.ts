/** Reads ledgers from files, row by row. */
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { FileError } from "../FileError.ts"
import * as Csv from "../formats/Csv.ts"
import * as Ledger from "../ledgers/Ledger.ts"
import * as LedgerColumns from "../ledgers/LedgerColumns.ts"
import * as LedgerLayout from "../ledgers/LedgerLayout.ts"
import { LedgerRows } from "../ledgers/LedgerRows.ts"
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
  readonly entries: Stream.Stream<ReadonlyArray<Reconciliation.LedgerEntry>, FileError>
  /** How it was read. Its counts are those of the latest run of `entries`. */
  readonly reading: Effect.Effect<Ledger.Reading>
}

const batchSize = 1000

/** Detects how a ledger is written, reading as much of it as that takes. `placeOf` names a place in it for people. */
export const open = (
  path: string,
  options: LedgerFileOptions,
  placeOf?: (place: string) => string,
): Effect.Effect<LedgerFile, FileError> => {
  const toError = (error: unknown) => new FileError({ path, reason: Csv.reasonOf(error) })
  return Effect.tryPromise({
    try: async () => {
      const keyOf = options.keyPattern === undefined ? undefined : await keyOfPattern(options.keyPattern)
      const table = await tableOf(path, options)
      const layout = await proved(table, await LedgerLayout.inspect(table, options), options)
      let reader = new LedgerRows(layout, options, table, { keyOf })
      const counts = { outside: 0, pending: 0 }

      async function* entries(): AsyncGenerator<ReadonlyArray<Reconciliation.LedgerEntry>> {
        reader = new LedgerRows(layout, options, table, { keyOf })
        Object.assign(counts, { outside: 0, pending: 0 })
        let batch: Array<Reconciliation.LedgerEntry> = []
        const isWithin = Reconciliation.within(options).entry
        for await (const row of LedgerLayout.below(table, layout.place)) {
          const entry = reader.read(row)
          if (entry === undefined) continue
          if (!isWithin(entry)) counts.outside++
          else batch.push(placeOf === undefined ? entry : { ...entry, reference: placeOf(entry.reference) })
          if (batch.length < batchSize) continue
          yield batch
          batch = []
        }
        reader.end()
        counts.pending = table.pending?.() ?? 0
        if (reader.rows === 0)
          throw new Error("it has a header, but all rows below it were left out: none is a booking")
        if (table.keyQuestion !== undefined && options.columns.key === undefined && !reader.hasKey) {
          throw new Error(table.keyQuestion)
        }
        if (batch.length > 0) yield batch
      }

      return {
        entries: Stream.suspend(() => Stream.fromAsyncIterable(entries(), toError)),
        reading: Effect.sync(() => readingOf(path, table, layout, options, reader, counts)),
      }
    },
    catch: toError,
  })
}

/** Loaded only for a pattern. */
const keyOfPattern = async (pattern: string) => {
  const { make } = await import("../ledgers/KeyPattern.ts")
  return Result.getOrThrowWith(make(pattern), (reason) => new Error(reason))
}

/** The layout with the sign that the running balance proves. */
const proved = async (
  table: Ledger.Table,
  layout: LedgerLayout.LedgerLayout,
  options: Ledger.LedgerOptions,
): Promise<LedgerLayout.LedgerLayout> => {
  if (layout.toProve.length === 0) return layout
  const tries = layout.toProve.map((sign) => {
    const candidate = { ...layout, sign }
    return { candidate, rows: new LedgerRows(candidate, options, table, { isProof: true }) }
  })
  for await (const row of LedgerLayout.below(table, layout.place)) for (const { rows } of tries) rows.read(row)
  const [found, ...others] = tries.filter(({ rows }) => rows.balance.broken === undefined && rows.balance.links > 0)
  if (found !== undefined && others.length === 0) return found.candidate
  throw new Error(
    `${layout.question ?? ""}. Its balances do not prove it: they fit ${others.length > 0 ? "both" : "neither"}`,
  )
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
  const format = LedgerText.formatOf(head)
  switch (format) {
    case "csv":
      return CsvTable.detect(path, options)
    case "xlsx":
      return import("./WorkbookTable.ts").then(({ detect }) => detect(path, options))
    case "camt.053":
      return import("./StatementTable.ts").then(({ camt }) => camt(path, head))
    default:
      return import("./StatementTable.ts").then(({ text }) => text(path, format, options.encoding))
  }
}

// ---------------------------------------------------------------------------------------------------- rows

const readingOf = (
  path: string,
  table: Ledger.Table,
  layout: LedgerLayout.LedgerLayout,
  options: Ledger.LedgerOptions,
  reader: LedgerRows,
  { outside, pending }: { readonly outside: number; readonly pending: number },
): Ledger.Reading => {
  const { header, decimal, dateOrder, decimalShownBy, sign } = layout
  const columns: LedgerColumns.Columns = {
    ...layout.columns,
    ...(sign._tag === "Columns" ? { in: sign.in, out: sign.out } : {}),
    ...(sign._tag === "Marked" ? { sign: sign.column } : {}),
  }
  const found = LedgerColumns.parts.flatMap((part) => {
    const index = columns[part]
    return index === undefined ? [] : [[part, header[index]?.trim() ?? ""] as const]
  })
  const { rows, numbers, rounded } = reader
  const counts = { outside, pending, numbers, rounded, balances: reader.balance.links }
  const leftOut = reader.leftOut.counts
  return {
    file: path,
    rows,
    ...(layout.isFirst ? {} : { header: layout.place }),
    ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
    ...(reader.sums.length === 0 ? {} : { sums: reader.sums }),
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    ...table.facts,
    columns: Object.fromEntries(found),
    ...(sign._tag === "Marked" ? { markers: sign.markers } : {}),
    ...(decimalShownBy === undefined ? {} : { decimal }),
    ...(columns.date === undefined ? {} : { date_order: dateOrder }),
    detected: [
      ...table.detected,
      ...(layout.isFirst || options.headerRow !== undefined ? [] : (["header"] as const)),
      ...(decimalShownBy === undefined || options.decimal !== undefined ? [] : (["decimal"] as const)),
      ...(columns.date === undefined || options.dateOrder !== undefined ? [] : (["date_order"] as const)),
      ...found.flatMap(([part]) => (options.columns[part] === undefined ? [part] : [])),
    ],
  }
}
