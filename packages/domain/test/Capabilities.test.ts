/** Capabilities as partner-api.md shows them, and invalid ones. */
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as Capabilities from "../src/Capabilities.ts"
import * as CurrencyCode from "../src/CurrencyCode.ts"
import { invalidAmounts } from "./fixtures/invalidAmounts.ts"
import { capabilities } from "./fixtures/service.ts"

const limits = (currency_code: string) =>
  Capabilities.limits(capabilities, Result.getOrThrow(CurrencyCode.parse(currency_code)))
const withLimit = (limit: unknown) => JSON.stringify({ ...capabilities, transfer_limits: { "fiat/USD": limit } })

test("returns the limits of the given currency", () => {
  expect(limits("fiat/USD")?.min_transfer).toBe("5.00")
  expect(limits("fiat/EUR")?.max_transfer).toBe("2000.00")
})

test("ignores inherited properties of the limits", () => {
  expect(limits("fiat/GBP")).toBeUndefined()
  expect(Capabilities.limits(capabilities, "constructor" as never)).toBeUndefined()
})

test("allows unknown fields", () => {
  expect(Result.isSuccess(Capabilities.fromJson(JSON.stringify({ ...capabilities, more: 1 })))).toBe(true)
})

describe("a broken contract is reported with its place", () => {
  test.each([
    ["{}", "/supported_countries"],
    [withLimit({ min_transfer: 5, max_transfer: "1" }), "/transfer_limits/fiat~1USD/min_transfer"],
    [withLimit({ min_transfer: "5" }), "/transfer_limits/fiat~1USD/max_transfer"],
    [
      JSON.stringify({ ...capabilities, supported_currencies: [{ currency_code: "USD" }] }),
      "/supported_currencies/0/currency_code",
    ],
    ["not json", ""],
  ])("%s", (text, pointer) => {
    const result = Capabilities.fromJson(text)
    expect(Result.isFailure(result) && result.failure.pointer).toBe(pointer)
  })

  test.each(invalidAmounts)("rejects a limit of %j", (amount) => {
    expect(Result.isFailure(Capabilities.fromJson(withLimit({ min_transfer: amount, max_transfer: "1" })))).toBe(true)
  })
})
