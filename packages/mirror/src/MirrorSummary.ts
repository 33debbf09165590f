/** The domain's Summary of a mirror, from totals that every sync keeps: the same result without reading the transfers. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Money from "@transferkit/domain/Money"
import * as StoredText from "@transferkit/domain/StoredText"
import * as Summary from "@transferkit/domain/Summary"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { type MoneyField, moneyFields } from "@transferkit/domain/Transfer"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { constTrue } from "effect/Function"
import * as Result from "effect/Result"
import type * as DayTotals from "./internal/DayTotals.ts"
import * as Driver from "./internal/Driver.ts"
import * as SqlText from "./internal/SqlText.ts"
import * as SyncTables from "./internal/SyncTables.ts"
import * as Totals from "./internal/Totals.ts"
import { TransferMirror } from "./TransferMirror.ts"

/** The dimensions that the totals are kept by. */
export const dimensions = ["day", "month", "status", "currency"] as const satisfies ReadonlyArray<Summary.Dimension>

type Dimension = (typeof dimensions)[number]

/** What to total. */
export interface Options {
  readonly partner_id: string
  readonly by: ReadonlyArray<Dimension>
  /** @default everything */
  readonly created_at?: CreatedAt.CreatedAt
  /**
   * Which statuses count.
   * @default all
   */
  readonly keepsStatus?: (status: string) => boolean
}

/** A part of a summary. */
export interface Partial {
  readonly summary: Summary.Summary
  /** The creation times that it leaves out, because they are no whole days in UTC. */
  readonly rest: CreatedAt.CreatedAt
}

const dayNanos = Duration.toNanosUnsafe("1 day")

/**
 * Totals whole days; nothing if the mirror has no totals, because no sync has completed them.
 *
 * @example
 * const { summary } = await run(MirrorSummary.summarize({ partner_id: "demo", by: ["status"] }))
 * summary.transfers // => 45
 */
export const summarize = Effect.fn("MirrorSummary.summarize")(function* (options: Options) {
  const { partner_id, by, created_at = CreatedAt.all, keepsStatus = constTrue } = options
  if ((yield* SyncTables.state(partner_id, Totals.state)) !== "complete") return undefined
  const { run } = Driver.of(yield* TransferMirror)
  const days = CreatedAt.intervals(created_at).flatMap(wholeDays)
  const totals = new Summary.Totals({ by })
  for (const { first, end } of days) {
    yield* run((sql) =>
      Effect.flatMap(
        sql.unsafe<Totals.Row>(
          SqlText.place(
            sql,
            `SELECT created_day, status, totals FROM transfer_totals WHERE partner_id = ?${
              first === undefined ? "" : " AND created_day >= ?"
            }${end === undefined ? "" : " AND created_day < ?"}`,
          ),
          [partner_id, ...[first, end].filter((bound) => bound !== undefined).map(({ text }) => text.slice(0, 10))],
        ),
        Effect.forEach(
          (row) =>
            keepsStatus(StoredText.unescape(row.status))
              ? Effect.map(Totals.storedOf(row), (stored) => totals.addSummary(partOf(row, stored, by)))
              : Effect.void,
          { discard: true },
        ),
      ),
    )
  }
  const partial: Partial = {
    summary: totals.summary(),
    rest: days.reduce((rest, span) => CreatedAt.difference(rest, CreatedAt.between(span.first, span.end)), created_at),
  }
  return partial
})

interface Group extends Summary.Group {
  transfers: number
  readonly totals: { [F in MoneyField]?: Array<Money.Money> }
}

interface Span {
  readonly first: Timestamp.Timestamp | undefined
  readonly end: Timestamp.Timestamp | undefined
}

const wholeDays = ({ first, end }: CreatedAt.Interval): ReadonlyArray<Span> => {
  const from = first === undefined ? undefined : first + modulo(-first)
  const to = end === undefined || end > Timestamp.latest.epochNanoseconds ? undefined : end - modulo(end)
  if (from !== undefined && from >= (to ?? Timestamp.latest.epochNanoseconds)) return []
  return [{ first: timestampOf(from), end: timestampOf(to) }]
}

const modulo = (instant: bigint): bigint => ((instant % dayNanos) + dayNanos) % dayNanos

const timestampOf = (instant: bigint | undefined) =>
  instant === undefined ? undefined : Timestamp.fromEpochNanoseconds(instant)

/** A row as the summary of what it counts. */
const partOf = (
  { created_day: day, status }: Totals.Row,
  { transfers, currencies, amounts }: DayTotals.Stored,
  by: ReadonlyArray<Dimension>,
): Pick<Summary.Summary, "transfers" | "groups"> => {
  // Those that were there have another day or status now.
  if (transfers === 0) return { transfers, groups: [] }
  const groups = new Map<string, Group>()
  const groupOf = (currency: string): Group => {
    const known = groups.get(currency)
    if (known !== undefined) return known
    const key = { day, month: day.slice(0, 7), status: StoredText.unescape(status), currency }
    const group: Group = { key, transfers: 0, totals: {} }
    groups.set(currency, group)
    return group
  }
  const isByCurrency = by.includes("currency")
  if (isByCurrency) for (const [currency, count] of currencies) groupOf(currency).transfers = count
  else groupOf("").transfers = transfers
  for (const field of moneyFields) {
    for (const [currency, currency_code, , sum] of amounts[field] ?? []) {
      const money = Result.getOrThrow(Money.parse(sum, currency_code))
      const { totals } = groupOf(isByCurrency ? currency : "")
      ;(totals[field] ??= []).push(money)
    }
  }
  return { transfers, groups: [...groups.values()] }
}
