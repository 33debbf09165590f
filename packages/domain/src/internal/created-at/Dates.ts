/** Days, months and years by the clocks of a time zone, and the time before an instant. */
import * as Data from "effect/Data"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import * as Timestamp from "../../Timestamp.ts"
import * as Calendar from "../time/Calendar.ts"
import * as InstantSet from "../time/InstantSet.ts"
import { Filter } from "./Filter.ts"

/** A text is not a date of the calendar. `accepted` is the notation. */
export class InvalidDate extends Data.TaggedError("InvalidDate")<{
  readonly input: string
  readonly accepted: string
}> {
  override get message(): string {
    return `Not a date: ${JSON.stringify(this.input)}. Write one that exists as ${this.accepted}.`
  }
}

/**
 * A day, `YYYY-MM-DD`, by the clocks of a time zone: 23 to 25 hours when they change, and nothing if they skip the day.
 *
 * @example
 * Result.map(CreatedAt.day("2024-03-31", DateTime.zoneMakeNamedUnsafe("Europe/Berlin")), String) // => Result.succeed("CreatedAt(gte:2024-03-30T23:00:00Z lt:2024-03-31T22:00:00Z)")
 */
export const day = (date: string, zone: DateTime.TimeZone): Result.Result<Filter, InvalidDate> =>
  calendarInterval(date, "YYYY-MM-DD", zone)

/**
 * A month, `YYYY-MM`, by the clocks of a time zone.
 *
 * @example
 * Result.map(CreatedAt.month("2024-03", DateTime.zoneMakeNamedUnsafe("Europe/Berlin")), String) // => Result.succeed("CreatedAt(gte:2024-02-29T23:00:00Z lt:2024-03-31T22:00:00Z)")
 */
export const month = (date: string, zone: DateTime.TimeZone): Result.Result<Filter, InvalidDate> =>
  calendarInterval(date, "YYYY-MM", zone)

/**
 * A year, `YYYY`, by the clocks of a time zone.
 *
 * @example
 * Result.map(CreatedAt.year("2024", DateTime.zoneMakeNamedUnsafe("America/New_York")), String) // => Result.succeed("CreatedAt(gte:2024-01-01T05:00:00Z lt:2025-01-01T05:00:00Z)")
 */
export const year = (date: string, zone: DateTime.TimeZone): Result.Result<Filter, InvalidDate> =>
  calendarInterval(date, "YYYY", zone)

const calendarInterval = (
  input: string,
  accepted: "YYYY" | "YYYY-MM" | "YYYY-MM-DD",
  zone: DateTime.TimeZone,
): Result.Result<Filter, InvalidDate> => {
  // A text as long as its notation, and a day that exists: RFC 3339 knows how long each month is.
  const first = `${input}${"-01-01".slice(accepted.length - 4)}`
  if (input.length !== accepted.length || !Timestamp.isText(`${first}T00:00:00Z`)) {
    return Result.fail(new InvalidDate({ input: input.slice(0, 64), accepted }))
  }
  const [years = 0, months = 0, days = 0] = first.split("-").map(Number)
  const start = Calendar.startOfDate(years, months - 1, days, zone)
  const end =
    accepted === "YYYY"
      ? Calendar.startOfDate(years + 1, 0, 1, zone)
      : accepted === "YYYY-MM"
        ? Calendar.startOfDate(years, months, 1, zone)
        : Calendar.startOfDate(years, months - 1, days + 1, zone)
  return Result.succeed(between(start, end))
}

/**
 * The time up to, not including, an instant. Throws a `RangeError` for an infinite duration, and beyond the years 0 to
 * 9999.
 *
 * @example
 * String(CreatedAt.last("7 days", Timestamp.parseUnsafe("2024-09-08T12:00:00Z"))) // => "CreatedAt(gte:2024-09-01T12:00:00Z lt:2024-09-08T12:00:00Z)"
 */
export const last = (duration: Duration.Input, now: Timestamp.Timestamp): Filter =>
  between(
    Timestamp.plus(now, Duration.negate(Duration.fromInputUnsafe(duration))).epochNanoseconds,
    now.epochNanoseconds,
  )

const between = (first: bigint, end: bigint): Filter =>
  new Filter(InstantSet.intersection(InstantSet.from(first), InstantSet.before(end)))
