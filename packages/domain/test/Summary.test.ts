/** Totals equal an independent sum, by any grouping, and a stream gives the same result as a list. */
import * as Arbitrary from "effect/Arbitrary"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import * as Summary from "../src/Summary.ts"
import * as Transfer from "../src/Transfer.ts"
import { integer, oneOf, print, units, type Units } from "./fixtures/arbitraries.ts"
import { law } from "./fixtures/law.ts"
import { transferWith } from "./fixtures/service.ts"

const text = (summary: Summary.Summary) =>
  summary.groups.map(({ key, transfers, totals }) => ({
    key,
    transfers,
    totals: Object.fromEntries(Object.entries(totals).map(([field, monies]) => [field, monies.map(String)])),
  }))

const none = Object.fromEntries(Transfer.moneyFields.map((field) => [field, undefined]))
const money = (amount: string, currency_code: string) => ({ amount, currency_code })
const cashIn = transferWith({
  ...none,
  source_total: money("10.50", "fiat/EUR"),
  source_total_usd: money("11.55", "fiat/USD"),
  destination_total: money("0.000000000000000001", "ethereum/ETH"),
})
const cashOut = transferWith({
  ...none,
  id: "tr_2",
  kind: "cash_out",
  created_at: "2024-08-31T23:00:00-02:00",
  payment_method: null,
  source_total: money("0.1", "ethereum/ETH"),
  destination_total: money("0.2", "fiat/EUR"),
})

describe("groups", () => {
  test("by currency, a transfer counts for each of its currencies and a valuation for what it values", () => {
    expect(text(Summary.summarize([cashIn, cashOut], { by: ["currency"] }))).toEqual([
      {
        key: { currency: "ethereum/ETH" },
        transfers: 2,
        totals: { source_total: ["0.1 ethereum/ETH"], destination_total: ["0.000000000000000001 ethereum/ETH"] },
      },
      {
        key: { currency: "fiat/EUR" },
        transfers: 2,
        totals: {
          source_total: ["10.50 fiat/EUR"],
          source_total_usd: ["11.55 fiat/USD"],
          destination_total: ["0.2 fiat/EUR"],
        },
      },
    ])
  })

  test("by day and payment method, in UTC, with an empty value for what is absent", () => {
    expect(
      Summary.summarize([cashIn, cashOut], { by: ["day", "payment_method"] }).groups.map(({ key }) => key),
    ).toEqual([
      { day: "2024-09-01", payment_method: "" },
      { day: "2024-09-01", payment_method: "card" },
    ])
  })

  test("without dimensions, into a single group", () => {
    expect(text(Summary.summarize([cashIn, cashOut], { by: [] }))).toEqual([
      {
        key: {},
        transfers: 2,
        totals: {
          source_total: ["0.1 ethereum/ETH", "10.50 fiat/EUR"],
          source_total_usd: ["11.55 fiat/USD"],
          destination_total: ["0.000000000000000001 ethereum/ETH", "0.2 fiat/EUR"],
        },
      },
    ])
  })

  test("a transfer without amounts still counts", () => {
    expect(text(Summary.summarize([transferWith(none)], { by: ["currency"] }))).toEqual([
      { key: { currency: "" }, transfers: 1, totals: {} },
    ])
  })
})

interface Row {
  readonly status: string
  readonly month: number
  readonly source: Units
  readonly code: string
}

const row: Arbitrary.Arbitrary<Row> = Arbitrary.map(
  Arbitrary.all([
    oneOf(["complete", "declined", "frozen"]),
    integer(1, 3),
    units,
    oneOf(["fiat/USD", "fiat/EUR"]),
  ] as const),
  ([status, month, source, code]) => ({ status, month, source, code }),
)

const transferOf = ({ status, month, source, code }: Row, index: number) =>
  transferWith({
    ...none,
    id: `tr_${index}`,
    status,
    created_at: `2024-0${month}-15T00:00:00Z`,
    source_total: money(print(source), code),
  })

/** The oracle adds whole units on one scale and knows nothing of Money. */
const expected = (rows: ReadonlyArray<Row>) => {
  const totals = new Map<string, bigint>()
  for (const { status, month, source, code } of rows) {
    const key = `${status} 2024-0${month} ${code}`
    totals.set(key, (totals.get(key) ?? 0n) + source.units * 10n ** BigInt(30 - source.scale))
  }
  return [...totals].sort(([a], [b]) => (a < b ? -1 : 1))
}

law("agrees with an independent sum", { rows: Arbitrary.array(row, { maxLength: 8 }) }, ({ rows }) => {
  const transfers = rows.map(transferOf)
  const summary = Summary.summarize(transfers, { by: ["status", "month"] })
  const actual = summary.groups
    .flatMap(({ key, totals }) => (totals.source_total ?? []).map((total) => [key, total] as const))
    .map(([key, total]) => [
      `${key.status} ${key.month} ${total.currency_code}`,
      BigInt(total.amount.toFixed(30).replace(".", "")),
    ])
  expect(actual).toEqual(expected(rows))
  expect(summary.groups.reduce((sum, { transfers: n }) => sum + n, 0)).toBe(rows.length)
})

law(
  "the summaries of parts combine to that of the whole",
  { rows: Arbitrary.array(row, { maxLength: 8 }), at: integer(0, 8) },
  ({ rows, at }) => {
    const transfers = [cashIn, ...rows.map(transferOf), cashOut, transferWith(none)]
    for (const by of [[], ["status"], ["month", "currency"]] as const) {
      const parts = [transfers.slice(0, at), transfers.slice(at)].map((part) => Summary.summarize(part, { by }))
      expect(text(Summary.combine(parts, { by }))).toEqual(text(Summary.summarize(transfers, { by })))
    }
  },
)

test("a stream gives the same result as a list", () => {
  const transfers = [cashIn, cashOut, cashIn]
  const by = ["month", "kind"] as const
  const streamed = Effect.runSync(Stream.run(Stream.fromIterable(transfers), Summary.sink({ by })))
  expect(text(streamed)).toEqual(text(Summary.summarize(transfers, { by })))
  expect(streamed.transfers).toBe(3)
})

test("months are those of UTC", () => {
  const months = Summary.summarize([cashIn, cashOut], { by: ["month"] }).groups.map(({ key }) => key)
  // One was created in August by its own clock, which is two hours behind UTC.
  expect(months).toEqual([{ month: "2024-09" }])
})

test.each([
  ["0000-01-01T00:00:00Z", undefined, ["0000-01-01", "-0001-W52", "0000-01", "0000-Q1", "0000"]],
  ["0000-01-01T00:00:00+23:59", undefined, ["-0001-12-31", "-0001-W52", "-0001-12", "-0001-Q4", "-0001"]],
  ["0000-01-01T00:00:00Z", "America/New_York", ["-0001-12-31", "-0001-W52", "-0001-12", "-0001-Q4", "-0001"]],
  ["9999-12-31T23:59:59-23:59", undefined, ["+10000-01-01", "9999-W52", "+10000-01", "+10000-Q1", "+10000"]],
  ["0099-01-01T12:00:00Z", "Europe/Berlin", ["0099-01-01", "0099-W01", "0099-01", "0099-Q1", "0099"]],
  ["2024-12-30T23:30:00Z", "Europe/Berlin", ["2024-12-31", "2025-W01", "2024-12", "2024-Q4", "2024"]],
])("an instant of %s is in the day, week, month, quarter and year of %s", (created_at, zone, expected) => {
  const timeZone = zone === undefined ? undefined : DateTime.zoneMakeNamedUnsafe(zone)
  const keys = Summary.calendarDimensions.map((dimension) => {
    const { groups } = Summary.summarize([transferWith({ created_at })], { by: [dimension], timeZone })
    return groups[0]?.key[dimension]
  })
  expect(keys).toEqual(expected)
})

test("a valuation without the amount that it values counts for dollars", () => {
  const only = transferWith({ ...none, source_total_usd: money("11.55", "fiat/USD") })
  expect(text(Summary.summarize([only], { by: ["currency"] }))).toEqual([
    { key: { currency: "fiat/USD" }, transfers: 1, totals: { source_total_usd: ["11.55 fiat/USD"] } },
  ])
})

test("a dimension that is repeated counts once", () => {
  const once = Summary.summarize([], { by: ["status", "currency"] })
  expect(Summary.summarize([], { by: ["status", "currency", "status"] })).toEqual(once)
})
