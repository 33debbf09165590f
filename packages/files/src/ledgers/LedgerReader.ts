/** The entries of a table that is a ledger, in batches, without I/O: wherever the table comes from. */
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Result from "effect/Result"
import type * as Ledger from "./Ledger.ts"
import * as LedgerColumns from "./LedgerColumns.ts"
import * as LedgerLayout from "./LedgerLayout.ts"
import { LedgerRows } from "./LedgerRows.ts"

/** A ledger whose columns and notation are known. */
export interface LedgerReader {
  /** Reads the table. Throws an `Error` at the first row that cannot be read, with the reason as a clause. */
  readonly entries: () => AsyncGenerator<ReadonlyArray<Reconciliation.LedgerEntry>>
  /** How it was read. Its counts are those of the latest run of `entries`. */
  readonly reading: () => Ledger.Reading
}

const batchSize = 1000

/**
 * Detects how a table is written, reading as much of it as that takes. `placeOf` names a place in it for people. Rejects
 * with an `Error` whose message is the reason as a clause.
 */
export const open = async (
  file: string,
  table: Ledger.Table,
  options: Ledger.LedgerOptions,
  placeOf?: (place: string) => string,
): Promise<LedgerReader> => {
  const keyOf = options.keyPattern === undefined ? undefined : await keyOfPattern(options.keyPattern)
  const layout = await proved(table, await LedgerLayout.inspect(table, options), options)
  let reader = new LedgerRows(layout, options, table, { keyOf })
  const counts = { outside: 0, pending: 0, hidden: 0, unbalanced: 0 }
  let statements: Pick<Ledger.Reading, "gaps" | "repeated" | "unequal"> = {}

  async function* entries(): AsyncGenerator<ReadonlyArray<Reconciliation.LedgerEntry>> {
    reader = new LedgerRows(layout, options, table, { keyOf })
    Object.assign(counts, { outside: 0, pending: 0, hidden: 0, unbalanced: 0 })
    statements = {}
    let batch: Array<Reconciliation.LedgerEntry> = []
    const isWithin = Reconciliation.within(options).entry
    for await (const rows of LedgerLayout.below(table, layout.place)) {
      for (const row of rows) {
        const entry = reader.read(row)
        if (entry === undefined) continue
        if (!isWithin(entry)) counts.outside++
        else {
          if (row.isHidden === true) counts.hidden++
          batch.push(placeOf === undefined ? entry : { ...entry, reference: placeOf(entry.reference) })
        }
        if (batch.length < batchSize) continue
        yield batch
        batch = []
      }
    }
    reader.end()
    counts.pending = table.pending?.() ?? 0
    counts.unbalanced = table.unbalanced?.() ?? 0
    const [gaps = [], repeated = [], unequal = []] = [table.gaps?.(), table.repeated?.(), table.unequal?.()]
    statements = {
      ...(gaps.length > 0 && { gaps }),
      ...(repeated.length > 0 && { repeated }),
      ...(unequal.length > 0 && { unequal }),
    }
    if (reader.rows === 0) throw new Error("it has a header, but all rows below it were left out: none is a booking")
    if (table.keyQuestion !== undefined && options.columns.key === undefined && !reader.hasKey) {
      throw new Error(table.keyQuestion)
    }
    if (batch.length > 0) yield batch
  }

  return { entries, reading: () => readingOf(file, table, layout, options, reader, { ...counts, statements }) }
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
  for await (const batch of LedgerLayout.below(table, layout.place))
    for (const row of batch) for (const { rows } of tries) rows.read(row)
  const [found, ...others] = tries.filter(({ rows }) => rows.balance.broken === undefined && rows.balance.links > 0)
  if (found !== undefined && others.length === 0) return found.candidate
  throw new Error(
    `${layout.question ?? ""}. Its balances do not prove it: they fit ${others.length > 0 ? "both" : "neither"}`,
  )
}

const readingOf = (
  file: string,
  table: Ledger.Table,
  layout: LedgerLayout.LedgerLayout,
  options: Ledger.LedgerOptions,
  reader: LedgerRows,
  found: {
    readonly outside: number
    readonly pending: number
    readonly hidden: number
    readonly unbalanced: number
    readonly statements: Pick<Ledger.Reading, "gaps" | "repeated" | "unequal">
  },
): Ledger.Reading => {
  const { statements, ...own } = found
  const { header, decimal, dateOrder, decimalShownBy, sign } = layout
  const columns: LedgerColumns.Columns = {
    ...layout.columns,
    ...(sign._tag === "Columns" ? { in: sign.in, out: sign.out } : {}),
    ...(sign._tag === "Marked" ? { sign: sign.column } : {}),
  }
  const named = LedgerColumns.parts.flatMap((part) => {
    const index = columns[part]
    return index === undefined ? [] : [[part, header[index]?.trim() ?? ""] as const]
  })
  const { rows, numbers, rounded } = reader
  const counts = { ...own, numbers, rounded, balances: reader.balance.links }
  const leftOut = reader.leftOut.counts
  return {
    file,
    rows,
    ...(layout.isFirst ? {} : { header: layout.place }),
    ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
    ...(reader.sums.length === 0 ? {} : { sums: reader.sums }),
    ...statements,
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    ...table.facts,
    columns: Object.fromEntries(named),
    ...(sign._tag === "Marked" ? { markers: sign.markers } : {}),
    ...(decimalShownBy === undefined ? {} : { decimal }),
    ...(columns.date === undefined ? {} : { date_order: dateOrder, ...(options.utcTimes ? { utc_times: true } : {}) }),
    detected: [
      ...table.detected,
      ...(layout.isFirst || options.headerRow !== undefined ? [] : (["header"] as const)),
      ...(decimalShownBy === undefined || options.decimal !== undefined ? [] : (["decimal"] as const)),
      ...(columns.date === undefined || options.dateOrder !== undefined ? [] : (["date_order"] as const)),
      ...named.flatMap(([part]) => (options.columns[part] === undefined ? [part] : [])),
    ],
  }
}
