/** The domain's Summary of a mirror, from totals that every sync keeps: the same result without reading the transfers. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as CurrencyCode from "@transferkit/domain/CurrencyCode"
import * as Money from "@transferkit/domain/Money"
import * as StoredText from "@transferkit/domain/StoredText"
import * as Summary from "@transferkit/domain/Summary"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { moneyFields } from "@transferkit/domain/Transfer"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Driver from "./internal/Driver.ts"
import * as ExactSums from "./internal/ExactSums.ts"
import * as SqlFailure from "./internal/SqlFailure.ts"
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

interface Row {
  readonly day: string
  readonly status: string
  readonly field: string
  readonly currency: string
  readonly currency_code: string
  readonly digits: bigint
  readonly amounts: bigint
  readonly limbs: ReadonlyArray<bigint>
}

/** A row by position: tens of thousands of them are read in half the time of objects. */
const rowOf = ([day, status, field, currency, code, digits, amounts, ...limbs]: ReadonlyArray<unknown>): Row => ({
  day: String(day),
  status: StoredText.unescape(String(status)),
  field: String(field),
  currency: StoredText.unescape(String(currency)),
  currency_code: StoredText.unescape(String(code)),
  digits: wholeOf(digits),
  amounts: wholeOf(amounts),
  limbs: limbs.map(wholeOf),
})

const wholeOf = (value: unknown): bigint => (typeof value === "bigint" ? value : BigInt(String(value)))

/**
 * Totals whole days; nothing if the mirror has no totals, because no sync has completed them.
 *
 * @example
 * const { summary } = await run(MirrorSummary.summarize({ partner_id: "demo", by: ["status"] }))
 * summary.transfers // => 45
 */
export const summarize = Effect.fn("MirrorSummary.summarize")(function* (options: Options) {
  const { partner_id, by, created_at = CreatedAt.all, keepsStatus } = options
  if ((yield* SyncTables.state(partner_id, Totals.state)) !== "complete") return undefined
  const { run } = Driver.of(yield* TransferMirror)
  const day = by.includes("day") ? "created_day" : by.includes("month") ? "substr(created_day, 1, 7)" : "''"
  const status = by.includes("status") || keepsStatus !== undefined ? "status" : "''"
  const days = CreatedAt.intervals(created_at).flatMap(wholeDays)
  const parts = yield* Effect.forEach(days, ({ first, end }) =>
    run((sql) => {
      const { values } = sql.unsafe(
        SqlText.place(
          sql,
          `SELECT ${day} AS day, ${status} AS status, field, currency, currency_code, MAX(digits) AS digits,
            ${["amounts", ...Totals.limbs].map((name) => `CAST(SUM(${name}) AS BIGINT) AS ${name}`).join(", ")}
          FROM transfer_totals WHERE partner_id = ? AND amounts > 0${
            first === undefined ? "" : " AND created_day >= ?"
          }${end === undefined ? "" : " AND created_day < ?"}
          GROUP BY 1, 2, 3, 4, 5`,
        ),
        [partner_id, ...[first, end].filter((bound) => bound !== undefined).map(({ text }) => text.slice(0, 10))],
      )
      return Effect.flatMap(values, (found) =>
        Effect.try({
          try: () =>
            found
              .map(rowOf)
              .filter((row) => keepsStatus === undefined || keepsStatus(row.status))
              .map((row) => partOf(row, by)),
          catch: () => SqlFailure.damaged("transfer_totals", { partner_id }, unreadable),
        }),
      )
    }),
  )
  const partial: Partial = {
    summary: Summary.combine(parts.flat(), { by }),
    rest: days.reduce((rest, span) => CreatedAt.difference(rest, CreatedAt.between(span.first, span.end)), created_at),
  }
  return partial
})

const unreadable = "has a currency or a number that cannot be read: restore it"

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
  row: Row,
  by: ReadonlyArray<Dimension>,
): { readonly transfers: number; readonly groups: ReadonlyArray<Summary.Group> } => {
  const { day, status, field, currency, amounts } = row
  const key = { day, month: day.slice(0, 7), status, currency }
  const isByCurrency = by.includes("currency")
  const number = Number(amounts)
  if (field === Totals.counts.all) {
    return { transfers: number, groups: isByCurrency ? [] : [{ key, transfers: number, totals: {} }] }
  }
  if (field === Totals.counts.byCurrency) {
    return { transfers: 0, groups: isByCurrency ? [{ key, transfers: number, totals: {} }] : [] }
  }
  const name = moneyFields.find((known) => known === field)
  const totals = name === undefined ? {} : { [name]: [moneyOf(row)] }
  return { transfers: 0, groups: [{ key, transfers: 0, totals }] }
}

const base = BigInt(Totals.base)

const moneyOf = ({ currency_code, digits: scale, limbs }: Row): Money.Money => {
  const units = limbs.reduce((sum, limb) => sum * base + limb, 0n)
  const digits = (units < 0n ? -units : units).toString().padStart(ExactSums.mostFractionDigits + 1, "0")
  const whole = digits.slice(0, -ExactSums.mostFractionDigits)
  const fraction = digits.slice(-ExactSums.mostFractionDigits).slice(0, Number(scale))
  const text = `${units < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`
  return Result.getOrThrow(Result.flatMap(CurrencyCode.parse(currency_code), (currency) => Money.parse(text, currency)))
}
