/** P20 (a): payouts by their id are grouped and compared, whatever else matches. No search. */
import { describe, expect, test } from "vitest"
import * as Money from "../src/Money.ts"
import * as Reconciliation from "../src/Reconciliation.ts"
import { transferWith } from "./fixtures/service.ts"

const eur = (amount: string) => Money.parseUnsafe(amount, "fiat/EUR")
const usd = (amount: string) => Money.parseUnsafe(amount, "fiat/USD")
const row = (key: string, amount: Money.Money, payout?: string): Reconciliation.LedgerEntry => ({
  reference: `row ${key} ${amount.text}`,
  key,
  amount,
  ...(payout === undefined ? {} : { payout }),
})
const orders = [row("o1", eur("100.00"), "po_1"), row("o2", eur("50.5"), "po_1"), row("o3", eur("-0.50"), "po_1")]
const transfers = ["o1", "o2", "o3"].map((external_id, index) =>
  transferWith({
    id: `tr_${index}`,
    external_id,
    source_total: { amount: ["100", "50.50", "-0.5"][index], currency_code: "fiat/EUR" },
  }),
)

const payoutsOf = (
  rows: ReadonlyArray<Reconciliation.LedgerEntry>,
  options: Reconciliation.ReconciliationOptions = {},
) =>
  Reconciliation.reconcile(rows, transfers, options).outcomes.flatMap((outcome) =>
    outcome._tag === "Payout" ? [{ ...outcome, isBreak: Reconciliation.isBreak(outcome) }] : [],
  )

describe("P20: a row whose key is the payout id of others", () => {
  test("is their sum, in any order, and the others match by themselves", () => {
    const rows = [row("po_1", eur("150.00")), ...orders]
    for (const own of [rows, rows.toReversed()]) {
      expect(payoutsOf(own)).toMatchObject([{ rows: 3, differences: [], isBreak: false }])
      const { totals } = Reconciliation.reconcile(own, transfers)
      expect([totals.Matched.outcomes, totals.Payout.outcomes, Reconciliation.breaks(totals)]).toEqual([3, 1, 0])
      expect(totals.Payout.ledger.map(String)).toEqual(["150.00 fiat/EUR"])
    }
  })

  test.each<[string, ReadonlyArray<Reconciliation.LedgerEntry>, ReadonlyArray<string>]>([
    ["a cent less", [row("po_1", eur("149.99")), ...orders], ["0.01 fiat/EUR"]],
    ["a cent more", [row("po_1", eur("150.01")), ...orders], ["-0.01 fiat/EUR"]],
    [
      "booked twice",
      [row("po_1", eur("150")), row("po_1", eur("150")), ...orders],
      ["-150.00 fiat/EUR", "-150.00 fiat/EUR"],
    ],
    ["in two parts", [row("po_1", eur("100")), row("po_1", eur("50")), ...orders], []],
    [
      "with rows of another currency",
      [row("po_1", eur("150")), ...orders, row("o4", usd("7"), "po_1")],
      ["7 fiat/USD"],
    ],
  ])("differs or not: %s", (_, rows, differences) => {
    const found = payoutsOf(rows).flatMap((one) =>
      one.differences.map((two) => (two._tag === "AmountDiffers" ? String(two.difference) : two._tag)),
    )
    expect(found).toEqual(differences)
  })

  test("in another currency differs", () => {
    expect(payoutsOf([row("po_1", usd("150")), ...orders])).toMatchObject([
      { differences: [{ _tag: "CurrencyDiffers", ledger: "fiat/USD", transfer: "fiat/EUR" }], isBreak: true },
    ])
  })

  test("is compared within the tolerance", () => {
    const rows = [row("po_1", eur("149.99")), ...orders]
    expect(payoutsOf(rows, { tolerance: [eur("0.01")] })).toMatchObject([{ isBreak: false }])
  })

  test("is no payout if a transfer has the key, and a row is none of itself", () => {
    expect(payoutsOf([row("o1", eur("100"), "o1"), row("o2", eur("50.50"), "o1")])).toEqual([])
    expect(payoutsOf([row("po_2", eur("150")), ...orders])).toEqual([])
    expect(payoutsOf([row("po_2", eur("150"), "po_2")])).toEqual([])
  })
})
