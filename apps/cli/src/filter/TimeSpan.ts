/**
 * The time expressions of `--since` and `--until`: instants, days, months, years, ages, and a few words. Days, months and
 * years are whole, in UTC or the given time zone: `--until 2024-09-30` includes the 30th.
 */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import { UsageError } from "../UsageError.ts"

/** From an instant up to, not including, another. Both are the same for a single instant. */
export interface TimeSpan {
  readonly from: Timestamp.Timestamp
  readonly to: Timestamp.Timestamp
}

const utc = DateTime.zoneMakeOffset(0)

const accepted =
  "an instant (2024-09-01T00:00:00Z), a day (2024-09-01), a month (2024-09), a year (2024), an age (24h, 7d, 2w), now, today or yesterday"

/** Parses a time expression. Relative ones count from `now`. */
export const parse = (
  text: string,
  now: Timestamp.Timestamp,
  zone: DateTime.TimeZone = utc,
): Result.Result<TimeSpan, string> => {
  const word = words.get(text)
  if (word !== undefined) return Result.succeed(word(now, zone))
  const ago = parseAge(text, now)
  if (ago !== undefined) return Result.map(ago, instant)
  const calendar = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text)
  if (calendar !== null) return calendarSpan(text, calendar, zone)
  return Result.map(
    Result.mapError(
      Timestamp.parse(text),
      (error) => `${JSON.stringify(text)} is not a time: ${error.reason}. Expected ${accepted}.`,
    ),
    instant,
  )
}

/** The filter of `--since` and `--until`, if given. */
export const toFilter = (
  options: { readonly since: string | undefined; readonly until: string | undefined },
  now: Timestamp.Timestamp,
  zone?: DateTime.TimeZone,
): Result.Result<CreatedAt.CreatedAt, UsageError> =>
  Result.gen(function* () {
    const since = options.since === undefined ? undefined : yield* bound("--since", options.since, now, zone)
    const until = options.until === undefined ? undefined : yield* bound("--until", options.until, now, zone)
    const filter = CreatedAt.and(
      since === undefined ? CreatedAt.all : CreatedAt.gte(since.from),
      until === undefined ? CreatedAt.all : CreatedAt.lt(until.to),
    )
    if (CreatedAt.isEmpty(filter)) {
      return yield* Result.fail(
        new UsageError({
          message: `--since ${options.since} is not before --until ${options.until}: no transfer can match.`,
        }),
      )
    }
    return filter
  })

/** The time of a flag. */
export const bound = (
  flag: string,
  text: string,
  now: Timestamp.Timestamp,
  zone?: DateTime.TimeZone,
): Result.Result<TimeSpan, UsageError> =>
  Result.mapError(parse(text, now, zone), (reason) => new UsageError({ message: `${flag}: ${reason}` }))

/** The instant before which something is as old as a flag says, such as `24h`. */
export const age = (
  flag: string,
  text: string,
  now: Timestamp.Timestamp,
): Result.Result<Timestamp.Timestamp, UsageError> =>
  Result.mapError(
    parseAge(text, now) ?? Result.fail(`expected an age, such as 24h, 7d or 2w, found ${JSON.stringify(text)}`),
    (reason) => new UsageError({ message: `${flag}: ${reason}.` }),
  )

const instant = (at: Timestamp.Timestamp): TimeSpan => ({ from: at, to: at })

const units: Readonly<Record<string, Duration.Duration>> = {
  s: Duration.seconds(1),
  m: Duration.minutes(1),
  h: Duration.hours(1),
  d: Duration.days(1),
  w: Duration.weeks(1),
}

const parseAge = (text: string, now: Timestamp.Timestamp): Result.Result<Timestamp.Timestamp, string> | undefined => {
  const [, count, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  if (count === undefined) return undefined
  return Result.try({
    try: () => Timestamp.plus(now, Duration.times(units[unit] ?? Duration.zero, -Number(count))),
    catch: () => `${text} ago is before the year 0`,
  })
}

/** A day has 23 to 25 hours, so that half a day before its start is in the day before. */
const dayOf = (now: Timestamp.Timestamp, zone: DateTime.TimeZone): TimeSpan => {
  const from = Timestamp.startOfDay(now, zone)
  return { from, to: Timestamp.startOfDay(Timestamp.plus(from, "36 hours"), zone) }
}

const dayBefore = (now: Timestamp.Timestamp, zone: DateTime.TimeZone): TimeSpan => {
  const to = Timestamp.startOfDay(now, zone)
  return { from: Timestamp.startOfDay(Timestamp.plus(to, "-12 hours"), zone), to }
}

const words = new Map<string, (now: Timestamp.Timestamp, zone: DateTime.TimeZone) => TimeSpan>([
  ["now", instant],
  ["today", dayOf],
  ["yesterday", dayBefore],
])

const calendarSpan = (
  text: string,
  [, year = "", month, date]: RegExpExecArray,
  zone: DateTime.TimeZone,
): Result.Result<TimeSpan, string> => {
  const start = Timestamp.parse(`${year}-${month ?? "01"}-${date ?? "01"}T00:00:00Z`)
  if (Result.isFailure(start)) {
    return Result.fail(`${JSON.stringify(text)} is not a time: ${start.failure.reason}. Expected ${accepted}.`)
  }
  const read = date !== undefined ? CreatedAt.day : month !== undefined ? CreatedAt.month : CreatedAt.year
  const [range] = CreatedAt.ranges(Result.getOrElse(read(text, zone), () => CreatedAt.none))
  if (range === undefined) return Result.fail(`the clocks of ${DateTime.zoneToString(zone)} skipped ${text}`)
  const end = range.upper?.at
  return Result.succeed({
    from: range.lower?.at ?? Timestamp.earliest,
    // The end of the last year cannot be written in UTC.
    to: end?.text.endsWith("Z") ? end : Timestamp.latest,
  })
}
