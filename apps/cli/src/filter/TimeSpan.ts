/**
 * The time expressions of `--since` and `--until`: instants, days, months, years, ages, and a few words. Days, months and
 * years are in UTC and whole: `--until 2024-09-30` includes the 30th.
 */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import { UsageError } from "../UsageError.ts"

/** From an instant up to, not including, another. Both are the same for a single instant. */
export interface TimeSpan {
  readonly from: Timestamp.Timestamp
  readonly to: Timestamp.Timestamp
}

const accepted =
  "an instant (2024-09-01T00:00:00Z), a day (2024-09-01), a month (2024-09), a year (2024), an age (24h, 7d, 2w), now, today or yesterday"

/** Parses a time expression. Relative ones count from `now`. */
export const parse = (text: string, now: Timestamp.Timestamp): Result.Result<TimeSpan, string> => {
  const word = words.get(text)
  if (word !== undefined) return Result.succeed(word(now))
  const ago = parseAge(text, now)
  if (ago !== undefined) return Result.map(ago, instant)
  const calendar = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text)
  if (calendar !== null) return calendarSpan(text, calendar)
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
): Result.Result<CreatedAt.CreatedAt, UsageError> =>
  Result.gen(function* () {
    const since = options.since === undefined ? undefined : yield* bound("--since", options.since, now)
    const until = options.until === undefined ? undefined : yield* bound("--until", options.until, now)
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
export const bound = (flag: string, text: string, now: Timestamp.Timestamp): Result.Result<TimeSpan, UsageError> =>
  Result.mapError(parse(text, now), (reason) => new UsageError({ message: `${flag}: ${reason}` }))

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

const day = 86_400

const dayOf = (now: Timestamp.Timestamp, offset: number): TimeSpan => {
  const start = (Math.floor(Timestamp.epochSeconds(now) / day) + offset) * day
  return { from: Timestamp.fromEpochSeconds(start), to: Timestamp.fromEpochSeconds(start + day) }
}

const words = new Map<string, (now: Timestamp.Timestamp) => TimeSpan>([
  ["now", instant],
  ["today", (now) => dayOf(now, 0)],
  ["yesterday", (now) => dayOf(now, -1)],
])

const calendarSpan = (text: string, [, year = "", month, date]: RegExpExecArray): Result.Result<TimeSpan, string> => {
  const start = Timestamp.parse(`${year}-${month ?? "01"}-${date ?? "01"}T00:00:00Z`)
  if (Result.isFailure(start))
    return Result.fail(`${JSON.stringify(text)} is not a time: ${start.failure.reason}. Expected ${accepted}.`)
  const from = Timestamp.toDate(start.success)
  const to = new Date(from)
  if (date !== undefined) to.setUTCDate(to.getUTCDate() + 1)
  else if (month !== undefined) to.setUTCMonth(to.getUTCMonth() + 1)
  else to.setUTCFullYear(to.getUTCFullYear() + 1)
  return Result.succeed({
    from: start.success,
    to: to.getUTCFullYear() > 9999 ? Timestamp.latest : Timestamp.fromDate(to),
  })
}
