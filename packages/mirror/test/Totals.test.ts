/** What transfers add to the totals of a mirror, before any database keeps them. */
import * as Transfer from "@transferkit/domain/Transfer"
import * as Option from "effect/Option"
import { expect, test } from "vitest"
import * as DayTotals from "../src/internal/DayTotals.ts"
import * as Totals from "../src/internal/Totals.ts"
import { ok } from "./Lab.ts"

const transferOf = (more: Readonly<Record<string, unknown>>) =>
  ok(
    Transfer.fromJson(
      JSON.stringify({ id: "tr_1", kind: "cash_in", status: "complete", created_at: "2024-06-01T00:00:00Z", ...more }),
    ),
  )
const money = (amount: string, currency_code = "fiat/USD") => ({ amount, currency_code })

type Change = readonly [transfer: Transfer.Transfer, sign: 1 | -1]

const changesOf = (...transfers: ReadonlyArray<Change>) => {
  const changes = new Totals.Changes()
  for (const [transfer, sign] of transfers) changes.add(transfer, "2024-06-01", sign)
  return changes
}

const totalsOf = (...transfers: ReadonlyArray<Change>) => {
  const [group] = changesOf(...transfers).groups
  return group?.totals ?? new DayTotals.DayTotals()
}

const stored = (...transfers: ReadonlyArray<Change>): DayTotals.Stored =>
  JSON.parse(totalsOf(...transfers).jsonWith(undefined))

test("totals have the amounts of a field by currency and length of fraction, in one order", () => {
  const transfers = [
    transferOf({ service_fee: money("1.5"), network_fee: money("2") }),
    transferOf({ service_fee: money("2.5") }),
    transferOf({ service_fee: money("2.25") }),
    transferOf({ service_fee: money("-7", "fiat/EUR") }),
    transferOf({}),
  ].map((transfer) => [transfer, 1] as const)
  const expected = {
    transfers: 5,
    currencies: [
      ["", 1],
      ["fiat/EUR", 1],
      ["fiat/USD", 3],
    ],
    amounts: {
      service_fee: [
        ["fiat/EUR", "fiat/EUR", 1, "-7"],
        ["fiat/USD", "fiat/USD", 2, "4.0"],
        ["fiat/USD", "fiat/USD", 1, "2.25"],
      ],
      network_fee: [["fiat/USD", "fiat/USD", 1, "2"]],
    },
  }
  expect(stored(...transfers)).toEqual(expected)
  expect(totalsOf(...transfers.toReversed()).jsonWith(undefined)).toBe(totalsOf(...transfers).jsonWith(undefined))
})

test("a valuation in dollars is grouped by the currency that it values", () => {
  const transfer = transferOf({ source_total: money("0.5", "bitcoin/BTC"), source_total_usd: money("31000.00") })
  expect(stored([transfer, 1])).toEqual({
    transfers: 1,
    currencies: [["bitcoin/BTC", 1]],
    amounts: {
      source_total: [["bitcoin/BTC", "bitcoin/BTC", 1, "0.5"]],
      source_total_usd: [["bitcoin/BTC", "fiat/USD", 1, "31000.00"]],
    },
  })
})

test("changes have the days and statuses that they are of, in one order", () => {
  const transfers = ["b", "c\ud800", "a"].map((status) => [transferOf({ status }), 1] as const)
  const names = (changes: Totals.Changes) => changes.groups.map(({ created_day, status }) => `${created_day} ${status}`)
  const expected = ["2024-06-01 a", "2024-06-01 b", String.raw`2024-06-01 c\ud800`]
  expect(names(changesOf(...transfers))).toEqual(expected)
  expect(names(changesOf(...transfers.toReversed()))).toEqual(expected)
})

test("changes are added to what the table has, as often as a transaction is tried", () => {
  const [before, after] = [transferOf({ service_fee: money("1.5") }), transferOf({ service_fee: money("-2.50") })]
  const table = stored([before, 1], [before, 1])
  const changes = totalsOf([before, -1], [after, 1], [transferOf({ service_fee: money("-0.1") }), -1])
  const expected = {
    transfers: 1,
    currencies: [["fiat/USD", 1]],
    amounts: { service_fee: [["fiat/USD", "fiat/USD", 1, "-2.50"]] },
  }
  expect(JSON.parse(changes.jsonWith(table))).toEqual(expected)
  expect(JSON.parse(changes.jsonWith(table))).toEqual(expected)
})

test("what is taken away again leaves no amount, no currency and no fraction", () => {
  const table = stored([transferOf({ service_fee: money("1.5") }), 1], [transferOf({ service_fee: money("1.250") }), 1])
  const left = totalsOf([transferOf({ service_fee: money("1.250") }), -1]).jsonWith(table)
  expect(JSON.parse(left)).toEqual(stored([transferOf({ service_fee: money("1.5") }), 1]))
  const nothing = totalsOf([transferOf({ service_fee: money("1.5") }), -1]).jsonWith(JSON.parse(left))
  expect(JSON.parse(nothing)).toEqual({ transfers: 0, currencies: [], amounts: {} })
})

const readable = stored([transferOf({ service_fee: money("1.5") }), 1])

test.each([
  ["no JSON", "{"],
  ["no number of transfers", { ...readable, transfers: undefined }],
  ["a part of a transfer", { ...readable, transfers: 1.5 }],
  ["less than none", { ...readable, currencies: [["fiat/USD", -1]] }],
  ["another field", { ...readable, amounts: { fee: [] } }],
  ["no list", { ...readable, amounts: { service_fee: {} } }],
  ["a code that is none", { ...readable, amounts: { service_fee: [["fiat/USD", "gold", 1, "1.5"]] } }],
  ["an amount that is none", { ...readable, amounts: { service_fee: [["fiat/USD", "fiat/USD", 1, "1e5"]] } }],
  ["an amount that is a number", { ...readable, amounts: { service_fee: [["fiat/USD", "fiat/USD", 1, 1.5]] } }],
  ["an amount without their number", { ...readable, amounts: { service_fee: [["fiat/USD", "fiat/USD", "1", "1.5"]] } }],
])("totals with %s are not read", (_, totals) => {
  const text = typeof totals === "string" ? totals : JSON.stringify(totals)
  expect(Option.isNone(DayTotals.decode(text))).toBe(true)
})

test("totals are read as they were written", () => {
  expect(DayTotals.decode(JSON.stringify(readable))).toEqual(Option.some(readable))
})
