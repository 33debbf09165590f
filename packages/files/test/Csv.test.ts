import { describe, expect, test } from "vitest"
import { neutraliseFormula } from "../src/formats/Csv.ts"

describe("neutraliseFormula", () => {
  test.each(["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "＝1+1", "-1e3", "-", "'=1"])(
    "puts a quote before %j",
    (cell) => {
      expect(neutraliseFormula(cell)).toBe(`'${cell}`)
    },
  )

  test.each(["-1.50", "0", "a=1", "", "2024-09-01T00:00:00Z", "'quoted"])("leaves %j as it is", (cell) => {
    expect(neutraliseFormula(cell)).toBe(cell)
  })
})
