/** Amounts are read digit by digit into the private fields of decimal.js, which must equal the fields that it reads itself. */
import { describe, expect, it } from "vitest"
import * as Amount from "../src/Amount.ts"
import { ExactDecimal, exactOfText } from "../src/internal/decimal/ExactDecimal.ts"
import { integer, print, units } from "./fixtures/arbitraries.ts"
import { law } from "./fixtures/law.ts"

const parts = ({ s, e, d }: InstanceType<typeof ExactDecimal>) => ({ s, e, d })

const agrees = (text: string): void => {
  expect(Amount.isAmount(text)).toBe(true)
  expect(parts(exactOfText(text)), text).toEqual(parts(new ExactDecimal(text)))
}

describe("reads the same fields as decimal.js", () => {
  law("for any amount", { value: units }, ({ value }) => agrees(print(value)))

  law(
    "of amounts that are mostly zeros, at every place of a word",
    { zeros: integer(0, 22), digit: integer(1, 9), point: integer(0, 22), more: integer(0, 22) },
    ({ zeros, digit, point, more }) => {
      agrees(`0.${"0".repeat(zeros)}${digit}${"0".repeat(more)}`)
      agrees(`-${digit}${"0".repeat(point)}.${"0".repeat(zeros)}${digit}${"0".repeat(more)}`)
      agrees(`${digit}${"0".repeat(point)}`)
    },
  )

  it("for the longest amount and for zeros", () => {
    agrees("9".repeat(Amount.maxLength))
    agrees(`0.${"0".repeat(Amount.maxLength - 3)}1`)
    for (const zero of ["0", "0.0", "0.0000000", "0.00000000"]) agrees(zero)
  })
})
