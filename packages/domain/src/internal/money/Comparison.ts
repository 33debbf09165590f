/** Comparison by value. */
import { dual } from "effect/Function"
import * as EffectOrder from "effect/Order"
import type { Ordering } from "effect/Ordering"
import * as Result from "effect/Result"
import { type Combine, type CurrencyMismatch, mismatch, type SameCurrency } from "./Combination.ts"
import * as internal from "./MoneyValue.ts"
import { ordering } from "./MoneyValue.ts"

type Money<C extends string = string> = internal.Money<C>

/** Compares two amounts of one currency, data first or data last. */
export interface Compare<R> {
  <B extends string>(
    that: Money<B>,
  ): <A extends string>(self: Money<A> & SameCurrency<A, B>) => Result.Result<R, CurrencyMismatch>
  <A extends string, B extends string>(
    self: Money<A>,
    that: Money<B> & SameCurrency<A, B>,
  ): Result.Result<R, CurrencyMismatch>
}

const comparing = <R>(read: (sign: Ordering) => R): Compare<R> =>
  dual(2, (self: Money, that: Money) =>
    self.currency_code === that.currency_code ? Result.succeed(read(ordering(self, that))) : mismatch(self, that),
  )

/**
 * Compares two amounts of one currency by value.
 *
 * @example
 * Money.compare(Money.parseUnsafe("9.99", "fiat/USD"), Money.parseUnsafe("10", "fiat/USD")) // => Result.succeed(-1)
 */
export const compare: Compare<Ordering> = comparing((sign) => sign)

/**
 * Whether an amount is below another of the same currency.
 *
 * @example
 * Money.lessThan(Money.parseUnsafe("9.99", "fiat/USD"), Money.parseUnsafe("10", "fiat/USD")) // => Result.succeed(true)
 */
export const lessThan: Compare<boolean> = comparing((sign) => sign < 0)

/**
 * Whether an amount is not above another of the same currency.
 *
 * @example
 * Money.lessThanOrEqualTo(Money.parseUnsafe("1.0", "fiat/USD"), Money.parseUnsafe("1", "fiat/USD")) // => Result.succeed(true)
 */
export const lessThanOrEqualTo: Compare<boolean> = comparing((sign) => sign <= 0)

/**
 * Whether an amount is above another of the same currency.
 *
 * @example
 * Money.greaterThan(Money.parseUnsafe("1.0", "fiat/USD"), Money.parseUnsafe("1", "fiat/USD")) // => Result.succeed(false)
 */
export const greaterThan: Compare<boolean> = comparing((sign) => sign > 0)

/**
 * Whether an amount is not below another of the same currency.
 *
 * @example
 * Money.greaterThanOrEqualTo(Money.parseUnsafe("1.0", "fiat/USD"), Money.parseUnsafe("1", "fiat/USD")) // => Result.succeed(true)
 */
export const greaterThanOrEqualTo: Compare<boolean> = comparing((sign) => sign >= 0)

/**
 * A total order for sorting mixed lists: by currency code, then by value.
 *
 * @example
 * [Money.parseUnsafe("10", "fiat/USD"), Money.parseUnsafe("9", "fiat/USD"), Money.parseUnsafe("11", "fiat/EUR")].sort(Money.Order).map(String) // => ["11 fiat/EUR", "9 fiat/USD", "10 fiat/USD"]
 */
export const Order: EffectOrder.Order<Money> = EffectOrder.combine(
  EffectOrder.mapInput(EffectOrder.String, (money: Money) => money.currency_code),
  EffectOrder.make(ordering),
)

/**
 * Whether two amounts have the same value and the same currency. Amounts in different currencies are not equal.
 *
 * @example
 * Money.equals(Money.parseUnsafe("1.1", "fiat/USD"), Money.parseUnsafe("1.10", "fiat/USD")) // => true
 */
export const equals: {
  (that: Money): (self: Money) => boolean
  (self: Money, that: Money): boolean
} = dual(2, (self: Money, that: Money) => self.currency_code === that.currency_code && ordering(self, that) === 0)

/**
 * The smaller of two amounts, the first if they are equal.
 *
 * @example
 * Result.map(Money.min(Money.parseUnsafe("3", "fiat/USD"), Money.parseUnsafe("2", "fiat/USD")), String) // => Result.succeed("2 fiat/USD")
 */
export const min: Combine = dual(2, (self: Money, that: Money) =>
  Result.map(compare(self, that), (sign) => (sign > 0 ? that : self)),
)

/**
 * The larger of two amounts, the first if they are equal.
 *
 * @example
 * Result.map(Money.max(Money.parseUnsafe("3", "fiat/USD"), Money.parseUnsafe("2", "fiat/USD")), String) // => Result.succeed("3 fiat/USD")
 */
export const max: Combine = dual(2, (self: Money, that: Money) =>
  Result.map(compare(self, that), (sign) => (sign < 0 ? that : self)),
)

/**
 * Whether the amount is zero.
 *
 * @example
 * Money.isZero(Money.parseUnsafe("0.00", "fiat/USD")) // => true
 */
export const isZero = (self: Money): boolean => internal.unitsOf(self) === 0n

/**
 * Whether the amount is below zero.
 *
 * @example
 * Money.isNegative(Money.parseUnsafe("-0.01", "fiat/USD")) // => true
 */
export const isNegative = (self: Money): boolean => self.text.startsWith("-")
