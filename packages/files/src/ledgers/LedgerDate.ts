/** Dates as people write them. A date that can be read in two ways is asked about, never guessed. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Result from "effect/Result"

/** The orders of day, month and year. */
export const orders = ["ymd", "dmy", "mdy"] as const

/** One of {@link orders}. */
export type Order = (typeof orders)[number]

const shape = /^([0-9]{1,4})([-/. ])([0-9]{1,2})\2([0-9]{1,4})(?:[T ][0-9:.]+)?$/

/** The order that a date shows: a year comes first, or a number above 12 can only be the day. */
export const orderOf = (cell: string): Order | "doubtful" | undefined => {
  const [, first = "", , second = "", third = ""] = shape.exec(cell.trim()) ?? []
  if (first.length === 4) return "ymd"
  if (third.length !== 4) return first === "" ? undefined : "doubtful"
  if (Number(first) > 12) return "dmy"
  return Number(second) > 12 ? "mdy" : "doubtful"
}

/** What to ask about a date that shows no order, as a clause. */
export const question = (cell: string): string => {
  const text = cell.trim()
  return `${text} is a date whose order is in doubt: say which with --date-order ${/[0-9]{4}/.test(text) ? "dmy or --date-order mdy" : orders.join(" or --date-order ")}`
}

/**
 * Reads a date, with or without a time, as `YYYY-MM-DD`; or says as a clause why it is none. An instant with an offset
 * is in UTC.
 *
 * @example
 * LedgerDate.read("3.4.2024", "dmy") // => Result.succeed("2024-04-03")
 */
export const read = (cell: string, order: Order): Result.Result<string, string> => {
  const text = cell.trim()
  const instant = Timestamp.parse(text)
  if (Result.isSuccess(instant)) return Result.succeed(Timestamp.toUtc(instant.success).text.slice(0, 10))
  const compact = /^([0-9]{4})([0-9]{2})([0-9]{2})$/.exec(text)
  const [, first = "", , second = "", third = ""] = shape.exec(text) ?? []
  const [year = "", month = "", day = ""] =
    compact?.slice(1) ??
    { ymd: [first, second, third], dmy: [third, second, first], mdy: [third, first, second] }[order]
  const iso = `${year.length === 2 ? "20" : ""}${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
  if (Timestamp.isText(`${iso}T00:00:00Z`)) return Result.succeed(iso)
  const shown = JSON.stringify(text.slice(0, 64))
  const shown_order = orderOf(text)
  return Result.fail(
    shown_order !== undefined && shown_order !== "doubtful" && shown_order !== order
      ? `${shown} looks like a date in another order: try --date-order ${shown_order}`
      : `Not a date: ${shown}. Write it like 2024-09-30`,
  )
}
