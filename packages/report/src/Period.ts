/** A period in words. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Day from "@transferkit/domain/Day"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"

/**
 * The creation times of a filter: a month or days by the clocks of a time zone, or instants in UTC.
 *
 * @example
 * Period.name(Result.getOrThrow(CreatedAt.month("2024-09"))) // => "September 2024"
 * Period.name(CreatedAt.all) // => "all times"
 */
export const name = (created_at: CreatedAt.CreatedAt, zone: DateTime.TimeZone = Day.utc): string => {
  const ranges = CreatedAt.ranges(created_at)
  return ranges.length === 0 ? "no time" : ranges.map((range) => nameOfRange(range, zone)).join(" and ")
}

const nameOfRange = (range: CreatedAt.Range, zone: DateTime.TimeZone): string => {
  const [from, to] = [range.lower?.at, range.upper?.at]
  if (from === undefined && to === undefined) return "all times"
  if (from === undefined) return `up to ${instant(to)}`
  if (to === undefined) return `since ${instant(from)}`
  const areDays = isStart(from, zone) && isStart(to, zone)
  if (!areDays || !range.lower?.inclusive || range.upper?.inclusive) return `${instant(from)} to ${instant(to)}`
  const first = Day.of(from, zone)
  const last = Day.of(Timestamp.fromEpochNanoseconds(to.epochNanoseconds - 1n), zone)
  return isMonth(first, last) ? monthName(first) : first === last ? first : `${first} to ${last}`
}

/**
 * The name of a time zone.
 *
 * @example
 * Period.zoneName(Day.utc) // => "UTC"
 */
export const zoneName = (zone: DateTime.TimeZone): string => (zone === Day.utc ? "UTC" : DateTime.zoneToString(zone))

/** In days: longer periods are shown by month. */
const longestByDay = 62

/**
 * What a row of a report is: a day, or a month of a long period. One without an end is taken to end at `at`.
 *
 * @example
 * Period.unit(Result.getOrThrow(CreatedAt.month("2024-09")), Timestamp.latest) // => "day"
 * Period.unit(CreatedAt.all, Timestamp.latest) // => "month"
 */
export const unit = (created_at: CreatedAt.CreatedAt, at: Timestamp.Timestamp): "day" | "month" => {
  const ranges = CreatedAt.ranges(created_at)
  const [from, to = at] = [ranges[0]?.lower?.at, ranges.at(-1)?.upper?.at]
  return from !== undefined && Duration.toDays(Timestamp.difference(to, from)) <= longestByDay ? "day" : "month"
}

const isStart = (at: Timestamp.Timestamp, zone: DateTime.TimeZone): boolean =>
  Day.startOf(Day.of(at, zone), zone).epochNanoseconds === at.epochNanoseconds

const isMonth = (first: string, last: string): boolean =>
  first.endsWith("-01") && first.slice(0, 7) === last.slice(0, 7) && Day.plus(last, 1).endsWith("-01")

const monthName = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString("en", { month: "long", year: "numeric", timeZone: "UTC" })

/**
 * An instant to the second; nothing for none.
 *
 * @example
 * Period.instant(Timestamp.parseUnsafe("2024-09-01T02:00:00.5+02:00")) // => "2024-09-01 00:00:00 UTC"
 */
export const instant = (at: Timestamp.Timestamp | undefined): string =>
  at === undefined ? "" : `${Timestamp.toUtc(at).text.slice(0, 19).replace("T", " ")} UTC`
