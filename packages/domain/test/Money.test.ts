import { Decimal } from "decimal.js"
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

  test("a product of two texts of 255 characters has all its digits", () => {
    const nines = "9".repeat(255)
    expect(get(Money.multiply(usd(nines), nines)).text).toBe((BigInt(nines) ** 2n).toString())
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
    expect(operate).toThrow("Use Money.add, Money.compare and their siblings")
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
    ["en-US", eth(`0.${"1".repeat(101)}`), `0.${"1".repeat(101)} ETH`],
  ])("format in %s writes every digit of %s", (locale, money, text) => {
    expect(Money.format(money, locale).replaceAll(/[\u00a0\u202f]/g, " ")).toBe(text)
  })
})
