/** Amounts as text compare and round as Money does with decimal.js. */
import * as Result from "effect/Result"
import { expect, test } from "vitest"
import * as Amount from "../src/Amount.ts"
import * as Money from "../src/Money.ts"
import { integer, print, units } from "./fixtures/arbitraries.ts"
import { law } from "./fixtures/law.ts"

const money = (text: string) => Money.parseUnsafe(text, "fiat/USD")

law("compare is the order of Money", { a: units, b: units }, ({ a, b }) => {
  expect(Amount.compare(print(a), print(b))).toBe(Money.Order(money(print(a)), money(print(b))))
  expect(Amount.compare(print(a), print(a))).toBe(0)
})

law("round agrees with Money.round half-even", { a: units, digits: integer(0, 32) }, ({ a, digits }) => {
  const text = print(a)
  const rounded = Money.round(money(text), Math.min(digits, Amount.scale(text)), "half-even")
  expect(money(Amount.round(text, digits)).text).toBe(rounded.text)
  expect(Result.isSuccess(Money.parse(Amount.round(text, digits), rounded.currency_code))).toBe(true)
})

law("round takes ties to the even neighbour", { a: integer(-9999, 9999) }, ({ a }) => {
  const rounded = Money.round(money(`${a}.5`), 0, "half-even")
  expect(money(Amount.round(`${a}.5`, 0)).text).toBe(rounded.text)
})

law("units are printed and read back as the oracle prints them", { a: units }, ({ a }) => {
  expect(Amount.fromUnits(a.units, a.scale)).toBe(print(a))
  expect(Amount.toUnits(print(a), a.scale)).toBe(a.units)
  expect(Amount.toUnits(print(a), a.scale + 3)).toBe(a.units * 1000n)
})

test.each([-1, 0.5, 1001, Number.NaN, Infinity])("round rejects %d fraction digits", (digits) => {
  expect(() => Amount.round("12.5", digits)).toThrow(
    new RangeError(`Cannot round to ${digits} fraction digits: give a whole number from 0 to 1000.`),
  )
})

test.each([
  ["-0", "0", 0],
  ["-0.00", "0", 0],
  ["-1", "0", -1],
  ["10", "9", 1],
  ["-10", "-9", -1],
])("compares %s with %s by value", (a, b, sign) => {
  expect(Amount.compare(a, b)).toBe(sign)
})

test("an error shows 64 characters of the text, and says that there are more", () => {
  expect(Amount.invalid("x".repeat(64)).input).toBe("x".repeat(64))
  expect(Amount.invalid("x".repeat(65)).input).toBe(`${"x".repeat(64)}…`)
})

test("prints no minus for zero units", () => {
  expect(Amount.fromUnits(0n, 2)).toBe("0.00")
  expect(Amount.fromUnits(-5n, 0)).toBe("-5")
})

law("withoutZeros keeps the value, and no zero at the end of a fraction", { a: units }, ({ a }) => {
  const short = Amount.withoutZeros(print(a))
  expect(Amount.compare(short, print(a))).toBe(0)
  expect(short).not.toMatch(/\.(\d*0)?$/)
})

test.each([
  ["-10.50", "-10.5"],
  ["10.50", "10.5"],
  ["10.00", "10"],
  ["100", "100"],
  ["0.10", "0.1"],
  ["0", "0"],
])("withoutZeros of %s is %s", (amount, short) => {
  expect(Amount.withoutZeros(amount)).toBe(short)
})
