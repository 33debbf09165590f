import * as Money from "@transferkit/domain/Money"
import * as Transfer from "@transferkit/domain/Transfer"
import * as Result from "effect/Result"
import { expect, test } from "vitest"
import * as UsdValue from "../src/UsdValue.ts"

const transfer = (valuation: string) =>
  Result.getOrThrow(
    Transfer.fromJson(
      `{"id":"1","kind":"cash_in","status":"complete","created_at":"2024-09-01T00:00:00Z","source_total":{"amount":"200.00","currency_code":"fiat/EUR"}${valuation}}`,
    ),
  )
const valued = transfer(`,"source_total_usd":{"amount":"220.00","currency_code":"fiat/USD"}`)

test.each([
  ["fiat/EUR", "200.00", valued, "220.00"],
  ["fiat/EUR", "-1.00", valued, "1.10"],
  ["fiat/USD", "-3.5", undefined, "3.5"],
  ["fiat/GBP", "1.00", valued, undefined],
  ["fiat/EUR", "1.00", transfer(""), undefined],
  ["fiat/EUR", "1.00", undefined, undefined],
] as const)("%s %s of a transfer is worth its share of the service's valuation", (code, amount, of, usd) => {
  expect(UsdValue.ofPart(Money.parseUnsafe(amount, code), of, "source_total")?.text).toBe(usd)
})
