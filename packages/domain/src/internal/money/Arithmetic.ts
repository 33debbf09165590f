/** Arithmetic that is exact: nothing here rounds. */
import type { Decimal } from "decimal.js"
import type { NonEmptyReadonlyArray } from "effect/Array"
import { dual } from "effect/Function"
import * as Result from "effect/Result"
import * as Amount from "../../Amount.ts"
import { AmountSum } from "../../AmountSum.ts"
import type * as CurrencyCode from "../../CurrencyCode.ts"
import { ExactDecimal } from "../decimal/ExactDecimal.ts"
import { type Combine, CurrencyMismatch, mismatch } from "./Combination.ts"
import { Order } from "./Comparison.ts"
import * as internal from "./MoneyValue.ts"

type Money<C extends string = string> = internal.Money<C>

/** A number to multiply by: a `Decimal`, or text in the grammar of {@link Amount}. */
export type Factor = Decimal | string

/** Plain notation; but an exponent beyond the longest amount would print as millions of zeros. */
export const print = (exact: Decimal): string =>
  exact.isFinite() && Math.abs(exact.e) <= Amount.maxLength ? exact.toFixed() : exact.toExponential()

/** An exact result in plain notation with at least `scale` fraction digits, so that 1.10 + 1.10 is 2.20. */
const exactly = <C extends string>(
  exact: Decimal,
  scale: number,
  currency_code: CurrencyCode.CurrencyCode<C>,
): Money<C> => {
  // Zeros are appended here: decimal.js takes three times as long to print a given number of digits.
  const plain = exact.toFixed()
  const written = exact.decimalPlaces()
  const text = scale <= written ? plain : `${plain}${written === 0 ? "." : ""}${"0".repeat(scale - written)}`
  return new internal.Money(text, currency_code)
}

const ofUnits = <C extends string>(
  units: bigint,
  scale: number,
  currency_code: CurrencyCode.CurrencyCode<C>,
): Money<C> => new internal.Money(Amount.fromUnits(units, scale), currency_code, units)

const scaleOf = (money: Money): number => Amount.scale(money.text)

/**
 * The exact sum of two amounts, with as many fraction digits as the longer of the two.
 *
 * @example
 * Result.map(Money.add(Money.parseUnsafe("0.10", "fiat/USD"), Money.parseUnsafe("0.2", "fiat/USD")), String) // => Result.succeed("0.30 fiat/USD")
 */
export const add: Combine = dual(2, (self: Money, that: Money) => {
  if (self.currency_code !== that.currency_code) return mismatch(self, that)
  const [left, right, scale] = internal.aligned(self, that)
  return Result.succeed(ofUnits(left + right, scale, self.currency_code))
})

/**
 * The exact difference of two amounts.
 *
 * @example
 * Result.map(Money.subtract(Money.parseUnsafe("1.00", "fiat/USD"), Money.parseUnsafe("1.30", "fiat/USD")), String) // => Result.succeed("-0.30 fiat/USD")
 */
export const subtract: Combine = dual(2, (self: Money, that: Money) => {
  if (self.currency_code !== that.currency_code) return mismatch(self, that)
  const [left, right, scale] = internal.aligned(self, that)
  return Result.succeed(ofUnits(left - right, scale, self.currency_code))
})

/**
 * The amount with the opposite sign. Zero stays zero.
 *
 * @example
 * String(Money.negate(Money.parseUnsafe("1.10", "fiat/USD"))) // => "-1.10 fiat/USD"
 */
export const negate = <C extends string>(self: Money<C>): Money<C> =>
  new internal.Money(self.text.startsWith("-") ? self.text.slice(1) : `-${self.text}`, self.currency_code)

/**
 * The amount without its sign.
 *
 * @example
 * String(Money.abs(Money.parseUnsafe("-1.10", "fiat/USD"))) // => "1.10 fiat/USD"
 */
export const abs = <C extends string>(self: Money<C>): Money<C> => (self.text.startsWith("-") ? negate(self) : self)

/**
 * The exact product of an amount and a number. Fails if it is too long for an {@link Amount}.
 *
 * @example
 * Result.map(Money.multiply(Money.parseUnsafe("19.99", "fiat/USD"), "0.015"), String) // => Result.succeed("0.29985 fiat/USD")
 */
export const multiply: {
  (factor: Factor): <C extends string>(self: Money<C>) => Result.Result<Money<C>, Amount.InvalidAmount>
  <C extends string>(self: Money<C>, factor: Factor): Result.Result<Money<C>, Amount.InvalidAmount>
} = dual(2, (self: Money, factor: Factor) =>
  Result.flatMap(readFactor(factor), (by) => {
    const product = internal.exactOf(self).times(by.exact)
    if (Math.abs(product.e) > Amount.maxLength) return Result.fail(Amount.invalid(print(product)))
    return checked(exactly(product, scaleOf(self) + by.scale, self.currency_code))
  }),
)

/** No Money is longer than its schema accepts. */
export const checked = <C extends string>(money: Money<C>): Result.Result<Money<C>, Amount.InvalidAmount> =>
  Amount.isAmount(money.text) ? Result.succeed(money) : Result.fail(Amount.invalid(money.text))

/** More than any decimal that a caller can have by dividing amounts, and few enough to print. */
const mostFactorDigits = 2000

/** A number as an exact decimal, and its fraction digits. */
export const readFactor = (
  factor: Factor,
): Result.Result<{ readonly exact: Decimal; readonly scale: number }, Amount.InvalidAmount> => {
  if (typeof factor === "string") {
    return Amount.isAmount(factor)
      ? Result.succeed({ exact: new ExactDecimal(factor), scale: Amount.scale(factor) })
      : Result.fail(Amount.invalid(factor))
  }
  return factor.isFinite() && factor.e < mostFactorDigits && factor.decimalPlaces() < mostFactorDigits
    ? Result.succeed({ exact: new ExactDecimal(factor), scale: factor.decimalPlaces() })
    : Result.fail(Amount.invalid(factor.toExponential()))
}

/**
 * The exact sum of amounts of one currency. An empty sum is zero, but only in a currency that is given.
 *
 * @example
 * Result.map(Money.sum([Money.parseUnsafe("0.1", "fiat/USD"), Money.parseUnsafe("0.2", "fiat/USD")]), String) // => Result.succeed("0.3 fiat/USD")
 * Result.map(Money.sum([], CurrencyCode.parseUnsafe("fiat/USD")), String) // => Result.succeed("0 fiat/USD")
 */
export const sum: {
  <C extends string>(monies: NonEmptyReadonlyArray<Money<C>>): Result.Result<Money<C>, CurrencyMismatch>
  <C extends string>(
    monies: ReadonlyArray<Money<C>>,
    currency_code: CurrencyCode.CurrencyCode<C>,
  ): Result.Result<Money<C>, CurrencyMismatch>
} = <C extends string>(
  monies: ReadonlyArray<Money<C>>,
  currency_code: CurrencyCode.CurrencyCode<C> | undefined = monies[0]?.currency_code,
): Result.Result<Money<C>, CurrencyMismatch> => {
  if (currency_code === undefined) throw new RangeError("An empty sum needs a currency: pass it to Money.sum.")
  const total = new AmountSum()
  for (const money of monies) {
    if (money.currency_code !== currency_code) {
      return Result.fail(new CurrencyMismatch({ left: currency_code, right: money.currency_code }))
    }
    total.add(money.text)
  }
  return Result.succeed(new internal.Money(total.text, currency_code))
}

/**
 * The exact sums of amounts of any currencies: one for each, in the order of their codes.
 *
 * @example
 * Money.sumByCurrency([Money.parseUnsafe("1", "fiat/USD"), Money.parseUnsafe("2", "fiat/EUR"), Money.parseUnsafe("3", "fiat/USD")]).map(String) // => ["2 fiat/EUR", "4 fiat/USD"]
 */
export const sumByCurrency = (monies: Iterable<Money>): ReadonlyArray<Money> =>
  [...Map.groupBy(monies, (money) => money.currency_code)]
    .map(([currency_code, own]) => Result.getOrThrow(sum(own, currency_code)))
    .sort(Order)
