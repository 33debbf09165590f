/**
 * Exact money: a decimal amount and its currency. Nothing rounds unless asked to, amounts in different currencies
 * do not mix, and an amount is written with the text it was read from (partner-api.md, 2.1).
 */
import type { Decimal } from "decimal.js"
import type { NonEmptyArray, NonEmptyReadonlyArray } from "effect/Array"
import * as Data from "effect/Data"
import { dual } from "effect/Function"
import * as EffectOrder from "effect/Order"
import type { Ordering } from "effect/Ordering"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Amount from "./Amount.ts"
import * as CurrencyCode from "./CurrencyCode.ts"
import { ExactDecimal, exactOfText } from "./internal/decimal/ExactDecimal.ts"
import { formatAmount } from "./internal/decimal/FormatAmount.ts"
import * as LargestRemainder from "./internal/decimal/LargestRemainder.ts"
import * as internal from "./internal/decimal/MoneyValue.ts"
import * as Rounding from "./internal/decimal/Rounding.ts"
import { AmountSchema } from "./internal/wire/AmountSchema.ts"
import { CurrencyCodeSchema } from "./internal/wire/CurrencyCodeSchema.ts"

// ---------------------------------------------------------------------------------------------------- types

/**
 * An amount of one currency.
 *
 * `amount` is the value as a decimal.js `Decimal`; `text` is the amount in plain notation, unchanged if it was read
 * from text. `JSON.stringify` gives the wire object, a template string gives `1.10 fiat/USD`, and operators such as `+`
 * and `<` throw a `TypeError`. `Equal.equals` compares by value, so `1.1` equals `1.10`.
 */
export interface Money<out C extends string = string> extends internal.Money<C> {}

/** Two amounts are in different currencies. */
export class CurrencyMismatch extends Data.TaggedError("CurrencyMismatch")<{
  readonly left: CurrencyCode.CurrencyCode
  readonly right: CurrencyCode.CurrencyCode
}> {
  override get message(): string {
    return `Cannot combine ${this.left} with ${this.right}: both amounts must be in the same currency. Convert one of them first.`
  }
}

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

/** Rejects at compile time two currencies that are known to differ. */
export type SameCurrency<A extends string, B extends string> = [A & B] extends [never]
  ? { readonly "these currencies differ": [A, B] }
  : unknown

/** Combines two amounts of one currency, data first or data last. */
export interface Combine {
  <B extends string>(
    that: Money<B>,
  ): <A extends string>(self: Money<A> & SameCurrency<A, B>) => Result.Result<Money<A>, CurrencyMismatch>
  <A extends string, B extends string>(
    self: Money<A>,
    that: Money<B> & SameCurrency<A, B>,
  ): Result.Result<Money<A>, CurrencyMismatch>
}

/** A number to multiply by: a `Decimal`, or text in the grammar of {@link Amount}. */
export type Factor = Decimal | string

// ---------------------------------------------------------------------------------------------------- making

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

/** Plain notation; but an exponent beyond the longest amount would print as millions of zeros. */
const print = (exact: Decimal): string =>
  exact.isFinite() && Math.abs(exact.e) <= Amount.maxLength ? exact.toFixed() : exact.toExponential()

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

// ---------------------------------------------------------------------------------------------------- arithmetic

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
  return new internal.Money(text, currency_code, exact)
}

const mismatch = (left: Money, right: Money): Result.Result<never, CurrencyMismatch> =>
  Result.fail(new CurrencyMismatch({ left: left.currency_code, right: right.currency_code }))

const scaleOf = (money: Money): number => Amount.scale(money.text)

/**
 * The exact sum of two amounts, with as many fraction digits as the longer of the two.
 *
 * @example
 * Result.map(Money.add(Money.parseUnsafe("0.10", "fiat/USD"), Money.parseUnsafe("0.2", "fiat/USD")), String) // => Result.succeed("0.30 fiat/USD")
 */
export const add: Combine = dual(2, (self: Money, that: Money) =>
  self.currency_code === that.currency_code
    ? Result.succeed(
        exactly(
          internal.exactOf(self).plus(internal.exactOf(that)),
          Math.max(scaleOf(self), scaleOf(that)),
          self.currency_code,
        ),
      )
    : mismatch(self, that),
)

/**
 * The exact difference of two amounts.
 *
 * @example
 * Result.map(Money.subtract(Money.parseUnsafe("1.00", "fiat/USD"), Money.parseUnsafe("1.30", "fiat/USD")), String) // => Result.succeed("-0.30 fiat/USD")
 */
export const subtract: Combine = dual(2, (self: Money, that: Money) => add(self, negate(that)))

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
const checked = <C extends string>(money: Money<C>): Result.Result<Money<C>, Amount.InvalidAmount> =>
  Amount.isAmount(money.text) ? Result.succeed(money) : Result.fail(Amount.invalid(money.text))

/** More than any decimal that a caller can have by dividing amounts, and few enough to print. */
const mostFactorDigits = 2000

const readFactor = (
  factor: Factor,
): Result.Result<{ readonly exact: Decimal; readonly scale: number }, Amount.InvalidAmount> => {
  if (typeof factor === "string") {
    return Amount.isAmount(factor)
      ? Result.succeed({ exact: exactOfText(factor), scale: Amount.scale(factor) })
      : Result.fail(Amount.invalid(factor))
  }
  return factor.isFinite() && factor.e < mostFactorDigits && factor.decimalPlaces() < mostFactorDigits
    ? Result.succeed({ exact: new ExactDecimal(factor), scale: factor.decimalPlaces() })
    : Result.fail(Amount.invalid(factor.toExponential()))
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
    : parse(Rounding.quotient(internal.exactOf(self), by, scale, rounding), self.currency_code)

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
    parse(Rounding.round(internal.exactOf(self).times(exact), scale, rounding), currency_code),
  ),
)

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
  let exact = new ExactDecimal(0)
  let scale = 0
  for (const money of monies) {
    if (money.currency_code !== currency_code) {
      return Result.fail(new CurrencyMismatch({ left: currency_code, right: money.currency_code }))
    }
    exact = exact.plus(internal.exactUncached(money))
    scale = Math.max(scale, scaleOf(money))
  }
  return Result.succeed(exactly(exact, scale, currency_code))
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

// ---------------------------------------------------------------------------------------------------- comparing

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

const ordering = (self: Money, that: Money): Ordering => {
  const sign = internal.exactOf(self).cmp(internal.exactOf(that))
  return sign < 0 ? -1 : sign > 0 ? 1 : 0
}

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
export const isZero = (self: Money): boolean => internal.exactOf(self).isZero()

/**
 * Whether the amount is below zero.
 *
 * @example
 * Money.isNegative(Money.parseUnsafe("-0.01", "fiat/USD")) // => true
 */
export const isNegative = (self: Money): boolean => internal.exactOf(self).lt(0)

// ---------------------------------------------------------------------------------------------------- printing

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

// ---------------------------------------------------------------------------------------------------- wire

/** The wire form of Money: `{ "amount": "1.10", "currency_code": "fiat/USD" }`. */
export const Wire = S.Struct({ amount: AmountSchema, currency_code: CurrencyCodeSchema }).annotate({
  identifier: "Money",
})

/**
 * Decodes the wire form, and encodes it again without changing a digit.
 *
 * @example
 * Result.map(S.decodeUnknownResult(Money.Schema)({ amount: "1.10", currency_code: "fiat/USD" }), String) // => Result.succeed("1.10 fiat/USD")
 */
export const Schema = Wire.pipe(
  S.decodeTo(
    S.declare(isMoney, { identifier: "MoneyValue", expected: "Money" }),
    SchemaTransformation.transform({
      decode: (wire): Money => new internal.Money(wire.amount, wire.currency_code),
      encode: (money) => ({ amount: money.text, currency_code: money.currency_code }),
    }),
  ),
)
