/**
 * Time expressions as people write them: instants, days, months, years, ages, and a few words. Days, months and years are
 * whole, in UTC or the given time zone: until `2024-09-30` includes the 30th.
 */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import * as CreatedAt from "./CreatedAt.ts"
import { InvalidFilter } from "./InvalidFilter.ts"
import * as Timestamp from "./Timestamp.ts"

/** From an instant up to, not including, another. Both are the same for a single instant. */
export interface TimeSpan {
  readonly from: Timestamp.Timestamp
  readonly to: Timestamp.Timestamp
}

/** What an expression is relative to. */
export interface TimeSpanOptions {
  /** Ages and words such as `today` count from here. */
  readonly now: Timestamp.Timestamp
  /** Of days, months and years. UTC by default. */
  readonly zone?: DateTime.TimeZone | undefined
  /** The name of the filter, for its error. */
  readonly name?: string
}

const utc = DateTime.zoneMakeOffset(0)

const accepted =
  "an instant (2024-09-01T00:00:00Z), a day (2024-09-01), a month (2024-09), a year (2024), an age (24h, 7d, 2w), now, today or yesterday"

/**
 * Reads a time expression.
 *
 * @example
 * const now = Timestamp.parseUnsafe("2024-09-15T12:30:00Z")
 * Result.getOrThrow(TimeSpan.parse("2024-09", { now })).to.text // => "2024-10-01T00:00:00Z"
 * Result.getOrThrow(TimeSpan.parse("24h", { now })).from.text // => "2024-09-14T12:30:00Z"
 * Result.isFailure(TimeSpan.parse("soon", { now })) // => true
 */
export const parse = (
  text: string,
  { now, zone = utc, name = "time" }: TimeSpanOptions,
): Result.Result<TimeSpan, InvalidFilter> =>
  Result.mapError(read(text, now, zone), (reason) => new InvalidFilter({ name, reason }))

/**
 * The creation times from the start of `since` to the end of `until`. Fails if the one is not before the other.
 *
 * @example
 * const now = Timestamp.parseUnsafe("2024-09-15T12:30:00Z")
 * const month = Result.getOrThrow(TimeSpan.toFilter({ since: "2024-09", until: "2024-09" }, { now }))
 * CreatedAt.ranges(month).flatMap(CreatedAt.printRange) // => ["gte:2024-09-01T00:00:00Z", "lt:2024-10-01T00:00:00Z"]
 * Result.isFailure(TimeSpan.toFilter({ since: "2024-10", until: "2024-09" }, { now })) // => true
 */
export const toFilter = (
  { since, until }: { readonly since?: string | undefined; readonly until?: string | undefined },
  options: Omit<TimeSpanOptions, "name">,
): Result.Result<CreatedAt.CreatedAt, InvalidFilter> =>
  Result.gen(function* () {
    const first = since === undefined ? undefined : yield* parse(since, { ...options, name: "since" })
    const last = until === undefined ? undefined : yield* parse(until, { ...options, name: "until" })
    const filter = CreatedAt.between(first?.from, last?.to)
    if (CreatedAt.isEmpty(filter)) {
      const reason = `${since} does not come before the end of until, ${until}: no transfer can match.`
      return yield* Result.fail(new InvalidFilter({ name: "since", reason }))
    }
    return filter
  })

/**
 * The same times, to be read later: an age or a word becomes the instant that it means now.
 *
 * @example
 * const now = Timestamp.parseUnsafe("2024-09-15T12:30:00Z")
 * TimeSpan.fixed({ since: "24h", until: "2024-09" }, { now }) // => { since: "2024-09-14T12:30:00Z", until: "2024-09" }
 */
export const fixed = <A extends { readonly since?: string | undefined; readonly until?: string | undefined }>(
  given: A,
  options: Omit<TimeSpanOptions, "name">,
): A => ({ ...given, since: fixedText(given.since, "from", options), until: fixedText(given.until, "to", options) })

const fixedText = (
  text: string | undefined,
  bound: keyof TimeSpan,
  options: Omit<TimeSpanOptions, "name">,
): string | undefined => {
  if (text === undefined || (!words.has(text) && readAge(text, options.now) === undefined)) return text
  return Result.match(parse(text, options), { onSuccess: (span) => span[bound].text, onFailure: () => text })
}

/**
 * The instant before which something is as old as a text says, such as `24h`.
 *
 * @example
 * const now = Timestamp.parseUnsafe("2024-09-15T12:30:00Z")
 * Result.getOrThrow(TimeSpan.age("7d", { now })).text // => "2024-09-08T12:30:00Z"
 * Result.isFailure(TimeSpan.age("yesterday", { now })) // => true
 */
export const age = (
  text: string,
  { now, name = "age" }: Omit<TimeSpanOptions, "zone">,
): Result.Result<Timestamp.Timestamp, InvalidFilter> =>
  Result.mapError(
    readAge(text, now) ?? Result.fail(`expected an age, such as 24h, 7d or 2w, found ${JSON.stringify(text)}`),
    (reason) => new InvalidFilter({ name, reason: `${reason}.` }),
  )

const read = (text: string, now: Timestamp.Timestamp, zone: DateTime.TimeZone): Result.Result<TimeSpan, string> => {
  const word = words.get(text)
  if (word !== undefined) return Result.succeed(word(now, zone))
  const ago = readAge(text, now)
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

const instant = (at: Timestamp.Timestamp): TimeSpan => ({ from: at, to: at })

const units: Readonly<Record<string, Duration.Duration>> = {
  s: Duration.seconds(1),
  m: Duration.minutes(1),
  h: Duration.hours(1),
  d: Duration.days(1),
  w: Duration.weeks(1),
}

const readAge = (text: string, now: Timestamp.Timestamp): Result.Result<Timestamp.Timestamp, string> | undefined => {
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
