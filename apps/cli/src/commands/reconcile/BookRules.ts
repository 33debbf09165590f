/** What the flags say of the books: the classes of statuses, the days that may pass, and the day as of which they do. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Day from "@transferkit/domain/Day"
import * as Dialect from "@transferkit/domain/Dialect"
import * as TimeSpan from "@transferkit/domain/TimeSpan"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as TransferFilter from "@transferkit/domain/TransferFilter"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { now } from "../../filter/Now.ts"
import { Globals } from "../../flags/Globals.ts"
import { UsageError } from "../../UsageError.ts"
import type * as Flags from "./Flags.ts"

/** The rules of the books. */
export interface BookRules {
  readonly settlement: Dialect.Settlement
  readonly period: CreatedAt.CreatedAt
  /** The period, and the days of grace beyond its ends. */
  readonly searched: CreatedAt.CreatedAt
  readonly timeZone: DateTime.TimeZone
  readonly asOfDay: string | undefined
  readonly graceDays: number
}

/** Reads the flags. */
export const read = Effect.fnUntraced(function* (
  { settled, failed, grace, as_of_day }: Pick<Flags.Input, "settled" | "failed" | "grace" | "as_of_day">,
  {
    period,
    timeZone = Day.utc,
  }: { readonly period: CreatedAt.CreatedAt; readonly timeZone: DateTime.TimeZone | undefined },
) {
  const dialect = yield* Dialect.Dialect
  const settlement = yield* Effect.fromResult(
    Result.mapError(
      Dialect.make({
        ...dialect,
        ...(settled.length === 0 ? {} : { settledStatuses: TransferFilter.valuesOf(settled) }),
        ...(failed.length === 0 ? {} : { failedStatuses: TransferFilter.valuesOf(failed) }),
      }),
      ({ message }) => new UsageError({ message: `--settled and --failed: ${message}` }),
    ),
  )
  const asOfDay = yield* asOfDayOf(as_of_day, period, timeZone)
  if (grace > 0 && asOfDay === undefined) {
    const message = "--grace counts the days up to a day: give --as-of-day 2024-09-30, or a period that ends."
    return yield* new UsageError({ message })
  }
  const searched = grace === 0 ? period : Day.widen(period, { days: grace, zone: timeZone })
  const rules: BookRules = { settlement, period, searched, timeZone, asOfDay, graceDays: grace }
  return rules
})

/** Never the clock, so that a result can be repeated. */
const asOfDayOf = Effect.fnUntraced(function* (
  given: string | undefined,
  period: CreatedAt.CreatedAt,
  zone: DateTime.TimeZone,
) {
  if (given !== undefined) {
    const day = CreatedAt.day(given, zone)
    if (Result.isFailure(day)) return yield* new UsageError({ message: `--as-of-day: ${day.failure.message}` })
    return given
  }
  const { asOf } = yield* Globals
  if (asOf !== undefined) {
    const { from } = yield* Effect.fromResult(TimeSpan.parse(asOf, { now: yield* now, name: "as_of", zone }))
    return Day.of(from, zone)
  }
  const end = CreatedAt.ranges(period).at(-1)?.upper
  if (end === undefined) return undefined
  const last = end.inclusive ? end.at.epochNanoseconds : end.at.epochNanoseconds - 1n
  return Day.of(Timestamp.fromEpochNanoseconds(last), zone)
})
