import { describe, expect, test } from "vitest"
import { draws } from "../../../scripts/test/mutations.ts"
import { neutraliseFormula, restoreFormula } from "../src/formats/Csv.ts"

describe("neutraliseFormula", () => {
  test.each(["=1+1", "+1+1", "-1+1", "@SUM(A1)", "＝1+1", "-1e3", "-", "'=1", " =1", '"=1"', "\u00a0@x"])(
    "puts a quote before %j",
    (cell) => {
      expect(neutraliseFormula(cell)).toBe(`'${cell}`)
    },
  )

  test.each([
    ["x;=HYPERLINK(1)", "x;'=HYPERLINK(1)"],
    ['x;"=1+1"', `x;'"=1+1"`],
    ["x; +1", "x;' +1"],
    ["\t=1", "\t'=1"],
    ["\r=1", "\r'=1"],
    ["\n=1", "\n'=1"],
    ["two\r\n@lines", "two\r\n'@lines"],
    ["=a;=b\n'=c", "'=a;'=b\n''=c"],
    ["-1;-1", "'-1;'-1"],
  ])("puts a quote into %j wherever another list separator or a line break starts a cell", (cell, safe) => {
    expect(neutraliseFormula(cell)).toBe(safe)
  })

  test.each(["-1.50", "0", "a=1", "", "2024-09-01T00:00:00Z", "'quoted", "a;b", "a\nb", "a; b=c"])(
    "leaves %j as it is",
    (cell) => {
      expect(neutraliseFormula(cell)).toBe(cell)
    },
  )

  test("is undone by restoreFormula, whatever the cell", () => {
    const draw = draws("formulas")
    const pieces = ["=", "+", "-", "'", '"', ";", "\t", "\r", "\n", " ", "1", ".5", "a", "＝", "@"]
    let changed = 0
    for (let times = 0; times < 20_000; times++) {
      const cell = Array.from({ length: draw(8) }, () => pieces[draw(pieces.length)]).join("")
      const safe = neutraliseFormula(cell)
      if (safe !== cell) changed++
      expect(restoreFormula(safe)).toBe(cell)
    }
    expect(changed).toBeGreaterThan(5_000)
  })

  test.each(["'", '"', " ", "\n", ";", "'\n", `;"`])("takes linear time for a megabyte of %j", (piece) => {
    const cell = piece.repeat(1 << 20)
    const started = performance.now()
    expect(restoreFormula(neutraliseFormula(cell))).toBe(cell)
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
