/** How tables hold amounts: one decimal for every digit. */
import { describe, expect, test } from "vitest"
import * as DecimalWidth from "../src/formats/DecimalWidth.ts"
import * as SqlTable from "../src/formats/SqlTable.ts"
import type { TransferFormat } from "../src/formats/TransferFormat.ts"

describe("the width of a column of amounts", () => {
  test.each([
    ["0", 1, 0],
    ["-12.5", 2, 1],
    ["12", 2, 0],
    ["0.125", 1, 3],
  ])("that holds %s is %i and %i digits", (text, whole, fraction) => {
    expect(DecimalWidth.widest(undefined, text)).toEqual({ whole, fraction })
  })

  test("never gets smaller", () => {
    expect(DecimalWidth.widest({ whole: 3, fraction: 2 }, "1.125")).toEqual({ whole: 3, fraction: 3 })
    expect(DecimalWidth.widest({ whole: 3, fraction: 2 }, "1234")).toEqual({ whole: 4, fraction: 2 })
  })

  test("fits into the decimal with 20 and 18 digits, not with more of either, and without amounts", () => {
    expect(DecimalWidth.fits({ whole: 20, fraction: 18 })).toBe(true)
    expect(DecimalWidth.fits({ whole: 1, fraction: 19 })).toBe(false)
    expect(DecimalWidth.fits({ whole: 21, fraction: 0 })).toBe(false)
    expect(DecimalWidth.fits(undefined)).toBe(true)
  })
})

describe("CREATE TABLE", () => {
  const scriptOf = (format: TransferFormat) => SqlTable.script({ file: "it's", format, widths: new Map() }).split("\n")

  test("has a type for each column, and names the required ones", () => {
    expect(scriptOf("csv").slice(0, 10)).toEqual([
      "-- The transfers of it's. Amounts are exact decimals; times keep their microseconds.",
      "CREATE TABLE transfers (",
      "  id TEXT PRIMARY KEY,",
      "  external_id TEXT,",
      "  kind TEXT NOT NULL,",
      "  status TEXT NOT NULL,",
      "  network_transaction_id TEXT,",
      "  created_at TIMESTAMPTZ NOT NULL,",
      "  updated_at TIMESTAMPTZ,",
      "  source_total_amount DECIMAL(38, 18),",
    ])
    expect(scriptOf("csv").map((line) => line.replace(/,$/, ""))).toContain("  extra JSON")
  })

  test("says how to load the file, unless it is JSON", () => {
    const loading = (format: TransferFormat) => scriptOf(format).slice(scriptOf(format).indexOf(");") + 1)
    expect(loading("csv")).toEqual([
      "-- DuckDB: INSERT INTO transfers BY NAME SELECT * FROM read_csv('it''s', header = true, all_varchar = true);",
      "-- psql:   \\copy transfers FROM 'it''s' WITH (FORMAT csv, HEADER)",
      "",
    ])
    expect(loading("parquet")).toEqual([
      "-- DuckDB: INSERT INTO transfers BY NAME SELECT * EXCLUDE (written) FROM read_parquet('it''s');",
      "",
    ])
    expect(loading("ndjson")).toEqual([""])
  })
})
