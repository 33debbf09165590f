/** When days begin in a time zone. Effect's `DateTime` knows the zones. */
import * as DateTime from "effect/DateTime"
import { nanosPerMillisecond } from "./WholeSecond.ts"

/** What a calendar divides time into. */
export type Part = "day" | "month" | "year"

/**
 * The first instant of a date, in nanoseconds since 1970. `month` counts from 0; beyond the end of a year or a month the
 * calendar goes on. If clocks skip midnight, the day begins when they do; if they show it twice, with the first.
 */
export const startOfDate = (year: number, month: number, day: number, zone: DateTime.TimeZone): bigint => {
  const midnight = new Date(0).setUTCFullYear(year, month, day)
  const start = DateTime.makeZonedUnsafe(midnight, { timeZone: zone, adjustForTimeZone: true })
  return BigInt(DateTime.toEpochMillis(start)) * nanosPerMillisecond
}

/** The first instant of the day, month or year that an instant is in. */
export const startOf = (millisecond: number, part: Part, zone: DateTime.TimeZone): bigint => {
  const local = DateTime.toDate(DateTime.makeZonedUnsafe(millisecond, { timeZone: zone }))
  const month = part === "year" ? 0 : local.getUTCMonth()
  return startOfDate(local.getUTCFullYear(), month, part === "day" ? local.getUTCDate() : 1, zone)
}

/** Minutes east of UTC, without the seconds of the mean solar times of old. */
export const offsetMinutes = (millisecond: number, zone: DateTime.TimeZone): number =>
  Math.trunc(DateTime.zonedOffset(DateTime.makeZonedUnsafe(millisecond, { timeZone: zone })) / 60_000)
