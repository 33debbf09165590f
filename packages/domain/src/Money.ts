/**
 * Exact money: a decimal amount and its currency. Nothing rounds unless asked to, amounts in different currencies
 * do not mix, and an amount is written with the text it was read from (partner-api.md, 2.1).
 */
import type { Decimal } from "decimal.js"
import { dual } from "effect/Function"
import * as Result from "effect/Result"
import * as Amount from "./Amount.ts"
import * as CurrencyCode from "./CurrencyCode.ts"
import { print } from "./internal/money/Arithmetic.ts"
import { formatAmount } from "./internal/money/FormatAmount.ts"
import * as internal from "./internal/money/MoneyValue.ts"

export { abs, add, type Factor, multiply, negate, subtract, sum, sumByCurrency } from "./internal/money/Arithmetic.ts"
export { type Combine, CurrencyMismatch, type SameCurrency } from "./internal/money/Combination.ts"
export {
  type Compare,
  compare,
  equals,
  greaterThan,
  greaterThanOrEqualTo,
  isNegative,
  isZero,
  lessThan,
  lessThanOrEqualTo,
  max,
  min,
  Order,
} from "./internal/money/Comparison.ts"
export {
  allocate,
  convert,
  divide,
  DivisionByZero,
  InvalidWeights,
  type Precision,
  ratio,
  round,
  type RoundingMode,
} from "./internal/money/Division.ts"
export { Schema, Wire } from "./internal/money/MoneySchema.ts"

/**
 * An amount of one currency.
 *
 * `amount` is the value as a decimal.js `Decimal`; `text` is the amount in plain notation, unchanged if it was read
 * from text. `JSON.stringify` gives the wire object, a template string gives `1.10 fiat/USD`, and operators such as `+`
 * and `<` throw a `TypeError`. `Equal.equals` compares by value, so `1.1` equals `1.10`.
 */
export interface Money<out C extends string = string> extends internal.Money<C> {}

/**
 * Money from a decimal. Fails for `NaN`, infinities, and a decimal that is too long for an {@link Amount}, such as an
 * unrounded quotient.
 *
 * @example
 * Result.map(Money.make(new Decimal("12.5"), CurrencyCode.parseUnsafe("fiat/USD")), String) // => Result.succeed("12.5 fiat/USD")
 * Result.isFailure(Money.make(new Decimal(Infinity), CurrencyCode.parseUnsafe("fiat/USD"))) // => true
 */
export const make = <C extends string>(
  amount: Decimal,
  currency_code: CurrencyCode.CurrencyCode<C>,
): Result.Result<Money<C>, Amount.InvalidAmount> => parse(print(amount), currency_code)

/**
 * No money.
 *
 * @example
 * String(Money.zero(CurrencyCode.parseUnsafe("fiat/USD"))) // => "0 fiat/USD"
 */
export const zero = <C extends string>(currency_code: CurrencyCode.CurrencyCode<C>): Money<C> =>
  new internal.Money("0", currency_code)

/**
 * Reads an amount in the grammar of {@link Amount} and keeps its text. Only the sign of a zero is dropped. The currency
 * is a checked code or a literal.
 *
 * @example
 * Result.map(Money.parse("1.10", "fiat/USD"), String) // => Result.succeed("1.10 fiat/USD")
 * Result.isFailure(Money.parse("1e3", CurrencyCode.parseUnsafe("fiat/USD"))) // => true
 */
export function parse<C extends string>(
  text: string,
  currency_code: CurrencyCode.CurrencyCode<C>,
): Result.Result<Money<C>, Amount.InvalidAmount>
export function parse<const C extends `${string}/${string}`>(
  text: string,
  currency_code: C,
): Result.Result<Money<C>, Amount.InvalidAmount | CurrencyCode.InvalidCurrencyCode>
export function parse(
  text: string,
  currency_code: string,
): Result.Result<Money, Amount.InvalidAmount | CurrencyCode.InvalidCurrencyCode> {
  const code = CurrencyCode.parse(currency_code)
  if (Result.isFailure(code)) return Result.fail(code.failure)
  return Amount.isAmount(text)
    ? Result.succeed(new internal.Money(text, code.success))
    : Result.fail(Amount.invalid(text))
}

/**
 * Money from a literal. Throws the errors of {@link parse}, so do not use it on untrusted text.
 *
 * @example
 * Money.parseUnsafe("1.10", "fiat/USD").text // => "1.10"
 */
export const parseUnsafe: {
  <C extends string>(text: string, currency_code: CurrencyCode.CurrencyCode<C>): Money<C>
  <const C extends `${string}/${string}`>(text: string, currency_code: C): Money<C>
} = <C extends `${string}/${string}`>(text: string, currency_code: C): Money<C> =>
  Result.getOrThrow(parse(text, currency_code))

/**
 * Whether a value is Money.
 *
 * @example
 * Money.isMoney({ amount: "1", currency_code: "fiat/USD" }) // => false
 */
export const isMoney = (value: unknown): value is Money => internal.isMoney(value)

/**
 * The amount in a locale's notation, with all its digits. Fiat shows its symbol, crypto its ticker.
 * Throws a `RangeError` for a locale that is not a BCP 47 tag.
 *
 * @example
 * Money.format(Money.parseUnsafe("-1234567.1", "fiat/EUR"), "de-DE") // => "-1.234.567,10\u00a0€"
 * Money.format(Money.parseUnsafe("0.100000000000000001", "ethereum/ETH"), "en-US") // => "0.100000000000000001 ETH"
 */
export const format: {
  (locale: string): (self: Money) => string
  (self: Money, locale: string): string
} = dual(2, (self: Money, locale: string) => formatAmount(self.text, self.currency_code, locale))

/**
 * The amount with every digit, and its currency as people name it: fiat by its ticker, crypto with its network.
 *
 * @example
 * Money.label(Money.parseUnsafe("12.50", "fiat/USD")) // => "12.50 USD"
 * Money.label(Money.parseUnsafe("0.1", "ethereum/ETH")) // => "0.1 ethereum/ETH"
 */
export const label = ({ text, currency_code }: Money): string =>
  `${text} ${CurrencyCode.isFiat(currency_code) ? CurrencyCode.ticker(currency_code) : currency_code}`
