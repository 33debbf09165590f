import { expect, test } from "vitest"
import * as ValidationReport from "../src/commands/validate/Report.ts"

const verdict = {
  index: 0,
  external_id: "a",
  valid: false,
  violations: [{ code: "invalid_amount", path: "/source/amount", message: "Not an amount", actual: "28,49" }],
} as const

test("names the line and the column of a table's violations", () => {
  const { json, csv, table } = ValidationReport.make([verdict, { index: 1, valid: true, violations: [] }], [2, 5])
  expect(json).toMatchObject({
    results: [{ line: 2, violations: [{ path: "/source/amount", column: "source_amount" }] }, { line: 5 }],
  })
  expect([...csv].map((row) => row.slice(-2))).toEqual([
    ["line", "column"],
    ["2", "source_amount"],
    ["5", ""],
  ])
  expect(table).toBeDefined()
})

test("names the index and the path of other violations", () => {
  const { json, csv } = ValidationReport.make([verdict], undefined)
  expect(json).toEqual({ valid: false, results: [verdict] })
  expect([...csv].map((row) => row.length)).toEqual([9, 9])
})
