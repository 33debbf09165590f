import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as IndependentCheck from "../IndependentCheck.ts"

const row = (id: string, amount: string, currency_code = "fiat/USD"): IndependentCheck.Row => ({
  id,
  source_total: { amount, currency_code },
})

describe("differences", () => {
  const served = [row("1", "1.10"), row("2", "2.00")]

  it("accepts every transfer once, in any order of rows and fields", () => {
    const reordered = { source_total: { currency_code: "fiat/USD", amount: "1.10" }, id: "1" }
    expect(IndependentCheck.differences(served, [row("2", "2.00"), reordered])).toEqual([])
  })

  it.each([
    ["missing", [row("1", "1.10")], "2 is missing"],
    ["duplicated", [...served, row("2", "2.00")], "2 is exported twice"],
    ["unknown", [...served, row("3", "2.00")], "3 is exported twice, or the service"],
    ["rewritten, even to an equal value", [row("1", "1.1"), row("2", "2.00")], "1 is exported with other values"],
  ])("reports a transfer that is %s", (_, exported, difference) => {
    expect(IndependentCheck.differences(served, exported)).toEqual([expect.stringContaining(difference)])
  })
})

describe("totals", () => {
  const rows = [
    row("1", "0.1"),
    row("2", "0.20"),
    row("3", "-123456789012345678901234567890.000000000000000001", "ethereum/ETH"),
    row("4", "100", "fiat/EUR"),
    row("5", "-0.5", "fiat/CHF"),
    { id: "6", source_total: null },
    { id: "7" },
  ]
  const expected = {
    "fiat/USD": "0.3",
    "ethereum/ETH": "-123456789012345678901234567890.000000000000000001",
    "fiat/EUR": "100",
    "fiat/CHF": "-0.5",
  }

  it("are exact with BigInt", () => {
    expect(IndependentCheck.totalsByBigInt(rows, "source_total")).toEqual(expected)
  })

  it("are exact from a file, whichever tool sums them", () => {
    const folder = mkdtempSync(join(tmpdir(), "transferkit-totals-"))
    const file = join(folder, "rows.ndjson")
    writeFileSync(file, rows.map((each) => `${JSON.stringify(each)}\n`).join(""))
    expect(IndependentCheck.totals(file, "source_total").totals).toEqual(expected)
    rmSync(folder, { recursive: true })
  })
})
