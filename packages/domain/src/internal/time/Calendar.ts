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

/** Seconds east of UTC: the mean solar times of old have no whole minutes. */
export const offsetSeconds = (second: number, zone: DateTime.TimeZone): number =>
  DateTime.zonedOffset(DateTime.makeZonedUnsafe(second * 1000, { timeZone: zone })) / 1000

/**
 * The date in UTC of a second since 1970, as `YYYY-MM-DD`. A year without four digits has a sign, as in ISO 8601:
 * `-0001-12-31` is the day before `0000-01-01`.
 */
export const dateOf = (second: number): string => {
  const text = new Date(second * 1000).toISOString()
  const [sign = "", year = ""] = [text.at(0), text.slice(1, 7).replace(/^00?/, "")]
  return text.length === 24 ? text.slice(0, 10) : `${sign}${year}${text.slice(7, 13)}`
}

/** The year, the month and the day of such a date, which all count as people do. */
export const partsOf = (date: string): readonly [year: number, month: number, day: number] => [
  Number(date.slice(0, -6)),
  Number(date.slice(-5, -3)),
  Number(date.slice(-2)),
]

/** The second since 1970 in UTC at which such a date begins. */
export const secondOf = (date: string): number => {
  const [year, month, day] = partsOf(date)
  return new Date(0).setUTCFullYear(year, month - 1, day) / 1000
}
