import * as Transfer from "@transferkit/domain/Transfer"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { expect, test } from "vitest"
import * as MonthReport from "../src/MonthReport.ts"
import type { UsdValue } from "../src/UsdValue.ts"

const transfer = (id: string, status: string, more: object = {}) =>
  Result.getOrThrow(
    Transfer.fromJson(
      JSON.stringify({
        id,
        kind: "cash_in",
        status,
        created_at: "2024-09-01T00:00:00Z",
        source_total: { amount: "1.50", currency_code: "fiat/USD" },
        ...more,
      }),
    ),
  )

test("reads the transfers once for all of its totals, of which those by time are of settled transfers", async () => {
  let readings = 0
  const transfers = Stream.suspend(() => {
    readings++
    return Stream.make([transfer("a", "complete")], [transfer("b", "declined"), transfer("c", "complete")])
  })
  const report = await Effect.runPromise(MonthReport.make(transfers, { capabilities: undefined, by: "day" }))
  expect(readings).toBe(1)
  expect(report.byStatus.groups.map((group) => [group.key.status, group.transfers])).toEqual([
    ["complete", 2],
    ["declined", 1],
  ])
  expect(report.byTime.groups.map((group) => [group.key.day, group.transfers])).toEqual([["2024-09-01", 2]])
})

test("adds up exactly in dollars, by class, and counts what has no valuation in dollars", async () => {
  const euros = (usd?: string, currency_code = "fiat/USD") => ({
    source_total: { amount: "9", currency_code: "fiat/EUR" },
    ...(usd === undefined ? {} : { source_total_usd: { amount: usd, currency_code } }),
  })
  const transfers = Stream.make([
    transfer("a", "executing", euros("3")),
    transfer("b", "complete", euros("0.10")),
    // An amount in dollars is worth itself, with and without a valuation.
    transfer("c", "complete"),
    transfer("d", "complete", { source_total_usd: { amount: "1.49", currency_code: "fiat/USD" } }),
    transfer("e", "complete", euros()),
    transfer("f", "complete", euros("5", "fiat/EUR")),
    transfer("g", "declined", euros("-7")),
  ])
  const report = await Effect.runPromise(MonthReport.make(transfers, { capabilities: undefined, by: "day" }))
  const textOf = ({ usd, valued, unvalued }: UsdValue) => `${usd.text}, ${valued} valued, ${unvalued} not`
  expect(textOf(report.settledInUsd)).toBe("3.10, 3 valued, 2 not")
  expect([...report.byTimeInUsd].map(([day, value]) => [day, textOf(value)])).toEqual([
    ["2024-09-01", "3.10, 3 valued, 2 not"],
  ])
  expect(textOf(report.openInUsd)).toBe("3, 1 valued, 0 not")
})

test.each(["day", "month"] as const)("groups by the %ss of a time zone", async (by) => {
  const transfers = Stream.make([
    transfer("a", "complete", { created_at: "2024-09-30T21:59:59.999999999Z" }),
    transfer("b", "complete", { created_at: "2024-09-30T22:00:00Z" }),
  ])
  const unitsOf = async (timeZone?: DateTime.TimeZone) => {
    const report = await Effect.runPromise(MonthReport.make(transfers, { capabilities: undefined, by, timeZone }))
    return [report.byTime.groups.map(({ key }) => key[by]), [...report.byTimeInUsd.keys()]]
  }
  const [first, second] = by === "day" ? ["2024-09-30", "2024-10-01"] : ["2024-09", "2024-10"]
  expect(await unitsOf(DateTime.zoneMakeNamedUnsafe("Europe/Berlin"))).toEqual([
    [first, second],
    [first, second],
  ])
  expect(await unitsOf()).toEqual([[first], [first]])
})
