/** What transfers add to the totals of a mirror, before any database adds them up. */
import * as Transfer from "@transferkit/domain/Transfer"
import { expect, test } from "vitest"
import * as Totals from "../src/internal/Totals.ts"
import { ok } from "./Lab.ts"

const transferOf = (more: Readonly<Record<string, unknown>>) =>
  ok(
    Transfer.fromJson(
      JSON.stringify({ id: "tr_1", kind: "cash_in", status: "complete", created_at: "2024-06-01T00:00:00Z", ...more }),
    ),
  )
const money = (amount: string, currency_code = "fiat/USD") => ({ amount, currency_code })

const changesOf = (...transfers: ReadonlyArray<readonly [transfer: Transfer.Transfer, sign: 1 | -1]>) => {
  const changes = new Totals.Changes("demo")
  for (const [transfer, sign] of transfers) changes.add(transfer, "2024-06-01", sign)
  return changes
}

const limbsOf = (amount: string, sign: 1 | -1 = 1) => {
  const { rows } = changesOf([transferOf({ service_fee: money(amount) }), sign])
  const fee = rows.find(({ field }) => field === "service_fee")
  return Totals.limbs.map((name) => fee?.[name])
}

test("an amount is cut into limbs of nine digits, two before the point and three after it", () => {
  expect(limbsOf("123456789012345678.111111111222222222333333333")).toEqual([
    123456789n,
    12345678n,
    111111111n,
    222222222n,
    333333333n,
  ])
  expect(limbsOf("1")).toEqual([0n, 1n, 0n, 0n, 0n])
  expect(limbsOf("1000000000")).toEqual([1n, 0n, 0n, 0n, 0n])
  expect(limbsOf("0.5")).toEqual([0n, 0n, 500000000n, 0n, 0n])
  expect(limbsOf("0.0000000001")).toEqual([0n, 0n, 0n, 100000000n, 0n])
})

test("each limb has the sign of its amount, and the other one if it is taken away", () => {
  expect(limbsOf("-1.5")).toEqual([0n, -1n, -500000000n, 0n, 0n])
  expect(limbsOf("1.5", -1)).toEqual([0n, -1n, -500000000n, 0n, 0n])
  expect(limbsOf("-1.5", -1)).toEqual([0n, 1n, 500000000n, 0n, 0n])
})

test("a row counts the amounts of one day, status, field, currency and length of fraction", () => {
  const { rows, size } = changesOf(
    [transferOf({ service_fee: money("1.5"), network_fee: money("2") }), 1],
    [transferOf({ service_fee: money("2.5") }), 1],
    [transferOf({ service_fee: money("2.25") }), 1],
    [transferOf({ service_fee: money("7", "fiat/EUR") }), 1],
    [transferOf({ status: "declined", service_fee: money("9.5") }), 1],
    [transferOf({}), 1],
  )
  const shown = rows.map((row) =>
    [
      row["status"],
      row["field"],
      row["currency"],
      row["currency_code"],
      row["digits"],
      row["amounts"],
      row["limb_2"],
    ].join(" "),
  )
  expect(shown).toEqual([
    "complete (all)   0 5 0",
    "complete (currency)   0 1 0",
    "complete (currency) fiat/EUR  0 1 0",
    "complete (currency) fiat/USD  0 3 0",
    "complete network_fee fiat/USD fiat/USD 0 1 2",
    "complete service_fee fiat/EUR fiat/EUR 0 1 7",
    "complete service_fee fiat/USD fiat/USD 1 2 3",
    "complete service_fee fiat/USD fiat/USD 2 1 2",
    "declined (all)   0 1 0",
    "declined (currency) fiat/USD  0 1 0",
    "declined service_fee fiat/USD fiat/USD 1 1 9",
  ])
  expect(size).toBe(rows.length)
  expect(new Set(rows.map(({ partner_id, created_day }) => `${partner_id} ${created_day}`))).toEqual(
    new Set(["demo 2024-06-01"]),
  )
})

test("rows are in one order, whatever the order of the transfers", () => {
  const transfers = ["b", "c", "a"].map((status) => [transferOf({ status, service_fee: money("1") }), 1] as const)
  const names = (rows: Totals.Changes["rows"]) => rows.map(({ status, field }) => `${status} ${field}`)
  const expected = ["a", "b", "c"].flatMap((status) =>
    ["(all)", "(currency)", "service_fee"].map((one) => `${status} ${one}`),
  )
  expect(names(changesOf(...transfers).rows)).toEqual(expected)
  expect(names(changesOf(...transfers.toReversed()).rows)).toEqual(expected)
})

test("what is taken away again leaves no row, unless the sum has changed", () => {
  const [before, after] = [transferOf({ service_fee: money("1.5") }), transferOf({ service_fee: money("2.5") })]
  expect(changesOf([before, 1], [before, -1]).rows).toEqual([])
  const { rows } = changesOf([before, -1], [after, 1])
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ field: "service_fee", amounts: 0n, limb_2: 1n, limb_3: 0n })
  const moved = changesOf([before, -1], [transferOf({ service_fee: money("1.50") }), 1])
  expect(moved.rows.map(({ digits, amounts }) => [digits, amounts])).toEqual([
    [1n, -1n],
    [2n, 1n],
  ])
})
