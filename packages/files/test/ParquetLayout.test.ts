/** How Parquet and SQL hold amounts and times: wide enough for every digit. */
import * as Transfer from "@transferkit/domain/Transfer"
import * as Result from "effect/Result"
import { parquetMetadata } from "hyparquet"
import { describe, expect, test } from "vitest"
import * as DecimalWidth from "../src/formats/DecimalWidth.ts"
import { ParquetEncoder } from "../src/formats/ParquetEncoder.ts"
import * as SqlTable from "../src/formats/SqlTable.ts"
import * as TimeUnit from "../src/formats/TimeUnit.ts"
import type { TransferFormat } from "../src/formats/TransferFormat.ts"

const transfer = (created_at: string) =>
  Result.getOrThrow(Transfer.fromJson(JSON.stringify({ id: "tr_1", kind: "cash_in", status: "complete", created_at })))

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

  test("fits into a decimal with 38 digits, not with 39, and without amounts", () => {
    expect(DecimalWidth.fits({ whole: 20, fraction: 18 })).toBe(true)
    expect(DecimalWidth.fits({ whole: 20, fraction: 19 })).toBe(false)
    expect(DecimalWidth.fits(undefined)).toBe(true)
  })
})

describe("the unit of a column of times", () => {
  const unitOf = (...times: ReadonlyArray<string>) => {
    const needs = new Map<string, TimeUnit.TimeNeeds>()
    for (const time of times) TimeUnit.add(needs, [transfer(time)])
    return TimeUnit.unitsOf(needs).get("created_at")
  }
  const precise = "2024-09-01T00:00:00.123456789Z"

  test.each([
    ["microseconds, without any digit below", ["2024-09-01T00:00:00.123456Z", "2300-01-01T00:00:00Z"], "MICROS"],
    ["nanoseconds, with a digit below", [precise, "2024-09-01T00:00:00Z"], "NANOS"],
    ["nanoseconds, to their last", [precise, "2262-04-11T23:47:16.854775807Z"], "NANOS"],
    ["text, after the last of them", [precise, "2262-04-11T23:47:16.854775808Z"], "TEXT"],
    ["nanoseconds, from their first", [precise, "1677-09-21T00:12:43.145224192Z"], "NANOS"],
    ["text, before the first of them", [precise, "1677-09-21T00:12:43.145224191Z"], "TEXT"],
    ["text, though the far time comes first", ["2300-01-01T00:00:00Z", precise], "TEXT"],
    ["text, though more times follow", ["2300-01-01T00:00:00Z", precise, "2024-09-01T00:00:00Z"], "TEXT"],
  ])("is %s", (_, times, unit) => {
    expect(unitOf(...times)).toBe(unit)
  })

  test.each<[TimeUnit.TimeUnit, string | undefined]>([
    ["MICROS", "TIMESTAMP_MICROS"],
    ["NANOS", undefined],
    ["TEXT", "UTF8"],
  ])("%s is %s to readers of before 2017", (unit, converted) => {
    const bytes = new ParquetEncoder({ widths: new Map(), units: new Map([["created_at", unit]]) }).close()
    const { schema } = parquetMetadata(Uint8Array.from(bytes).buffer)
    expect(schema.find(({ name }) => name === "created_at")?.converted_type).toBe(converted)
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
      "  source_total_amount DECIMAL(38, 0),",
    ])
    expect(scriptOf("csv")).toContain("  extra JSON")
  })

  test("says how to load the file, unless it is JSON", () => {
    const loading = (format: TransferFormat) => scriptOf(format).slice(scriptOf(format).indexOf(");") + 1)
    expect(loading("csv")).toEqual([
      "-- DuckDB: INSERT INTO transfers SELECT * FROM read_csv('it''s', header = true, all_varchar = true);",
      "-- psql:   \\copy transfers FROM 'it''s' WITH (FORMAT csv, HEADER)",
      "",
    ])
    expect(loading("parquet")).toEqual([
      "-- DuckDB: INSERT INTO transfers SELECT * EXCLUDE (written) FROM read_parquet('it''s');",
      "",
    ])
    expect(loading("ndjson")).toEqual([""])
  })
})
