/** A period in words. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Duration from "effect/Duration"

/**
 * The creation times of a filter: a month, days, or instants. All in UTC.
 *
 * @example
 * Period.name(Result.getOrThrow(CreatedAt.month("2024-09"))) // => "September 2024"
 * Period.name(CreatedAt.all) // => "all times"
 */
export const name = (created_at: CreatedAt.CreatedAt): string => {
  const ranges = CreatedAt.ranges(created_at)
  return ranges.length === 0 ? "no time" : ranges.map(nameOfRange).join(" and ")
}

const nameOfRange = ({ lower, upper }: CreatedAt.Range): string => {
  const [from, to] = [lower?.at, upper?.at].map((at) => (at === undefined ? undefined : Timestamp.toUtc(at)))
  if (from === undefined && to === undefined) return "all times"
  if (from === undefined) return `up to ${instant(to)}`
  if (to === undefined) return `since ${instant(from)}`
  const days = startOfDay(from) && startOfDay(to) && lower?.inclusive === true && upper?.inclusive === false
  if (!days) return `${instant(from)} to ${instant(to)}`
  const last = Timestamp.fromEpochNanoseconds(to.epochNanoseconds - 1n).text.slice(0, 10)
  const first = from.text.slice(0, 10)
  return isMonth(from, to) ? monthName(first) : first === last ? first : `${first} to ${last}`
}

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

const startOfDay = (at: Timestamp.Timestamp): boolean => at.text.includes("T00:00:00Z")

const isMonth = (from: Timestamp.Timestamp, to: Timestamp.Timestamp): boolean => {
  const next = Timestamp.toDate(from)
  next.setUTCMonth(next.getUTCMonth() + 1)
  return from.text.slice(8, 10) === "01" && next.getTime() === Timestamp.toDate(to).getTime()
}

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
