import { inspect } from "node:util"
import { Decimal } from "decimal.js"
import * as Equal from "effect/Equal"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import { afterEach, describe, expect, test } from "vitest"
import * as Amount from "../src/Amount.ts"
import * as CurrencyCode from "../src/CurrencyCode.ts"
import * as Money from "../src/Money.ts"
import { invalidAmounts } from "./fixtures/invalidAmounts.ts"

const get = Result.getOrThrow
const usd = (text: string) => Money.parseUnsafe(text, "fiat/USD")
const eth = (text: string) => Money.parseUnsafe(text, "ethereum/ETH")
const code = CurrencyCode.parseUnsafe("fiat/USD")
const cents = { scale: 2, rounding: "half-even" } as const

describe("the grammar", () => {
  test.each(invalidAmounts)("rejects %j as text, on the wire and as a factor", (text) => {
    const parsed = Money.parse(text, code)
    expect(Result.isFailure(parsed) && parsed.failure).toBeInstanceOf(Amount.InvalidAmount)
    expect(Result.isFailure(S.decodeUnknownResult(Money.Schema)({ amount: text, currency_code: "fiat/USD" }))).toBe(
      true,
    )
    expect(Result.isFailure(Money.multiply(usd("1"), text))).toBe(true)
  })

  test.each(["0", "-1", "1.10", "0.000", "-0.1", "9".repeat(255)])("accepts %j and keeps its text", (text) => {
    expect(usd(text).text).toBe(text)
    expect(JSON.stringify(usd(text))).toBe(`{"amount":"${text}","currency_code":"fiat/USD"}`)
  })

  test("accepts a currency as a literal, and rejects one that is none", () => {
    expect(Money.parse("1.10", "fiat/USD")).toEqual(Result.succeed(usd("1.10")))
    const parsed = Money.parse("1.10", "fiat/")
    expect(Result.isFailure(parsed) && parsed.failure).toEqual(new CurrencyCode.InvalidCurrencyCode({ input: "fiat/" }))
  })

  test("rejects a number in place of text", () => {
    expect(Result.isFailure(S.decodeUnknownResult(Money.Schema)({ amount: 1.1, currency_code: "fiat/USD" }))).toBe(true)
  })

  test("the error names the input and the accepted notation, and truncates long input", () => {
    expect(Amount.invalid("1e3").message).toBe(
      'Not an amount: "1e3". Write plain decimal digits such as 12, 0.50 or -3.075: no exponent, no thousands separator, no leading zero, no more than 255 characters.',
    )
    expect(Amount.invalid("9".repeat(1_000_000)).message.length).toBeLessThan(300)
  })
})

describe("exactness", () => {
  test("a sum keeps more than decimal.js's twenty digits", () => {
    const large = "98765432109876543210987654321.123456789012345678"
    expect(get(Money.add(usd(large), usd("0.000000000000000000000000000001"))).text).toBe(
      "98765432109876543210987654321.123456789012345678000000000001",
    )
  })

  test("a product of 255 digits has all of them", () => {
    const [a, b] = ["9".repeat(128), "9".repeat(127)]
    expect(get(Money.multiply(usd(a), b)).text).toBe((BigInt(a) * BigInt(b)).toString())
  })

  test("the sum of 10,000 times 0.1 is 1000.0", () => {
    const [first, ...rest] = Array.from({ length: 10_000 }, () => usd("0.1"))
    expect(first && get(Money.sum([first, ...rest])).text).toBe("1000.0")
  })

  test.each(["0.0000001", "0.000000000000000000000000000001", `1${"0".repeat(30)}`])(
    "%s is never written in exponential notation",
    (text) => {
      const money = get(Money.add(eth(text), eth("0")))
      expect(money.text).toBe(text)
      expect(money.amount.toString()).toBe(text)
      expect(JSON.stringify({ amount: money.amount })).toBe(`{"amount":"${text}"}`)
      expect(get(Money.make(new Decimal(text), code)).text).toBe(text)
    },
  )

  test.each([
    ["text", usd("-0.00"), "0.00"],
    ["negate", Money.negate(usd("0.00")), "0.00"],
    ["product", get(Money.multiply(usd("-1"), "0")), "0"],
    ["round", Money.round(usd("-0.4"), 0, "half-even"), "0"],
    ["sum", get(Money.add(usd("-1.5"), usd("1.5"))), "0.0"],
    ["make", get(Money.make(new Decimal("-0"), code)), "0"],
  ])("%s never gives a negative zero", (_, money, text) => {
    expect(money.text).toBe(text)
    expect(Object.is(money.amount.toNumber(), 0)).toBe(true)
    expect(Money.isNegative(money)).toBe(false)
  })

  test.each([
    ["NaN", new Decimal(Number.NaN), "NaN"],
    ["infinity", new Decimal(Infinity), "Infinity"],
    ["a quotient longer than an amount", usd("1").amount.div(3), `0.${"3".repeat(62)}…`],
    ["a huge exponent, without printing it", new Decimal("-1e+9000000000000"), "-1e+9000000000000"],
    ["a tiny exponent, without printing it", new Decimal("1e-9000000000000"), "1e-9000000000000"],
  ])("make rejects %s", (_, decimal, input) => {
    expect(Money.make(decimal, code)).toEqual(Result.fail(new Amount.InvalidAmount({ input })))
  })

  test("make accepts every decimal that the wire accepts", () => {
    const longest = `0.${"3".repeat(253)}`
    expect(get(Money.make(new Decimal(longest), code)).text).toBe(longest)
    expect(Result.isFailure(Money.make(new Decimal(`${longest}3`), code))).toBe(true)
  })

  test("an infinite factor is rejected", () => {
    expect(Result.isFailure(Money.multiply(usd("1"), new Decimal(Infinity)))).toBe(true)
  })

  test.each(["half", "HALF_UP", "toString", "__proto__"])(
    "round rejects the mode %s instead of guessing one",
    (mode) => {
      expect(() => Reflect.apply(Money.round, undefined, [usd("2.5"), 0, mode])).toThrow(
        new RangeError(
          `Cannot round by "${mode}": the rounding modes are up, down, ceiling, floor, half-up, half-down, half-even.`,
        ),
      )
    },
  )

  test.each([-1, 0.5, 1001])("round rejects %d fraction digits", (scale) => {
    expect(() => Money.round(usd("2.5"), scale, "half-even")).toThrow(RangeError)
  })

  test.each([
    ["a product", () => Money.multiply(usd("9".repeat(255)), "10")],
    ["a product of many fraction digits", () => Money.multiply(usd(`0.${"1".repeat(200)}`), `0.${"1".repeat(54)}`)],
    ["a product with a huge decimal", () => Money.multiply(usd("1"), new Decimal("1e+9000000000000"))],
    ["a product with a tiny decimal", () => Money.multiply(usd("0"), new Decimal("1e-9000000000000"))],
    ["a product with an unrounded quotient", () => Money.multiply(usd("1"), usd("1").amount.div(3))],
    ["a quotient", () => Money.divide(usd("9".repeat(200)), "3", { scale: 60, rounding: "up" })],
    ["a quotient by a huge decimal", () => Money.divide(usd("1"), new Decimal("1e+9000000000000"), cents)],
    ["a quotient by infinity", () => Money.divide(usd("1"), new Decimal(Infinity), cents)],
    ["a ratio", () => Money.ratio(usd("9".repeat(250)), usd("0.0000001"), cents)],
    ["a conversion", () => Money.convert(usd("9".repeat(250)), "1000000", code, cents)],
    ["a conversion by an infinite rate", () => Money.convert(usd("1"), new Decimal(Infinity), code, cents)],
  ])("%s that is too long for its schema is rejected", (_, calculate) => {
    const result: Result.Result<unknown, { readonly _tag: string }> = calculate()
    expect(Result.isFailure(result) && result.failure._tag).toBe("InvalidAmount")
  })

  test("round throws for a result that is too long for its schema", () => {
    expect(Money.round(usd("9".repeat(250)), 4, "up").text).toHaveLength(255)
    expect(() => Money.round(usd("9".repeat(250)), 5, "up")).toThrow(
      new RangeError("Cannot write this amount with 5 fraction digits: it would be longer than 255 characters."),
    )
  })

  test("divides and converts by decimals with more digits than an amount", () => {
    expect(get(Money.divide(usd("1"), usd("1").amount.div(3), cents)).text).toBe("3.00")
    expect(get(Money.convert(usd("3"), usd("1").amount.div(3), eth("0").currency_code, cents))).toEqual(eth("1.00"))
  })

  test.each([
    ["divide", (precision: Money.Precision) => Money.divide(usd("1"), "3", precision)],
    ["ratio", (precision: Money.Precision) => Money.ratio(usd("1"), usd("3"), precision)],
    ["convert", (precision: Money.Precision) => Money.convert(usd("1"), "3", code, precision)],
  ])("%s rejects a scale and a mode that make no sense", (_, calculate) => {
    expect(() => calculate({ scale: -1, rounding: "up" })).toThrow("Cannot round to -1 fraction digits")
    expect(() => calculate({ scale: 1001, rounding: "up" })).toThrow("Cannot round to 1001 fraction digits")
    expect(() => Reflect.apply(calculate, undefined, [{ scale: 2, rounding: "half" }])).toThrow(
      'Cannot round by "half"',
    )
  })

  test("a division by zero names the dividend, and what to do", () => {
    const result = Money.divide(usd("1.50"), "0.00", cents)
    expect(Result.isFailure(result) && result.failure.message).toBe(
      "Cannot divide 1.50 fiat/USD by zero. Check for zero first.",
    )
  })

  test.each([
    ["divide", () => get(Money.divide(usd("-1"), "1000", cents)).text],
    ["ratio", () => get(Money.ratio(usd("-1"), usd("1000"), cents))],
    ["convert", () => get(Money.convert(usd("-1"), "0.001", code, cents)).text],
  ])("%s never rounds to a negative zero", (_, calculate) => {
    expect(calculate()).toBe("0.00")
  })

  test("a sum of nothing is zero in the currency that is given, and impossible without one", () => {
    expect(get(Money.sum([], code))).toEqual(Money.zero(code))
    expect(() => Reflect.apply(Money.sum, undefined, [[]])).toThrow(
      new RangeError("An empty sum needs a currency: pass it to Money.sum."),
    )
  })

  test("a sum in a given currency rejects the first amount in another", () => {
    expect(Money.sum<string>([usd("1"), eth("1")], code)).toEqual(
      Result.fail(new Money.CurrencyMismatch({ left: code, right: eth("1").currency_code })),
    )
    expect(Money.sum<string>([eth("1")], code)).toEqual(
      Result.fail(new Money.CurrencyMismatch({ left: code, right: eth("1").currency_code })),
    )
  })

  test("sums by currency are in the order of the codes, and none for no amount", () => {
    expect(Money.sumByCurrency(new Set([usd("1"), eth("0.10"), usd("2.5")])).map(String)).toEqual([
      "0.10 ethereum/ETH",
      "3.5 fiat/USD",
    ])
    expect(Money.sumByCurrency([])).toEqual([])
  })

  test("a division of the amount terminates", () => {
    expect(usd("1").amount.div(3).toFixed(5)).toBe("0.33333")
  })
})

describe("Decimal.set by another package", () => {
  const defaults = {
    precision: 20,
    rounding: 4,
    toExpNeg: -7,
    toExpPos: 21,
    maxE: 9e15,
    minE: -9e15,
    modulo: 1,
  } as const
  afterEach(() => void Decimal.set(defaults))

  test("does not affect Money", () => {
    const before = [usd("123456.789"), eth("0.000000000000000001")]
    Decimal.set({ precision: 1, rounding: 0, toExpNeg: 0, toExpPos: 0, maxE: 3, minE: -3 })
    const [a = usd("0"), b = eth("0")] = before
    expect(get(Money.add(a, usd("0.001"))).text).toBe("123456.790")
    expect(get(Money.multiply(a, "1000000")).text).toBe("123456789000.000")
    expect(get(Money.sum([b, b])).text).toBe("0.000000000000000002")
    expect(a.amount.plus("0.0001").toString()).toBe("123456.7891")
    expect(get(Money.multiply(a, a.amount)).text).toBe("15241578750.190521")
    expect(Money.round(a, 1, "half-even").text).toBe("123456.8")
  })
})

describe("as a JavaScript value", () => {
  test.each([
    ["+", () => Reflect.apply((a: number, b: number) => a + b, undefined, [usd("1"), usd("2")])],
    ["<", () => Reflect.apply((a: number, b: number) => a < b, undefined, [usd("9"), usd("10")])],
    ["unary +", () => Number(usd("1"))],
    ["==", () => Reflect.apply((a: unknown, b: unknown) => a == b, undefined, [usd("1"), "1"])],
  ])("%s throws instead of giving a wrong result", (_, operate) => {
    expect(operate).toThrow(TypeError)
    expect(operate).toThrow("Compute with its amount")
  })

  test("amounts in different currencies are not equal", () => {
    expect(Money.equals(usd("1"), eth("1"))).toBe(false)
    expect(Equal.equals(usd("1"), eth("1"))).toBe(false)
    expect(Equal.equals(usd("1"), { ...usd("1") })).toBe(false)
  })

  test("of equal amounts, min and max give the first", () => {
    const [a, b] = [usd("1.0"), usd("1.00")]
    expect([get(Money.min(a, b)).text, get(Money.max(a, b)).text]).toEqual(["1.0", "1.0"])
  })

  test("inspecting shows the amount and the currency", () => {
    expect(inspect(usd("1.10"))).toBe("Money(1.10 fiat/USD)")
  })

  test("a template string contains the amount and the currency", () => {
    expect(`${usd("1.10")}`).toBe("1.10 fiat/USD")
  })

  test("a currency mismatch names both currencies", () => {
    const result = Money.add<string, string>(usd("1"), eth("1"))
    expect(Result.isFailure(result) && result.failure.message).toBe(
      "Cannot combine fiat/USD with ethereum/ETH: both amounts must be in the same currency. Convert one of them first.",
    )
  })

  test.each([
    [[], "there are no weights"],
    [["0", "0.0"], "all weights are zero"],
    [["1", "-1"], "the weight -1 is negative"],
    [["1", "x"], 'Not an amount: "x"'],
  ])("allocate rejects the weights %j with a reason", (weights, reason) => {
    const result = Money.allocate(usd("1"), weights)
    expect(Result.isFailure(result) && result.failure.message).toContain(reason)
  })

  test.each([
    ["en-US", usd("1234567.10"), "$1,234,567.10"],
    ["en-US", usd("0.5"), "$0.50"],
    ["en-US", usd("0.12345"), "$0.12345"],
    ["en-IN", usd("1234567"), "$12,34,567.00"],
    ["fr-FR", Money.parseUnsafe("-1234.5", "fiat/EUR"), "-1 234,50 €"],
    ["ja-JP", Money.parseUnsafe("1234", "fiat/JPY"), "￥1,234"],
    [
      "en-US",
      eth("123456789012345678901234567890.123456789012345678"),
      "123,456,789,012,345,678,901,234,567,890.123456789012345678 ETH",
    ],
    ["en-US", Money.parseUnsafe("1.5", "fiat/points"), "1.5 points"],
    ["en-US", eth(`1000.${"1".repeat(100)}`), `1,000.${"1".repeat(100)} ETH`],
    ["en-US", eth(`1000.${"1".repeat(101)}`), `1000.${"1".repeat(101)} ETH`],
    ["en-US", Money.parseUnsafe("1.5", "ethereum/USD"), "1.5 USD"],
    ["en-US", Money.parseUnsafe("1.5", "fiat/USDC"), "1.5 USDC"],
  ])("format in %s writes every digit of %s", (locale, money, text) => {
    expect(Money.format(money, locale).replaceAll(/[\u00a0\u202f]/g, " ")).toBe(text)
  })
})

test("allocate does not overflow the stack on many weights", () => {
  const parts = Result.getOrThrow(Money.allocate(usd("2000.00"), Array<string>(200_000).fill("1")))
  expect(new Set(parts.map(({ text }) => text))).toEqual(new Set(["0.01"]))
})
