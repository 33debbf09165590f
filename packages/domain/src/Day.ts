/**
 * Days of the calendar as `YYYY-MM-DD`, by the clocks of a time zone: the days of a ledger. In some zones an instant is in
 * the year before 0 or after 9999, which has a sign: `-0001-12-31`, `+10000-01-01`.
 */
import * as DateTime from "effect/DateTime"
import * as CreatedAt from "./CreatedAt.ts"
import * as Calendar from "./internal/time/Calendar.ts"
import * as WholeSecond from "./internal/time/WholeSecond.ts"
import * as Timestamp from "./Timestamp.ts"

/** UTC, for books that name no time zone. */
export const utc: DateTime.TimeZone = DateTime.zoneMakeOffset(0)

/**
 * The day of an instant, as `YYYY-MM-DD`.
 *
 * @example
 * Day.of(Timestamp.parseUnsafe("2024-09-30T22:30:00Z"), DateTime.zoneMakeNamedUnsafe("Europe/Berlin")) // => "2024-10-01"
 * Day.of(Timestamp.earliest, Day.utc) // => "-0001-12-31"
 */
export const of = (at: Timestamp.Timestamp, zone: DateTime.TimeZone): string =>
  ofSecond(Timestamp.epochSeconds(at), zone)

const ofSecond = (second: number, zone: DateTime.TimeZone): string =>
  Calendar.dateOf(zone === utc ? second : second + Calendar.offsetSeconds(second, zone))

/** RFC 3339 cannot write each instant at which a period ends by the clocks of a zone. */
const ofInstant = (instant: bigint, zone: DateTime.TimeZone): string =>
  ofSecond(WholeSecond.of(WholeSecond.floor(instant)), zone)

/**
 * The days of many instants by the clocks of a time zone; in UTC without one.
 *
 * @example
 * Day.ofMany(DateTime.zoneMakeNamedUnsafe("Europe/Berlin"))(Timestamp.parseUnsafe("2024-09-30T22:30:00Z")) // => "2024-10-01"
 */
export const ofMany = (zone: DateTime.TimeZone = utc): ((at: Timestamp.Timestamp) => string) => {
  if (zone === utc) return (at) => of(at, utc)
  // Most quarters of an hour are within one day, so clocks are looked up for their ends alone.
  const days = new Map<number, string | undefined>()
  return (at) => {
    const quarter = Math.floor(Timestamp.epochSeconds(at) / 900)
    if (!days.has(quarter)) {
      const first = ofSecond(quarter * 900, zone)
      days.set(quarter, first === ofSecond(quarter * 900 + 899, zone) ? first : undefined)
    }
    return days.get(quarter) ?? of(at, zone)
  }
}

/**
 * The first instant of a day, which must exist.
 *
 * @example
 * Day.startOf("2024-10-01", DateTime.zoneMakeNamedUnsafe("Europe/Berlin")).text // => "2024-09-30T22:00:00Z"
 */
export const startOf = (day: string, zone: DateTime.TimeZone): Timestamp.Timestamp => {
  const [year, month, date] = Calendar.partsOf(day)
  return Timestamp.fromEpochNanoseconds(Calendar.startOfDate(year, month - 1, date, zone))
}

/**
 * The days from one day to another, negative if the other is earlier.
 *
 * @example
 * Day.between("2024-02-28", "2024-03-01") // => 2
 */
export const between = (from: string, to: string): number =>
  (Calendar.secondOf(to) - Calendar.secondOf(from)) / secondsPerDay

const secondsPerDay = 86_400

/**
 * The day that many days later.
 *
 * @example
 * Day.plus("2024-02-28", 2) // => "2024-03-01"
 * Day.plus("-0001-12-31", 1) // => "0000-01-01"
 */
export const plus = (day: string, days: number): string =>
  Calendar.dateOf(Calendar.secondOf(day) + days * secondsPerDay)

/**
 * A period and the whole days before and after it, as far as it has ends.
 *
 * @example
 * String(Day.widen(Result.getOrThrow(CreatedAt.day("2024-09-30", Day.utc)), { days: 1, zone: Day.utc })) // => "CreatedAt(gte:2024-09-29T00:00:00Z lt:2024-10-02T00:00:00Z)"
 */
export const widen = (
  period: CreatedAt.CreatedAt,
  { days, zone }: { readonly days: number; readonly zone: DateTime.TimeZone },
): CreatedAt.CreatedAt =>
  CreatedAt.ranges(period)
    .map(({ lower, upper }) => {
      const last = upper && Timestamp.fromEpochNanoseconds(upper.at.epochNanoseconds - (upper.inclusive ? 0n : 1n))
      return CreatedAt.between(
        lower && startOf(plus(of(lower.at, zone), -days), zone),
        last && startOf(plus(of(last, zone), days + 1), zone),
      )
    })
    .reduce(CreatedAt.or, CreatedAt.none)

/**
 * The first day of a period, if it has a beginning.
 *
 * @example
 * Day.first(Result.getOrThrow(CreatedAt.month("2024-09", Day.utc)), Day.utc) // => "2024-09-01"
 * Day.first(CreatedAt.all, Day.utc) // => undefined
 */
export const first = (period: CreatedAt.CreatedAt, zone: DateTime.TimeZone): string | undefined => {
  const start = CreatedAt.ranges(period)[0]?.lower
  return start && ofInstant(start.at.epochNanoseconds + (start.inclusive ? 0n : 1n), zone)
}

/**
 * The last day of a period, if it has an end.
 *
 * @example
 * Day.last(Result.getOrThrow(CreatedAt.month("2024-09", Day.utc)), Day.utc) // => "2024-09-30"
 * Day.last(CreatedAt.all, Day.utc) // => undefined
 */
export const last = (period: CreatedAt.CreatedAt, zone: DateTime.TimeZone): string | undefined => {
  const end = CreatedAt.ranges(period).at(-1)?.upper
  if (end === undefined) return undefined
  return ofInstant(end.at.epochNanoseconds - (end.inclusive ? 0n : 1n), zone)
}
