/** Amounts as text compare and round as Money does with decimal.js. */
import * as Result from "effect/Result"
import { expect } from "vitest"
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
