/** Money is exact: it agrees with whole-number arithmetic on units, and is an ordered group in each currency. */
import * as Arbitrary from "effect/Arbitrary"
import * as Equal from "effect/Equal"
import * as Hash from "effect/Hash"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import { describe, expect } from "vitest"
import * as CurrencyCode from "../src/CurrencyCode.ts"
import * as Money from "../src/Money.ts"
import { anyMoney, integer, money, print, type Units, units } from "./fixtures/arbitraries.ts"
import { law } from "./fixtures/law.ts"

const get = Result.getOrThrow
const usd = (value: Units) => Money.parseUnsafe(print(value), "fiat/USD")
const euro = CurrencyCode.parseUnsafe("fiat/EUR")
const power = (digits: number) => 10n ** BigInt(digits)

/** Two amounts on one scale: the oracle adds whole numbers. */
const align = (a: Units, b: Units): readonly [bigint, bigint, number] => {
  const scale = Math.max(a.scale, b.scale)
  return [a.units * power(scale - a.scale), b.units * power(scale - b.scale), scale]
}

describe("agrees with whole numbers", () => {
  law("add and subtract, to the last digit", { a: units, b: units }, ({ a, b }) => {
    const [x, y, scale] = align(a, b)
    return (
      get(Money.add(usd(a), usd(b))).text === print({ units: x + y, scale }) &&
      get(Money.subtract(usd(a), usd(b))).text === print({ units: x - y, scale })
    )
  })
  law(
    "multiply, to the last digit",
    { a: units, b: units },
    ({ a, b }) =>
      get(Money.multiply(usd(a), print(b))).text === print({ units: a.units * b.units, scale: a.scale + b.scale }),
  )
  law("sum, of any number", { first: units, rest: Arbitrary.array(units, { maxLength: 8 }) }, ({ first, rest }) => {
    const all = [first, ...rest]
    const scale = Math.max(...all.map((each) => each.scale))
    const total = all.reduce((sum, each) => sum + each.units * power(scale - each.scale), 0n)
    return get(Money.sum([usd(first), ...rest.map(usd)])).text === print({ units: total, scale })
  })
  law("compare, min and max", { a: units, b: units }, ({ a, b }) => {
    const [x, y] = align(a, b)
    return (
      get(Money.compare(usd(a), usd(b))) === (x < y ? -1 : x > y ? 1 : 0) &&
      get(Money.lessThan(usd(a), usd(b))) === x < y &&
      get(Money.lessThanOrEqualTo(usd(a), usd(b))) === x <= y &&
      get(Money.greaterThan(usd(a), usd(b))) === x > y &&
      get(Money.greaterThanOrEqualTo(usd(a), usd(b))) === x >= y &&
      Money.equals(usd(a), usd(b)) === (x === y) &&
      get(Money.min(usd(a), usd(b))).text === print(y < x ? b : a) &&
      get(Money.max(usd(a), usd(b))).text === print(y > x ? b : a)
    )
  })
  law(
    "isZero, isNegative and negate",
    { a: units },
    ({ a }) =>
      Money.isZero(usd(a)) === (a.units === 0n) &&
      Money.isNegative(usd(a)) === a.units < 0n &&
      Money.negate(usd(a)).text === print({ units: -a.units, scale: a.scale }),
  )
})

const floor = (a: bigint, b: bigint) => a / b - (a % b !== 0n && a < 0n ? 1n : 0n)

/** Rounding by its definition: between the two neighbours, by distance and by the mode's rule for a tie. */
const rounded = (a: Units, scale: number, mode: Money.RoundingMode): bigint => {
  if (scale >= a.scale) return a.units * power(scale - a.scale)
  const unit = power(a.scale - scale)
  const below = floor(a.units, unit)
  const rest = a.units - below * unit
  if (rest === 0n) return below
  const above = below + 1n
  const away = a.units < 0n ? below : above
  const toward = a.units < 0n ? above : below
  if (mode === "floor") return below
  if (mode === "ceiling") return above
  if (mode === "up") return away
  if (mode === "down") return toward
  if (rest * 2n !== unit) return rest * 2n < unit ? below : above
  if (mode === "half-up") return away
  if (mode === "half-down") return toward
  return below % 2n === 0n ? below : above
}

const modes = ["up", "down", "ceiling", "floor", "half-up", "half-down", "half-even"] as const

describe("round", () => {
  const short: typeof units = Arbitrary.map(
    Arbitrary.all([integer(-2_000, 2_000), integer(0, 3)] as const),
    ([n, scale]) => ({
      units: BigInt(n) * 5n,
      scale,
    }),
  )
  law("gives the neighbour that its mode names", { a: short, scale: integer(0, 3) }, ({ a, scale }) =>
    modes.every((mode) => Money.round(usd(a), scale, mode).text === print({ units: rounded(a, scale, mode), scale })),
  )
  law("is exact at any size", { a: units, scale: integer(0, 40) }, ({ a, scale }) =>
    modes.every((mode) => Money.round(usd(a), scale, mode).text === print({ units: rounded(a, scale, mode), scale })),
  )
})

/** The quotient by its definition: a ratio of whole numbers, rounded as its numerator in units of its denominator. */
const divided = (a: Units, b: Units, scale: number, mode: Money.RoundingMode): string => {
  const [x, y] = align(a, b)
  const [dividend, divisor] = y < 0n ? [-x * power(scale), -y] : [x * power(scale), y]
  const below = floor(dividend, divisor)
  // Two and a half units above `below`, say, have the same neighbours as the rest has in tenths of the divisor.
  const rest = dividend - below * divisor
  const tenths = rest === 0n ? 0n : rest * 2n < divisor ? 1n : rest * 2n === divisor ? 5n : 9n
  return print({ units: rounded({ units: below * 10n + tenths, scale: scale + 1 }, scale, mode), scale })
}

describe("divide and convert", () => {
  const small: typeof units = Arbitrary.map(
    Arbitrary.all([integer(-60, 60), integer(0, 2)] as const),
    ([n, scale]) => ({ units: BigInt(n), scale }),
  )
  for (const [size, any] of [
    ["small", small],
    ["any", units],
  ] as const) {
    law(
      `the quotient of ${size} numbers is the neighbour that its mode names`,
      { a: any, b: any, scale: integer(0, 4) },
      ({ a, b, scale }) => {
        if (b.units === 0n) return Result.isFailure(Money.divide(usd(a), print(b), { scale, rounding: "up" }))
        return modes.every(
          (rounding) =>
            get(Money.divide(usd(a), print(b), { scale, rounding })).text === divided(a, b, scale, rounding) &&
            get(Money.ratio(usd(a), usd(b), { scale, rounding })) === divided(a, b, scale, rounding),
        )
      },
    )
  }
  law("a quotient that terminates, times its divisor, is the dividend", { a: units, b: units }, ({ a, b }) => {
    if (b.units === 0n) return true
    const product = get(Money.multiply(usd(a), print(b)))
    return get(Money.divide(product, print(b), { scale: a.scale, rounding: "up" })).text === print(a)
  })
  law("convert is multiply, rounded once", { a: units, b: units, scale: integer(0, 20) }, ({ a, b, scale }) =>
    modes.every((rounding) => {
      const converted = get(Money.convert(usd(a), print(b), euro, { scale, rounding }))
      const product = { units: a.units * b.units, scale: a.scale + b.scale }
      return (
        converted.currency_code === euro &&
        converted.text === print({ units: rounded(product, scale, rounding), scale })
      )
    }),
  )
  law(
    "abs is the amount or its opposite, and not negative",
    { a: units },
    ({ a }) => Money.abs(usd(a)).text === print({ units: a.units < 0n ? -a.units : a.units, scale: a.scale }),
  )
})

describe("is an ordered group in each currency", () => {
  const add = (a: Money.Money, b: Money.Money) => get(Money.add(a, b))
  const zero = Money.parseUnsafe("0", "fiat/USD")
  law(
    "add is associative and commutative, zero is neutral, negate is the inverse",
    { a: money, b: money, c: money },
    ({ a, b, c }) =>
      Money.equals(add(add(a, b), c), add(a, add(b, c))) &&
      Money.equals(add(a, b), add(b, a)) &&
      Money.equals(add(a, zero), a) &&
      Money.isZero(add(a, Money.negate(a))),
  )
  law(
    "adding keeps the order",
    { a: money, b: money, c: money },
    ({ a, b, c }) => get(Money.compare(a, b)) === get(Money.compare(add(a, c), add(b, c))),
  )
  law(
    "Order is total, also over currencies",
    { a: anyMoney, b: anyMoney, c: anyMoney },
    ({ a, b, c }) =>
      Money.Order(a, b) === -Money.Order(b, a) + 0 &&
      (Money.Order(a, b) > 0 || Money.Order(b, c) > 0 || Money.Order(a, c) <= 0),
  )
  law("currencies do not mix", { a: anyMoney, b: anyMoney }, ({ a, b }) => {
    const same = a.currency_code === b.currency_code
    return [
      Money.add(a, b),
      Money.subtract(a, b),
      Money.min(a, b),
      Money.max(a, b),
      Money.compare(a, b),
      Money.lessThan(a, b),
      Money.sum([a, b]),
      Money.sum([b], a.currency_code),
      ...(Money.isZero(b) ? [] : [Money.ratio(a, b, { scale: 2, rounding: "up" })]),
    ].every((result: Result.Result<unknown, unknown>) => Result.isSuccess(result) === same)
  })
  law(
    "equal values are Equal and hash alike, however they are written",
    { a: units, zeros: integer(0, 5) },
    ({ a, zeros }) => {
      const longer = usd({ units: a.units * power(zeros), scale: a.scale + zeros })
      return Equal.equals(usd(a), longer) && Hash.hash(usd(a)) === Hash.hash(longer)
    },
  )
})

describe("keeps its text", () => {
  const wire = S.fromJsonString(Money.Schema)
  law("through decode and encode", { a: anyMoney }, ({ a }) => {
    const text = `{"amount":"${a.text}","currency_code":"${a.currency_code}"}`
    return S.encodeSync(wire)(S.decodeSync(wire)(text)) === text
  })
})

describe("allocate", () => {
  const weights = Arbitrary.array(
    Arbitrary.map(units, (weight) => ({
      units: weight.units < 0n ? -weight.units : weight.units,
      scale: weight.scale,
    })),
    { minLength: 1, maxLength: 7 },
  )
  law("preserves the total for any weights, and is fair to the last digit", { a: units, weights }, ({ a, weights }) => {
    const result = Money.allocate(usd(a), weights.map(print))
    const finest = Math.max(...weights.map((weight) => weight.scale))
    const whole = weights.map((weight) => weight.units * power(finest - weight.scale))
    const total = whole.reduce((sum, weight) => sum + weight, 0n)
    if (total === 0n) return Result.isFailure(result)
    const parts = get(result).map((part) => BigInt(part.text.replace(".", "")))
    expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(a.units)
    // Each part is less than one unit from its exact share, and a zero weight gives zero.
    return parts.every((part, index) => {
      const distance = part * total - a.units * (whole[index] ?? 0n)
      return (distance < 0n ? -distance : distance) < total && (whole[index] !== 0n || part === 0n)
    })
  })
})
