/**
 * The grammar of a decimal amount as text. The wire, the CLI, CSV files and the fake all use it, so that they accept
 * the same texts and read them alike.
 */
import * as Data from "effect/Data"
import type { Ordering } from "effect/Ordering"
import { assertFractionDigits } from "./internal/decimal/FractionDigits.ts"
import { amountMaxLength, amountPattern } from "./internal/decimal/Grammar.ts"
import { excerpt } from "./internal/Excerpt.ts"

/** The length of the longest amount, in characters. It bounds the work that untrusted text can cause. */
export const maxLength = amountMaxLength

/** Plain decimal notation: an optional minus, no leading zeros, no exponent, digits on both sides of the point. */
export const pattern: RegExp = amountPattern

/** The text is not a plain decimal number. `input` is truncated to 64 characters. */
export class InvalidAmount extends Data.TaggedError("InvalidAmount")<{ readonly input: string }> {
  override get message(): string {
    return (
      `Not an amount: ${JSON.stringify(this.input)}. Write plain decimal digits such as 12, 0.50 or -3.075:` +
      ` no exponent, no thousands separator, no leading zero, no more than ${maxLength} characters.`
    )
  }
}

/**
 * Whether a text is an amount.
 *
 * @example
 * Amount.isAmount("1250.00") // => true
 * Amount.isAmount("1e3") // => false
 * Amount.isAmount(".5") // => false
 */
export const isAmount = (text: string): boolean => text.length <= maxLength && pattern.test(text)

/**
 * The error for a text that is not an amount.
 *
 * @example
 * Amount.invalid("1,000").input // => "1,000"
 */
export const invalid = (text: string): InvalidAmount => new InvalidAmount({ input: excerpt(text) })

/**
 * The number of digits after the point.
 *
 * @example
 * Amount.scale("12.340") // => 3
 * Amount.scale("12") // => 0
 */
export const scale = (text: string): number => {
  const point = text.indexOf(".")
  return point === -1 ? 0 : text.length - point - 1
}

/**
 * An amount in units of its fraction digit number `digits`. It must not have more digits.
 *
 * @example
 * Amount.toUnits("-1.5", 3) // => -1500n
 */
export const toUnits = (text: string, digits: number): bigint => {
  const units = BigInt(text.replace(".", ""))
  const more = digits - scale(text)
  return more === 0 ? units : units * (powers[more] ?? 10n ** BigInt(more))
}

/** Few digits times a power are read faster than the same digits and as many zeros. */
const powers = Array.from({ length: 19 }, (_, digits) => 10n ** BigInt(digits))

/**
 * The amount of some units, with exactly `scale` fraction digits. The inverse of {@link toUnits}.
 *
 * @example
 * Amount.fromUnits(-1500n, 3) // => "-1.500"
 * Amount.fromUnits(5n, 0) // => "5"
 */
export const fromUnits = (units: bigint, scale: number): string => {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0")
  const point = digits.length - scale
  return `${units < 0n ? "-" : ""}${digits.slice(0, point)}${scale === 0 ? "" : `.${digits.slice(point)}`}`
}

/**
 * An amount without zeros at the end of its fraction.
 *
 * @example
 * Amount.withoutZeros("10.50") // => "10.5"
 */
export const withoutZeros = (amount: string): string => {
  if (!amount.includes(".")) return amount
  let end = amount.length
  while (amount[end - 1] === "0") end--
  return amount.slice(0, amount[end - 1] === "." ? end - 1 : end)
}

/**
 * Compares two amounts by value, exactly.
 *
 * @example
 * Amount.compare("9.90", "10") // => -1
 * Amount.compare("1.10", "1.1") // => 0
 */
export const compare = (self: string, that: string): Ordering => {
  const digits = Math.max(scale(self), scale(that))
  const left = toUnits(self, digits)
  const right = toUnits(that, digits)
  return left < right ? -1 : left > right ? 1 : 0
}

/**
 * The nearest amount with at most `digits` fraction digits; a tie goes to the even neighbour.
 * Throws a `RangeError` unless `digits` is a whole number from 0 to 1,000.
 *
 * @example
 * Amount.round("12.345", 2) // => "12.34"
 * Amount.round("12.3451", 2) // => "12.35"
 * Amount.round("12", 2) // => "12"
 */
export const round = (text: string, digits: number): string => {
  assertFractionDigits(digits)
  const excess = scale(text) - digits
  if (excess <= 0) return text
  const unit = 10n ** BigInt(excess)
  const value = toUnits(text, scale(text))
  const magnitude = value < 0n ? -value : value
  const rest = (magnitude % unit) * 2n
  const down = magnitude / unit
  const rounded = rest > unit || (rest === unit && down % 2n === 1n) ? down + 1n : down
  return fromUnits(value < 0n ? -rounded : rounded, digits)
}
