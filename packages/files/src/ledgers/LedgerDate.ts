/** Dates as people write them. A date that can be read in two ways is asked about, never guessed. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Result from "effect/Result"
import * as ClockTime from "./ClockTime.ts"
import { type Order, orders } from "./DateOrder.ts"
import * as MonthNames from "./MonthNames.ts"

export { type Order, orders } from "./DateOrder.ts"

const shape = /^([0-9]{1,4})([-/. ])([0-9]{1,2})\2([0-9]{1,4})(?:[T ]([0-9:.]+(?: ?[AaPp][Mm])?))?$/
/** `01 Sep 2024`, `1-Sep-24`, `1. September 2024`, `2024-Sep-01`. */
const nameSecond =
  /^([0-9]{4}|[0-9]{1,2})(?:st|nd|rd|th)?(?:\. ?|[-/ ])(\p{L}{3,12})(?:\. ?|[-/ ,] ?)([0-9]{4}|[0-9]{1,2})(?:[T ]([0-9:.]+(?: ?[AaPp][Mm])?))?$/u
/** `Sep 1, 2024`. */
const nameFirst =
  /^(\p{L}{3,12})(?:\. ?|[- ])([0-9]{1,2})(?:st|nd|rd|th)?(?:, ?|[- ])([0-9]{4})(?:[T ]([0-9:.]+(?: ?[AaPp][Mm])?))?$/u

/** A date with the name of its month: year, day, or two numbers of which either may be the year. */
interface Named {
  readonly name: string
  readonly order: Order | "doubtful"
  readonly first: string
  readonly last: string
}

const namedOf = (text: string): Named | undefined => {
  const before = nameFirst.exec(text)
  if (before !== null) {
    const [, name = "", first = "", last = ""] = before
    return { name, order: "mdy", first, last }
  }
  const [, first = "", name, last = ""] = nameSecond.exec(text) ?? []
  if (name === undefined) return undefined
  const order = first.length === 4 ? "ymd" : last.length === 4 ? "dmy" : "doubtful"
  return { name, order, first, last }
}

/** The order that a date shows: a year comes first, or a number above 12 can only be the day. */
export const orderOf = (cell: string): Order | "doubtful" | undefined => {
  const text = cell.trim()
  const [, first = "", , second = "", third = ""] = shape.exec(text) ?? []
  if (first === "") return namedOf(text)?.order
  if (first.length === 4) return "ymd"
  if (third.length !== 4) return "doubtful"
  if (Number(first) > 12) return "dmy"
  return Number(second) > 12 ? "mdy" : "doubtful"
}

/** How a date is written: where its month has a name, or with which separator, and whether its year has four digits. */
const formOf = (cell: string): string => {
  const text = cell.trim()
  const [, first = "", separator = "", , last = ""] = shape.exec(text) ?? []
  if (first !== "") return `${first.length === 4} ${separator} ${last.length === 4}`
  return nameFirst.test(text) ? "name first" : `name second ${nameSecond.exec(text)?.[1]?.length === 4}`
}

/**
 * Whether a date that shows its order shows that of another, too: one in figures says nothing of names, 2024-09-30 nothing of
 * years with two digits, and 30/09/2024 nothing of 24-09-05.
 */
export const isSettledBy = (proof: string, cell: string): boolean =>
  orderOf(cell) !== "doubtful" || formOf(proof) === formOf(cell)

/** What to ask about a date that shows no order, as a clause. */
export const question = (cell: string): string => {
  const text = cell.trim()
  const likely = namedOf(text) !== undefined ? ["dmy", "ymd"] : /[0-9]{4}/.test(text) ? ["dmy", "mdy"] : orders
  return `${text} is a date whose order is in doubt: say which with --date-order ${likely.join(" or --date-order ")}`
}

/**
 * Reads a date, with or without a time, as `YYYY-MM-DD`; or says as a clause why it cannot. A year of four digits may come
 * first in any order. An instant with an offset is in UTC. Names of months are English unless another language is named.
 *
 * @example
 * LedgerDate.read("3.4.2024", "dmy") // => Result.succeed("2024-04-03")
 * LedgerDate.read("01 Sep 2024", "dmy") // => Result.succeed("2024-09-01")
 */
export const read = (
  cell: string,
  order: Order,
  language: MonthNames.Language = "en",
): Result.Result<string, string> => {
  const text = cell.trim()
  const instant = ClockTime.instantOf(text)
  if (Result.isSuccess(instant)) return Result.succeed(Timestamp.toUtc(instant.success).text.slice(0, 10))
  const shown = JSON.stringify(text.slice(0, 64))
  const named = namedOf(text)
  const month = named === undefined ? undefined : MonthNames.read(named.name, language)
  if (named !== undefined && month === undefined) {
    const known = MonthNames.languagesOf(named.name)
    const advice = known.map((code) => `--month-names ${code}`).join(" or ")
    return Result.fail(
      known.length > 0
        ? `${shown} has the name of a month in another language: say which with ${advice}`
        : `Not a date: ${shown}. Write it like 2024-09-30`,
    )
  }
  const numbers = named === undefined ? numbersOf(text, order) : datedOf(named, month ?? 0, order)
  const [year = "", ...rest] = numbers
  const iso = `${year.length === 2 ? "20" : ""}${[year, ...rest.map((part) => part.padStart(2, "0"))].join("-")}`
  if (isDay(iso)) {
    const day = timedDay(iso, text)
    return day === undefined
      ? Result.fail(`${shown} has a time that no clock shows. Write it like 2024-09-30 23:15`)
      : Result.succeed(day)
  }
  const shown_order = orderOf(text)
  return Result.fail(
    shown_order !== undefined && shown_order !== "doubtful" && shown_order !== order && named === undefined
      ? `${shown} looks like a date in another order: try --date-order ${shown_order}`
      : `Not a date: ${shown}. Write it like 2024-09-30`,
  )
}

const isDay = (iso: string): boolean => Timestamp.isText(`${iso}T00:00:00Z`)

/** Hour, minute and second, with or without separators. */
const parts = /^([0-9]{1,2})(?:[:.]?([0-9]{1,2})(?:[:.]?([0-9]{1,2})(?:[:.][0-9]*)?)?)?(?: ?([AaPp])[Mm])?$/

/** The day of a date with a time behind it, if there is such a time. */
const timedDay = (iso: string, text: string): string | undefined => {
  const written = shape.exec(text)?.[5] ?? nameFirst.exec(text)?.[4] ?? nameSecond.exec(text)?.[4]
  if (written === undefined) return iso
  const [, hour, minute, second, half] = parts.exec(written) ?? []
  if (hour === undefined) return undefined
  const day = ClockTime.dayOf(iso, hour, minute, second)
  if (half === undefined) return day !== undefined && isDay(day) ? day : undefined
  // Twelve hours have no 24:00, and their morning ends at 12.
  return day === iso && (half.toLowerCase() === "p" || Number(hour) <= 12) ? iso : undefined
}

const time = /[T ]([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}(?:\.[0-9]+)?))?(?: ?([AaPp])[Mm])?$/

/**
 * The instant of a cell whose day is read, and whose time is in UTC. Absent if it has no time.
 *
 * @example
 * LedgerDate.instantOf("9/30/2024 11:15 PM", "2024-09-30")?.text // => "2024-09-30T23:15:00Z"
 */
export const instantOf = (cell: string, day: string): Timestamp.Timestamp | undefined => {
  const [, hour = "", minute = "", second = "00", half] = time.exec(cell.trim()) ?? []
  const hours = hoursOf(hour, half).padStart(2, "0")
  return Result.getOrUndefined(Timestamp.parse(`${day}T${hours}:${minute}:${second}Z`))
}

/** The hours of a clock of 24. The day of 24:00 is the next one already. */
const hoursOf = (hour: string, half: string | undefined): string => {
  if (hour === "24") return "00"
  return half === undefined ? hour : String((Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0))
}

/** Year, month and day of a date in figures. */
const numbersOf = (text: string, order: Order): ReadonlyArray<string> => {
  const compact = /^([0-9]{4})([0-9]{2})([0-9]{2})$/.exec(text)
  if (compact !== null) return compact.slice(1)
  const [, first = "", , second = "", third = ""] = shape.exec(text) ?? []
  if (first.length === 4) return [first, second, third]
  return { ymd: [first, second, third], dmy: [third, second, first], mdy: [third, first, second] }[order]
}

/** Year, month and day of a date with a name. Only years of two digits need the order. */
const datedOf = ({ order: own, first, last }: Named, month: number, order: Order): ReadonlyArray<string> =>
  (own === "doubtful" ? order : own) === "ymd" ? [first, String(month), last] : [last, String(month), first]
