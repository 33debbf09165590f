/** The time of a date. 24:00 is the end of its day, and so the first instant of the next (ISO 8601, XML Schema). */
import * as Day from "@transferkit/domain/Day"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"

/**
 * The day to which a time belongs, if a clock can show it.
 *
 * @example
 * ClockTime.dayOf("2024-09-30", "24", "00", "00") // => "2024-10-01"
 * ClockTime.dayOf("2024-09-30", "25", "00", "00") // => undefined
 */
export const dayOf = (day: string, hour: string, minute = "", second = ""): string | undefined => {
  if (Number(hour) === 24) return Number(minute) === 0 && Number(second) === 0 ? Day.plus(day, 1) : undefined
  // A leap second is the sixtieth.
  return Number(hour) < 24 && Number(minute) < 60 && Number(second) < 61 ? day : undefined
}

const endOfDay = /^([0-9]{4}-[0-9]{2}-[0-9]{2}[Tt])24:00:00(?:\.0{1,30})?([Zz]|[-+][0-9]{2}:[0-9]{2})$/

/**
 * The instant of a time with an offset.
 *
 * @example
 * Result.map(ClockTime.instantOf("2024-09-30T24:00:00+02:00"), ({ text }) => text) // => Result.succeed("2024-09-30T22:00:00Z")
 */
export const instantOf = (text: string): Result.Result<Timestamp.Timestamp, Timestamp.InvalidTimestamp> => {
  const [, day, offset = ""] = endOfDay.exec(text) ?? []
  if (day === undefined) return Timestamp.parse(text)
  const start = Timestamp.parse(`${day}00:00:00${offset}`)
  return Result.map(start, (at) => Timestamp.plus(at, Duration.days(1)))
}
