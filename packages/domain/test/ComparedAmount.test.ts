import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as ComparedAmount from "../src/ComparedAmount.ts"
import * as CurrencyCode from "../src/CurrencyCode.ts"
import * as Money from "../src/Money.ts"
import * as Reconciliation from "../src/Reconciliation.ts"
import * as Transfer from "../src/Transfer.ts"
import * as TransferPage from "../src/TransferPage.ts"

const money = (text: string) => {
  const [amount = "", currency_code = ""] = text.split(" ")
  return { amount, currency_code }
}

const transferOf = (source: string | undefined, destination: string | undefined, kind = "any") =>
  Result.getOrThrow(
    TransferPage.fromJson(
      JSON.stringify({
        results: [
          {
            id: "tr_1",
            kind,
            status: "complete",
            created_at: "2024-09-01T00:00:00Z",
            external_id: "a",
            ...(source && { source_total: money(source) }),
            ...(destination && { destination_total: money(destination) }),
          },
        ],
        page_info: { has_next_page: false },
      }),
    ),
  ).results[0] ?? expect.fail()

test.each([
  ["source_total", "2.50"],
  ["source_total_usd", "2.50"],
  ["destination_total", "-3"],
  ["fiat", "3"],
  // It is in dollars itself, whatever its valuation says.
  ["service_fee", "0.10"],
  ["service_fee_usd", "0.11"],
  // A valuation in another currency is none.
  ["network_fee", undefined],
  ["source_subtotal", undefined],
] as const)("%s in dollars is the amount itself, or else the service's valuation", (amount, expected) => {
  const transfer = Result.getOrThrow(
    Transfer.fromJson(
      JSON.stringify({
        id: "tr_1",
        kind: "any",
        status: "complete",
        created_at: "2024-09-01T00:00:00Z",
        source_total: money("4 ethereum/ETH"),
        source_total_usd: money("2.50 fiat/USD"),
        destination_total: money("5.00 fiat/EUR"),
        destination_total_usd: money("-3 fiat/USD"),
        service_fee: money("0.10 fiat/USD"),
        service_fee_usd: money("0.11 fiat/USD"),
        network_fee: money("1 fiat/EUR"),
        network_fee_usd: money("1.1 fiat/EUR"),
      }),
    ),
  )
  expect(ComparedAmount.inDollars(transfer, amount)?.text).toBe(expected)
})

const cases: ReadonlyArray<readonly [string | undefined, string | undefined, string | undefined]> = [
  ["5.00 fiat/EUR", "4 ethereum/ETH", "5.00 fiat/EUR"],
  ["5.00 fiat/EUR", undefined, "5.00 fiat/EUR"],
  ["4 ethereum/ETH", "5.00 fiat/EUR", "-5.00 fiat/EUR"],
  [undefined, "0 fiat/EUR", "0 fiat/EUR"],
  ["5 fiat/EUR", "5 fiat/USD", undefined],
  ["4 ethereum/ETH", "5 solana/USDC", undefined],
  [undefined, undefined, undefined],
]

describe("P9: the amount of the fiat side", () => {
  test.each(cases)("of %s to %s is %s", (source, destination, amount) => {
    const found = ComparedAmount.of(transferOf(source, destination), "fiat")
    expect(found && String(found)).toBe(amount)
  })

  test("is what a reconciliation compares, if asked to", () => {
    const entry = (text: string) => {
      const { amount, currency_code } = money(text)
      const value = Money.parse(amount, Result.getOrThrow(CurrencyCode.parse(currency_code)))
      return { reference: "line 2", key: "a", amount: Result.getOrThrow(value) }
    }
    const tagOf = (text: string, transfer: ReturnType<typeof transferOf>) =>
      Reconciliation.reconcile([entry(text)], [transfer], { amount: "fiat" }).outcomes.map(({ _tag }) => _tag)
    const payout = transferOf("4 ethereum/ETH", "5.00 fiat/EUR")
    expect(tagOf("-5 fiat/EUR", payout)).toEqual(["Matched"])
    expect(tagOf("5 fiat/EUR", payout)).toEqual(["Differs"])
    expect(tagOf("5 fiat/EUR", transferOf("5 fiat/EUR", "5 fiat/EUR"))).toEqual(["Differs"])
  })

  test.each([
    ["cash_in", "5 fiat/EUR", "4 ethereum/ETH", undefined],
    ["cash_out", "5 fiat/EUR", "4 ethereum/ETH", "tr_1 is of the kind cash_out, but its fiat side is its source"],
    ["cash_in", "4 ethereum/ETH", "5 fiat/EUR", "tr_1 is of the kind cash_in, but its fiat side is its destination"],
    ["cash_in", "4 ethereum/ETH", "4 ethereum/ETH", undefined],
    ["swap", "5 fiat/EUR", "4 ethereum/ETH", undefined],
  ])("of a %s of %s to %s may contradict its kind", (kind, source, destination, reason) => {
    expect(ComparedAmount.contradiction(transferOf(source, destination, kind))).toBe(reason)
  })
})

test("another amount is the field of its name", () => {
  expect(String(ComparedAmount.of(transferOf("5 fiat/EUR", "4 ethereum/ETH"), "destination_total"))).toBe(
    "4 ethereum/ETH",
  )
  expect(ComparedAmount.of(transferOf("5 fiat/EUR", undefined), "service_fee")).toBeUndefined()
})
