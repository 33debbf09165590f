/**
 * The one grammar of a decimal amount as text. The wire, the CLI, CSV files and the fake all read amounts with it, so
 * that a figure one of them accepts means the same to all.
 */
import * as Data from "effect/Data"
import * as S from "effect/Schema"

/** The longest text that is read as an amount, in characters. It bounds the work that foreign text can cause. */
export const maxLength = 255

/** Plain decimal notation: an optional minus, no leading zeros, no exponent, digits on both sides of a point. */
export const pattern: RegExp = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/

/** The text is not a plain decimal number. `input` holds what was given, cut to 64 characters. */
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
export const invalid = (text: string): InvalidAmount =>
  new InvalidAmount({ input: text.length > 64 ? `${text.slice(0, 64)}…` : text })

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

/** The wire form: a string in the grammar. */
export const Schema = S.String.check(
  S.isPattern(pattern, { expected: "a plain decimal number" }),
  S.isMaxLength(maxLength),
).annotate({ identifier: "Amount" })
