/** Amounts are read digit by digit into the private fields of decimal.js, which must equal the fields that it reads itself. */
import { describe, expect, it } from "vitest"
import * as Amount from "../src/Amount.ts"
import { ExactDecimal, exactOfText } from "../src/internal/decimal/ExactDecimal.ts"
import * as Money from "../src/Money.ts"
import { integer, print, units } from "./fixtures/arbitraries.ts"
import { law } from "./fixtures/law.ts"

const parts = ({ s, e, d }: InstanceType<typeof ExactDecimal>) => ({ s, e, d })

const fields = (texts: ReadonlyArray<string>) => texts.map((text) => [text, parts(exactOfText(text))])
const expected = (texts: ReadonlyArray<string>) =>
  texts.map((text) => [text, Amount.isAmount(text) && parts(new ExactDecimal(text))])

describe("reads the same fields as decimal.js", () => {
  law("for any amount", { value: units }, ({ value }) => {
    expect(fields([print(value)])).toEqual(expected([print(value)]))
  })

  law(
    "for amounts that are mostly zeros, at every place of a word",
    { zeros: integer(0, 22), digit: integer(1, 9), point: integer(0, 22), more: integer(0, 22) },
    ({ zeros, digit, point, more }) => {
      const texts = [
        `0.${"0".repeat(zeros)}${digit}${"0".repeat(more)}`,
        `-${digit}${"0".repeat(point)}.${"0".repeat(zeros)}${digit}${"0".repeat(more)}`,
        `${digit}${"0".repeat(point)}`,
      ]
      expect(fields(texts)).toEqual(expected(texts))
    },
  )

  it("for the longest amount and for zeros", () => {
    const zeros = ["0", "0.0", "0.0000000", "0.00000000"]
    const texts = ["9".repeat(Amount.maxLength), `0.${"0".repeat(Amount.maxLength - 3)}1`, ...zeros]
    expect(fields(texts)).toEqual(expected(texts))
  })
})

describe("the decimal that callers get", () => {
  const { amount } = Money.parseUnsafe("123456789012345678901234567890.123456789012345678", "fiat/USD")

  it("keeps more than the twenty digits of decimal.js", () => {
    expect(amount.toString()).toBe("123456789012345678901234567890.123456789012345678")
    expect(amount.plus("0.000000000000000000000001").toString()).toBe(
      "123456789012345678901234567890.123456789012345678000001",
    )
    expect(amount.times(amount).decimalPlaces()).toBe(36)
  })

  it("ends a division after a thousand digits", () => {
    expect(amount.div(7).precision()).toBe(1000)
  })

  it("prints no exponent", () => {
    expect(amount.div("1e60").toString()).toMatch(/^0\.0{30}1234/)
    expect(amount.times("1e60").toString()).toMatch(/^1234\d{86}$/)
  })
})
