/** Currency codes: the grammar at its edges, and their parts. */
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as CurrencyCode from "../src/CurrencyCode.ts"

test.each(["fiat/USD", "ethereum/USDC.e", "a/b", "!/~", "layer-2/x_y"])("accepts %j", (code) => {
  expect(CurrencyCode.parse(code)).toEqual(Result.succeed(code))
  expect(CurrencyCode.isCurrencyCode(code)).toBe(true)
})

describe("rejects", () => {
  test.each([
    "",
    "/",
    "a/",
    "/b",
    "USD",
    "a/b/c",
    "a//b",
    "fiat/ USD",
    " fiat/USD",
    "fiat/USD\n",
    "fiat/€",
    "fi\u007ft/USD",
  ])("%j", (code) => {
    expect(CurrencyCode.parse(code)).toEqual(Result.fail(new CurrencyCode.InvalidCurrencyCode({ input: code })))
    expect(CurrencyCode.isCurrencyCode(code)).toBe(false)
  })
})

test("an error shows 64 characters of the text, and says that there are more", () => {
  const inputOf = (text: string) => Result.merge(Result.mapError(CurrencyCode.parse(text), ({ input }) => input))
  expect(inputOf("x".repeat(64))).toBe("x".repeat(64))
  expect(inputOf("x".repeat(65))).toBe(`${"x".repeat(64)}…`)
})

test("only the network fiat is fiat money", () => {
  expect(["fiat/USD", "fiatx/USD", "ethereum/fiat"].map((code) => CurrencyCode.isFiat(code as never))).toEqual([
    true,
    false,
    false,
  ])
})

test("checks codes as before once there are more than it remembers", () => {
  const codes = Array.from({ length: 3000 }, (_, index) => `network/T${index}`)
  for (const round of [1, 2]) {
    expect(codes.filter(CurrencyCode.isCurrencyCode), `round ${round}`).toEqual(codes)
    expect(codes.map((code) => `${code}/`).filter(CurrencyCode.isCurrencyCode)).toEqual([])
  }
})
