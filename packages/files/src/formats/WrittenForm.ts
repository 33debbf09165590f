/**
 * How an amount or a time was written, if a column holds its value only: the number of its fraction digits, or the text of
 * a time that does not follow from them, such as one with an offset. Together with the value it gives the text back, to
 * the last character.
 */
import * as Amount from "@transferkit/domain/Amount"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Result from "effect/Result"

/** The fraction digits, or the text of a time. */
export type WrittenForm = number | string

/**
 * The text of an amount, of which a column holds the units of a scale; undefined if it cannot have been written so.
 *
 * @example
 * amount(1100n, 3, 2) // => "1.10"
 * amount(1125n, 3, 2) // => undefined
 */
export const amount = (units: bigint, scale: number, form: unknown): string | undefined => {
  if (!isDigits(form, scale) || units % 10n ** BigInt(scale - form) !== 0n) return undefined
  return Amount.fromUnits(units / 10n ** BigInt(scale - form), form)
}

/** The form of a time, of which a column holds the instant. */
export const ofTime = (text: string, epochNanoseconds: bigint): WrittenForm => {
  const digits = (/\.(\d+)/.exec(text)?.[1] ?? "").length
  return time(epochNanoseconds, digits) === text ? digits : text
}

/**
 * The text of a time, of which a column holds the instant; undefined if it cannot have been written so.
 *
 * @example
 * time(1_500_000_000n, 3) // => "1970-01-01T00:00:01.500Z"
 * time(0n, "1970-01-01T01:00:00+01:00") // => "1970-01-01T01:00:00+01:00"
 */
export const time = (epochNanoseconds: bigint, form: unknown): string | undefined => {
  if (typeof form === "string") {
    const parsed = Timestamp.parse(form)
    return Result.isSuccess(parsed) && parsed.success.epochNanoseconds === epochNanoseconds ? form : undefined
  }
  if (!isDigits(form, 9) || !isWithinYears(epochNanoseconds)) return undefined
  const [head = "", fraction = ""] = Timestamp.fromEpochNanoseconds(epochNanoseconds).text.slice(0, -1).split(".")
  if (fraction.length > form) return undefined
  return form === 0 ? `${head}Z` : `${head}.${fraction.padEnd(form, "0")}Z`
}

/** Whether the year of an instant is within 0 to 9999 in UTC. The hours beside those have a text with an offset only. */
export const isWithinYears = (epochNanoseconds: bigint): boolean =>
  epochNanoseconds >= first.epochNanoseconds && epochNanoseconds <= last.epochNanoseconds

const first = Timestamp.parseUnsafe("0000-01-01T00:00:00Z")
const last = Timestamp.parseUnsafe("9999-12-31T23:59:59.999999999Z")

const isDigits = (form: unknown, most: number): form is number =>
  Number.isInteger(form) && Number(form) >= 0 && Number(form) <= most
