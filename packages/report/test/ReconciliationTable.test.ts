import * as Money from "@transferkit/domain/Money"
import type * as Reconciliation from "@transferkit/domain/Reconciliation"
import { expect, test } from "vitest"
import * as ReconciliationTable from "../src/ReconciliationTable.ts"

const totals = (ledger: ReadonlyArray<Money.Money>, service: ReadonlyArray<Money.Money>) =>
  ({ outcomes: 3, breaks: 0, entries: 0, transfers: 0, ledger, service }) satisfies Reconciliation.OutcomeTotals

test("the totals of an outcome have a row for each currency of either side, and its count once", () => {
  const [usd, eur, yen] = [
    Money.parseUnsafe("1.50", "fiat/USD"),
    Money.parseUnsafe("2", "fiat/EUR"),
    Money.parseUnsafe("3", "fiat/JPY"),
  ]
  expect(ReconciliationTable.totalRows("Matched", totals([usd, yen], [eur, usd]))).toEqual([
    ["Matched", "3", "fiat/EUR", "", "2"],
    ["Matched", "", "fiat/JPY", "3", ""],
    ["Matched", "", "fiat/USD", "1.50", "1.50"],
  ])
  expect(ReconciliationTable.totalRows("Matched", totals([], []))).toEqual([["Matched", "3", "", "", ""]])
})

test("open items have a row for each outcome, currency and age", () => {
  const [ledger, service] = [Money.parseUnsafe("1.50", "fiat/USD"), Money.parseUnsafe("0", "fiat/USD")]
  const line = { outcome: "NotAtService", currency_code: "fiat/USD", age: "8-30", items: 2, ledger, service } as const
  expect(ReconciliationTable.ages({ ageing: [line] })).toEqual([
    ["outcome", "age", "currency_code", "items", "ledger_amount", "service_amount"],
    ["NotAtService", "8-30", "fiat/USD", "2", "1.50", "0"],
  ])
})

test("the totals of 100,000 currencies, as a ledger of 3 MB may have, take no time that grows with their square", () => {
  const many = Array.from({ length: 100_000 }, (_, index) => Money.parseUnsafe("1", `net${index}/T`))
  const start = performance.now()
  expect(ReconciliationTable.totalRows("NotAtService", totals(many, many.toReversed()))).toHaveLength(100_000)
  expect(performance.now() - start).toBeLessThan(5000)
})
