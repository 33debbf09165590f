/** Arithmetic that rounds, by a mode and to a number of fraction digits that the caller gives, or allocates the rest. */
import type { Decimal } from "decimal.js"
import type { NonEmptyArray } from "effect/Array"
import * as Data from "effect/Data"
import { dual } from "effect/Function"
import * as Result from "effect/Result"
import * as Amount from "../../Amount.ts"
import type * as CurrencyCode from "../../CurrencyCode.ts"
import * as Rounding from "../decimal/Rounding.ts"
import { checked, type Factor, readFactor } from "./Arithmetic.ts"
import { type CurrencyMismatch, mismatch, type SameCurrency } from "./Combination.ts"
import * as LargestRemainder from "./LargestRemainder.ts"
import * as internal from "./MoneyValue.ts"

type Money<C extends string = string> = internal.Money<C>

/** The weights of {@link allocate} are negative, not plain decimals, or none of them is positive. */
export class InvalidWeights extends Data.TaggedError("InvalidWeights")<{ readonly reason: string }> {
  override get message(): string {
    return `Cannot allocate: ${this.reason}. Give at least one weight. None may be negative, and at least one must be positive.`
  }
}

/** A division by zero. `dividend` is the amount that was to be divided. */
export class DivisionByZero extends Data.TaggedError("DivisionByZero")<{ readonly dividend: string }> {
  override get message(): string {
    return `Cannot divide ${this.dividend} by zero. Check for zero first.`
  }
}

/** How {@link round} picks one of two neighbours. `half-even` is banker's rounding. */
export type RoundingMode = Rounding.Mode

/** How to round a result: to `scale` fraction digits, from 0 to 1,000, by a mode. */
export interface Precision {
  readonly scale: number
  readonly rounding: RoundingMode
}

/**
 * The amount divided by a number, rounded once. Throws a `RangeError` for an unknown mode, and unless `scale` is a whole
 * number from 0 to 1,000.
 *
 * @example
 * Result.map(Money.divide(Money.parseUnsafe("100", "fiat/USD"), "3", { scale: 2, rounding: "half-even" }), String) // => Result.succeed("33.33 fiat/USD")
 * Result.mapError(Money.divide(Money.parseUnsafe("100", "fiat/USD"), "0", { scale: 2, rounding: "half-even" }), (error) => error._tag) // => Result.fail("DivisionByZero")
 */
export const divide: {
  (
    by: Factor,
    precision: Precision,
  ): <C extends string>(self: Money<C>) => Result.Result<Money<C>, Amount.InvalidAmount | DivisionByZero>
  <C extends string>(
    self: Money<C>,
    by: Factor,
    precision: Precision,
  ): Result.Result<Money<C>, Amount.InvalidAmount | DivisionByZero>
} = dual(3, (self: Money, by: Factor, precision: Precision) =>
  Result.flatMap(readFactor(by), ({ exact }) => quotient(self, exact, precision)),
)

const quotient = <C extends string>(
  self: Money<C>,
  by: Decimal,
  { scale, rounding }: Precision,
): Result.Result<Money<C>, Amount.InvalidAmount | DivisionByZero> =>
  by.isZero()
    ? Result.fail(new DivisionByZero({ dividend: String(self) }))
    : checked(new internal.Money(Rounding.quotient(internal.exactOf(self), by, scale, rounding), self.currency_code))

/**
 * One amount divided by another of the same currency, rounded once: a number to {@link multiply} or {@link convert}
 * with. Throws a `RangeError` for an unknown mode, and unless `scale` is a whole number from 0 to 1,000.
 *
 * @example
 * Money.ratio(Money.parseUnsafe("1.50", "fiat/USD"), Money.parseUnsafe("45.00", "fiat/USD"), { scale: 4, rounding: "half-even" }) // => Result.succeed("0.0333")
 */
export const ratio: {
  <B extends string>(
    that: Money<B>,
    precision: Precision,
  ): <A extends string>(
    self: Money<A> & SameCurrency<A, B>,
  ) => Result.Result<string, Amount.InvalidAmount | CurrencyMismatch | DivisionByZero>
  <A extends string, B extends string>(
    self: Money<A>,
    that: Money<B> & SameCurrency<A, B>,
    precision: Precision,
  ): Result.Result<string, Amount.InvalidAmount | CurrencyMismatch | DivisionByZero>
} = dual(3, (self: Money, that: Money, precision: Precision) =>
  self.currency_code === that.currency_code
    ? Result.map(quotient(self, internal.exactOf(that), precision), ({ text }) => text)
    : mismatch(self, that),
)

/**
 * The amount in another currency: multiplied by `rate`, which is the price of one unit of its own currency in the other,
 * and rounded once. Throws a `RangeError` for an unknown mode, and unless `scale` is a whole number from 0 to 1,000.
 *
 * @example
 * Result.map(Money.convert(Money.parseUnsafe("250.00", "fiat/EUR"), "1.0835", CurrencyCode.parseUnsafe("fiat/USD"), { scale: 2, rounding: "half-even" }), String) // => Result.succeed("270.88 fiat/USD")
 */
export const convert: {
  <D extends string>(
    rate: Factor,
    currency_code: CurrencyCode.CurrencyCode<D>,
    precision: Precision,
  ): (self: Money) => Result.Result<Money<D>, Amount.InvalidAmount>
  <D extends string>(
    self: Money,
    rate: Factor,
    currency_code: CurrencyCode.CurrencyCode<D>,
    precision: Precision,
  ): Result.Result<Money<D>, Amount.InvalidAmount>
} = dual(4, (self: Money, rate: Factor, currency_code: CurrencyCode.CurrencyCode, { scale, rounding }: Precision) =>
  Result.flatMap(readFactor(rate), ({ exact }) =>
    checked(new internal.Money(Rounding.round(internal.exactOf(self).times(exact), scale, rounding), currency_code)),
  ),
)

/**
 * Divides an amount in proportion to weights, by largest remainder: each part is a whole number of units of the
 * amount's last digit, each is less than one unit from its exact share, and the parts add up to the amount. Equal
 * remainders favour the earlier part.
 *
 * @example
 * Result.map(Money.allocate(Money.parseUnsafe("100.00", "fiat/USD"), ["1", "1", "1"]), (parts) => parts.map((part) => part.text)) // => Result.succeed(["33.34", "33.33", "33.33"])
 */
export const allocate: {
  (
    weights: ReadonlyArray<Factor>,
  ): <C extends string>(self: Money<C>) => Result.Result<NonEmptyArray<Money<C>>, InvalidWeights>
  <C extends string>(
    self: Money<C>,
    weights: ReadonlyArray<Factor>,
  ): Result.Result<NonEmptyArray<Money<C>>, InvalidWeights>
} = dual(2, <C extends string>(self: Money<C>, weights: ReadonlyArray<Factor>) =>
  Result.gen(function* () {
    const read = []
    for (const weight of weights) {
      const factor = yield* Result.mapError(
        readFactor(weight),
        (error) => new InvalidWeights({ reason: error.message }),
      )
      if (factor.exact.isNegative() && !factor.exact.isZero()) {
        return yield* Result.fail(new InvalidWeights({ reason: `the weight ${factor.exact.toFixed()} is negative` }))
      }
      read.push(factor.exact)
    }
    const [first, ...rest] = LargestRemainder.allocate(self.text, read)
    if (first === undefined) {
      return yield* Result.fail(
        new InvalidWeights({ reason: weights.length === 0 ? "there are no weights" : "all weights are zero" }),
      )
    }
    const part = (text: string): Money<C> => new internal.Money(text, self.currency_code)
    const parts: NonEmptyArray<Money<C>> = [part(first), ...rest.map(part)]
    return parts
  }),
)

/**
 * The amount with `scale` fraction digits, padded with zeros or rounded by `mode`.
 * Throws a `RangeError` for an unknown mode, unless `scale` is a whole number from 0 to 1,000, and for a result that is
 * too long for an {@link Amount}.
 *
 * @example
 * Money.round(Money.parseUnsafe("2.345", "fiat/USD"), 2, "half-even").text // => "2.34"
 */
export const round: {
  (scale: number, mode: RoundingMode): <C extends string>(self: Money<C>) => Money<C>
  <C extends string>(self: Money<C>, scale: number, mode: RoundingMode): Money<C>
} = dual(3, (self: Money, scale: number, mode: RoundingMode) => {
  const text = Rounding.round(internal.exactOf(self), scale, mode)
  if (text.length <= Amount.maxLength) return new internal.Money(text, self.currency_code)
  throw new RangeError(
    `Cannot write this amount with ${scale} fraction digits: it would be longer than ${Amount.maxLength} characters.`,
  )
})
