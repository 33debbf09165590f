import { CsvError } from "csv-parse"
import { parse } from "csv-parse/sync"
import { describe, expect, test } from "vitest"
import { draws } from "../../../scripts/test/mutations.ts"
import { lines, neutraliseFormula, restoreFormula } from "../src/formats/Csv.ts"
import { dialects, forms } from "../src/formats/CsvDialect.ts"
import { LineCounter, reasonOf } from "../src/formats/CsvRows.ts"

describe("neutraliseFormula", () => {
  test.each(["=1+1", "+1+1", "-1+1", "@SUM(A1)", "＝1+1", "-1e3", "-", "'=1", " =1", '"=1"', "\u00a0@x"])(
    "puts a quote before %j",
    (cell) => {
      expect(neutraliseFormula(cell, ",")).toBe(`'${cell}`)
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
    expect(neutraliseFormula(cell, ",")).toBe(safe)
  })

  test.each(["-1.50", "0", "a=1", "", "2024-09-01T00:00:00Z", "'quoted", "a;b", "a\nb", "a; b=c"])(
    "leaves %j as it is",
    (cell) => {
      expect(neutraliseFormula(cell, ",")).toBe(cell)
    },
  )

  test.each([
    ["x,=1+1", "x,'=1+1"],
    ["[1,-2]", "[1,'-2]"],
    ["x,y;=1", "x,y;'=1"],
  ])("puts a quote into %j after a comma too, where the file has another delimiter", (cell, safe) => {
    expect(neutraliseFormula(cell, ";")).toBe(safe)
    expect(neutraliseFormula(cell, "\t")).toBe(safe)
  })

  test.each([",", ";", "\t"])("is undone by restoreFormula, whatever the cell, of a file with %j", (delimiter) => {
    const draw = draws("formulas")
    const pieces = ["=", "+", "-", "'", '"', ";", ",", "\t", "\r", "\n", " ", "1", ".5", "a", "＝", "@"]
    let changed = 0
    for (let times = 0; times < 20_000; times++) {
      const cell = Array.from({ length: draw(8) }, () => pieces[draw(pieces.length)]).join("")
      const safe = neutraliseFormula(cell, delimiter)
      if (safe !== cell) changed++
      expect(restoreFormula(safe, delimiter)).toBe(cell)
    }
    expect(changed).toBeGreaterThan(5_000)
  })

  test.each(["'", '"', " ", "\n", ";", ",", "'\n", `;"`])("takes linear time for a megabyte of %j", (piece) => {
    const cell = piece.repeat(1 << 20)
    const started = process.cpuUsage()
    expect(restoreFormula(neutraliseFormula(cell, ";"), ";")).toBe(cell)
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2_000)
  })
})

describe.each(dialects)("lines as %s", (dialect) => {
  const { delimiter, lineBreak } = forms[dialect]
  const options = { delimiter, record_delimiter: lineBreak, relax_column_count: true, skip_empty_lines: false }

  test.each([true, false])("are read back cell by cell, whatever is in them (raw: %s)", (raw) => {
    const draw = draws(`lines ${dialect}`)
    const pieces = [...`,;\t"'=+-@ #a1.`, "\r", "\n", "\r\n", "\u00a0", "\ufeff", "\u2028", "\u{1f600}", "\uff1d"]
    const cell = () => Array.from({ length: draw(6) }, () => pieces[draw(pieces.length)]).join("")
    const rows = Array.from({ length: 3000 }, () => Array.from({ length: 3 }, cell))
    const read: ReadonlyArray<ReadonlyArray<string>> = parse(lines(rows, raw, { dialect }), options)
    expect(read.map((row) => (raw ? row : row.map((cell) => restoreFormula(cell, delimiter))))).toEqual(rows)
  })

  test("quotes what has to be quoted, and nothing else", () => {
    const other = delimiter === "," ? ";" : ","
    expect(lines([["a b", `x${other}y`, undefined, "", "2024-09-01T00:00:00Z", "-1.50"]], true, { dialect })).toBe(
      ["a b", `x${other}y`, "", "", "2024-09-01T00:00:00Z", "-1.50"].join(delimiter) + lineBreak,
    )
    expect(lines([[`x${delimiter}y`, 'say "x"', "a\nb", "a\rb"]], true, { dialect })).toBe(
      [`"x${delimiter}y"`, '"say ""x"""', '"a\nb"', '"a\rb"'].join(delimiter) + lineBreak,
    )
    expect(lines([], true, { dialect })).toBe("")
  })
})

test("an amount has a comma where the dialect has one, and a date has none", () => {
  expect(lines([["1.50", "2.5"]], false, { dialect: "excel-de", amounts: [0] })).toBe("1,50;2.5\r\n")
  expect(lines([["1.50", "2.5"]], false, { dialect: "excel", amounts: [0] })).toBe("1.50,2.5\r\n")
})

const errorOf = (text: string, delimiter = ",") => {
  try {
    parse(text, { delimiter, max_record_size: 100 })
  } catch (error) {
    if (error instanceof CsvError) return error
  }
  throw new Error("it can be read")
}

describe("a row that cannot be read", () => {
  test.each([
    ["a,b\nc\n", "line 2 has 1 cells, unlike the header"],
    ['a,b\nc,"d\n', "a quote is never closed; it opens in the row at line 2 or before"],
    ['a,b\nc,d"e"\n', "line 2 has a misplaced quote: quote the whole cell, and double the quotes in it"],
    ['a,b\nc,"d"e\n', "line 2 has a misplaced quote: quote the whole cell, and double the quotes in it"],
    [`a,b\nc,${"x".repeat(101)}\n`, "the row at line 2 is too long; is a quote before it never closed?"],
  ])("%j is explained", (text, reason) => {
    expect(reasonOf(errorOf(text))).toBe(reason)
  })

  test("by another error is explained by its message", () => {
    expect(reasonOf(new Error("x"))).toBe("x")
    expect(reasonOf(errorOf("a", ""))).toContain("delimiter")
  })
})

describe("LineCounter", () => {
  test("gives the first line of each row, whatever breaks are in it and were before it", () => {
    const lines = new LineCounter(1)
    expect(lines.firstOf(["a"], 1)).toBe(2)
    expect(lines.firstOf(["a\r\nb", "c\nd\r"], 6)).toBe(3)
    expect(lines.firstOf(["a"], 7)).toBe(7)
  })

  test("gives an error the first line of its row, behind empty lines that were skipped", () => {
    const lines = new LineCounter(1)
    const error = (emptyLines: number) => Object.assign(errorOf('"'), { empty_lines: emptyLines })
    const corrected = (of: CsvError) => {
      lines.correct(of)
      return of["lines"]
    }
    expect(corrected(error(2))).toBe(4)
    lines.firstOf(["a\r\nb"], 5, 2)
    expect(corrected(error(3))).toBe(7)
    const other = new Error("x")
    lines.correct(other)
    expect(Object.keys(other)).toEqual([])
  })
})
