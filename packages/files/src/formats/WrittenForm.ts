/**
 * How an amount or a time was written, if a column holds its value only: the number of its fraction digits, or the text of
 * a time that does not follow from them, such as one with an offset. Together with the value it gives the text back, to
 * the last character.
 */
import * as Amount from "@transferkit/domain/Amount"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Result from "effect/Result"
import * as DecimalWidth from "./DecimalWidth.ts"

/** The fraction digits, or the text of a time. */
export type WrittenForm = number | string

/**
 * The text of an amount, of which a column holds the units of the scale 18; undefined if it cannot have been written so.
 *
 * @example
 * amount(1_100_000_000_000_000_000n, 2) // => "1.10"
 * amount(1_125_000_000_000_000_000n, 2) // => undefined
 */
export const amount = (units: bigint, form: unknown): string | undefined => {
  if (!isDigits(form, DecimalWidth.scale)) return undefined
  const rest = 10n ** BigInt(DecimalWidth.scale - form)
  return units % rest === 0n ? Amount.fromUnits(units / rest, form) : undefined
}

/**
 * The microseconds of an instant, rounded down: what a column holds of a time.
 *
 * @example
 * microseconds(-1n) // => -1n
 */
export const microseconds = (epochNanoseconds: bigint): bigint => {
  const whole = epochNanoseconds / 1000n
  return whole * 1000n > epochNanoseconds ? whole - 1n : whole
}

/**
 * The form of a time.
 *
 * @example
 * ofTime("1970-01-01T00:00:01.500Z") // => 3
 * ofTime("1970-01-01T01:00:00+01:00") // => "1970-01-01T01:00:00+01:00"
 */
export const ofTime = (text: string): WrittenForm => {
  const found = ofDigits.exec(text)
  return found === null ? text : (found[1] ?? "").length
}

/** In UTC, not in a leap second, and with nothing below a microsecond: {@link time} gives it back by its digits. */
const ofDigits = /^.{10}T.{6}[0-5].(?:\.(\d{1,6}0{0,3}))?Z$/

/**
 * The text of a time, of which a column holds the microseconds; undefined if it cannot have been written so.
 *
 * @example
 * time(1_500_000n, 3) // => "1970-01-01T00:00:01.500Z"
 * time(0n, "1970-01-01T01:00:00+01:00") // => "1970-01-01T01:00:00+01:00"
 * time(0n, "1970-01-01T00:00:00.000000999Z") // => "1970-01-01T00:00:00.000000999Z"
 */
export const time = (value: bigint, form: unknown): string | undefined => {
  if (typeof form === "string") {
    const parsed = Timestamp.parse(form)
    return Result.isSuccess(parsed) && microseconds(parsed.success.epochNanoseconds) === value ? form : undefined
  }
  if (!isDigits(form, 9) || !isWithinYears(value)) return undefined
  const [head = "", fraction = ""] = Timestamp.fromEpochNanoseconds(value * 1000n)
    .text.slice(0, -1)
    .split(".")
  if (fraction.length > form) return undefined
  return form === 0 ? `${head}Z` : `${head}.${fraction.padEnd(form, "0")}Z`
}

/** Whether the year of a time is within 0 to 9999 in UTC. The hours beside those have a text with an offset only. */
export const isWithinYears = (value: bigint): boolean => value >= first && value <= last

const first = microseconds(Timestamp.parseUnsafe("0000-01-01T00:00:00Z").epochNanoseconds)
const last = microseconds(Timestamp.parseUnsafe("9999-12-31T23:59:59.999999999Z").epochNanoseconds)

const isDigits = (form: unknown, most: number): form is number =>
  Number.isInteger(form) && Number(form) >= 0 && Number(form) <= most
