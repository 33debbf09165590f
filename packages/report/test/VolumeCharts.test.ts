/** The places of a chart: each day or month, in order. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Summary from "@transferkit/domain/Summary"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import * as Result from "effect/Result"
import { expect, test } from "vitest"
import * as VolumeCharts from "../src/internal/pages/VolumeCharts.ts"

const labels = (by: "day" | "month", first: string, last: string, period = CreatedAt.all): ReadonlyArray<string> => {
  const transfers = [first, last].map((created_at, index) => {
    const source_total = { amount: "1.50", currency_code: "fiat/USD" }
    const wire = { id: `tr_${index}`, kind: "cash_in", status: "complete", created_at, source_total }
    return Result.getOrThrow(Transfer.fromJson(JSON.stringify(wire)))
  })
  const { text } = VolumeCharts.render(Summary.summarize(transfers, { by: [by, "currency"] }), { period, by })
  return Array.from(text.matchAll(/<li>(.*?)<\/li>/g), ([, label = ""]) => label)
}

test("every day and month between transfers has its place, also around the year 0", () => {
  expect(labels("day", "2024-02-27T00:00:00Z", "2024-03-05T23:00:00Z")).toEqual(["27", ...Array(6).fill(""), "5"])
  expect(labels("month", "2023-12-31T00:00:00Z", "2024-02-29T00:00:00Z")).toEqual(["23-12", "24-01", "24-02"])
  expect(labels("month", "0000-01-01T00:00:00+01:00", "0000-02-01T00:00:00Z")).toEqual(["01-12", "00-01", "00-02"])
})

test("a period has a place for each of its months, whether or not it has transfers", () => {
  const [from, until] = [Timestamp.parseUnsafe("2024-01-31T00:00:00Z"), Timestamp.parseUnsafe("2024-04-01T00:00:00Z")]
  const at = "2024-02-10T00:00:00Z"
  expect(labels("month", at, at, CreatedAt.between(from, until))).toEqual(["24-01", "24-02", "24-03"])
})
