import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as LedgerAmount from "../src/ledgers/LedgerAmount.ts"

const detect = (...cells: ReadonlyArray<string>) =>
  LedgerAmount.detect(cells.map((text, index) => ({ text, place: `line ${index + 2}` })))

describe("detect", () => {
  test.each<[string, ReadonlyArray<string>, string]>([
    ["plain digits", ["5", "12.50", "0"], "."],
    ["a comma before two digits", ["941,13", "5"], ","],
    ["both, by the last", ["1.234,50", "7"], ","],
    ["both, by the last", ["1,234.50", "1,234"], "."],
    ["a point twice", ["1.234.567", "1.241"], ","],
    ["a comma twice", ["1,234,567"], "."],
    ["German cells beside 1.241", ["1.241", "28,49"], ","],
    ["three digits after a zero", ["0.125"], "."],
    ["three digits after four", ["1234,567"], ","],
    ["apostrophes", ["1'234.567", "1.241"], "."],
    ["signs, brackets and currencies", ["(28,49)", "941,13 EUR", "€ 5,00", "5,00-"], ","],
    ["no separator at all", ["5", ""], "."],
    ["no cell at all", [], "."],
    ["a cell beside others that are no amounts", ["n/a", "12,50", "-", "1.2.3,4,"], ","],
    ["a comma before four digits", ["1,2345"], ","],
    ["a comma beside dates that a spreadsheet made", ["12.01.2024", "12,50"], ","],
    ["a point beside dates that a spreadsheet made", ["12.01.2024", "12.50"], "."],
    ["a point before two digits, after three", ["123.24"], "."],
  ])("takes %s: %j", (_, cells, decimal) => {
    expect(detect(...cells)).toEqual(Result.succeed(decimal))
  })

  test.each<[string, ReadonlyArray<string>, string]>([
    [
      "only ambiguous cells",
      ["5", "1.241"],
      "line 3: 1.241 may be 1241 or 1 and a fraction: say which with --decimal . or --decimal ,",
    ],
    [
      "only ambiguous cells",
      ["1,241"],
      "line 2: 1,241 may be 1241 or 1 and a fraction: say which with --decimal . or --decimal ,",
    ],
    [
      "only ambiguous cells, naming the first",
      [" 12.241 ", "123,241"],
      "line 2: 12.241 may be 12241 or 12 and a fraction: say which with --decimal . or --decimal ,",
    ],
    [
      "ambiguous cells of three digits",
      ["123,241"],
      "line 2: 123,241 may be 123241 or 123 and a fraction: say which with --decimal . or --decimal ,",
    ],
    [
      "cells that contradict each other",
      ["12.50", "12,50"],
      "line 2 has a decimal point (12.50), line 3 a decimal comma (12,50)",
    ],
    [
      "cells that contradict each other, naming the first of each",
      ["5", " 1,5 ", " 1.5 ", "2,5", "2.5"],
      "line 4 has a decimal point (1.5), line 3 a decimal comma (1,5): write all alike",
    ],
  ])("asks about %s: %j", (_, cells, reason) => {
    expect(detect(...cells)).toMatchObject({ failure: expect.stringContaining(reason) })
  })
})

describe("read", () => {
  const read = (cell: string, decimal: "." | "," = ".", thousands?: string) =>
    LedgerAmount.read(cell, { decimal, thousands })

  test.each<[string, "." | ",", string]>([
    ["12.50", ".", "12.50"],
    ["941,13", ",", "941.13"],
    ["1.234.567,00", ",", "1234567.00"],
    ["1.241", ",", "1241"],
    ["1'234.5", ".", "1234.5"],
    ["1\u202f234,5", ",", "1234.5"],
    ["1 234", ".", "1234"],
    ["(28.49)", ".", "-28.49"],
    ["28.49-", ".", "-28.49"],
    ["\u221228.49", ".", "-28.49"],
    ["+28.49", ".", "28.49"],
    [" 7 ", ".", "7"],
    ["(\u00a0 28.49 )", ".", "-28.49"],
    ["1  234", ".", "1234"],
    ["1’234", ".", "1234"],
    ["12,345,678", ".", "12345678"],
    ["123,456.5", ".", "123456.5"],
    ["1234.5", ".", "1234.5"],
    ["-0.00", ".", "-0.00"],
    ["+ 5", ".", "5"],
    ["45,44,773.07", ".", "4544773.07"],
    ["1,00,000", ".", "100000"],
    ["1'000.--", ".", "1000"],
    ["1'000.-", ".", "1000"],
    ["5,--", ",", "5"],
    ["-5.–", ".", "-5"],
  ])("reads %j with the decimal %j as %s", (cell, decimal, text) => {
    expect(read(cell, decimal)).toEqual(Result.succeed({ text, currency: undefined }))
  })

  test.each<[string, string, string]>([
    ["941.13 EUR", "941.13", "EUR"],
    ["EUR 941.13", "941.13", "EUR"],
    ["-EUR 941.13", "-941.13", "EUR"],
    ["EUR -941.13", "-941.13", "EUR"],
    ["(941.13 EUR)", "-941.13", "EUR"],
    ["(941.13) EUR", "-941.13", "EUR"],
    ["EUR (941.13)", "-941.13", "EUR"],
    ["€(941.13)", "-941.13", "EUR"],
    ["€941.13", "941.13", "EUR"],
    ["£5", "5", "GBP"],
    ["0.5 ETH", "0.5", "ETH"],
    ["5 €", "5", "EUR"],
    ["5£", "5", "GBP"],
    ["EUR 5-", "-5", "EUR"],
    ["EUR +5", "5", "EUR"],
    ["(5)€", "-5", "EUR"],
    ["(5)USD", "-5", "USD"],
    ["5 eur", "5", "EUR"],
    ["usd 5", "5", "USD"],
    ["₹5", "5", "INR"],
  ])("reads the currency of %j", (cell, text, currency) => {
    expect(read(cell)).toEqual(Result.succeed({ text, currency }))
  })

  test.each<[string, "." | ",", string]>([
    ["", ".", "the amount is empty"],
    ["n/a", ".", 'Not an amount: "n/a". Write it like 1234.50'],
    ["1".repeat(256), ",", `${"1".repeat(64)}". Write it like 1234,50`],
    ["1,23", ".", "--decimal ,"],
    ["12,50", ".", "--decimal ,"],
    ["12.50", ",", "--decimal ."],
    ["1.234'567,00", ",", "groups of three digits"],
    ["--5", ".", 'Not an amount: "--5"'],
    ["(-5)", ".", 'Not an amount: "(-5)"'],
    ["(5 EUR) EUR", ".", "Not an amount"],
    ["EUR (5 EUR)", ".", "Not an amount"],
    ["((5))", ".", "Not an amount"],
    ["007", ".", "leading zero"],
    ["5.", ".", 'Not an amount: "5."'],
    ["-007", ".", "leading zero"],
    ["100.5'5", ".", 'Not an amount: "100.5'],
    [" ", ".", "the amount is empty"],
    ["1.2.3", ".", "looks like it has a decimal comma: try --decimal ,"],
    ["1.2,3.4", ".", "looks like it has a decimal comma: try --decimal ,"],
    ["1,2.3,4", ",", "looks like it has a decimal point: try --decimal ."],
    ["1234,567.00", ".", "groups of three digits"],
    ["12,3456.00", ".", "groups of three digits"],
    ["1,23.00", ".", "groups of three digits"],
    ["1,234 567.00", ".", "groups of three digits"],
    ["EUR 5 EUR", ".", "Not an amount"],
    ["-5-", ".", "Not an amount"],
    ["-EUR -5", ".", "Not an amount"],
    ["(5-)", ".", "Not an amount"],
    ["(5", ".", "Not an amount"],
    ["5)", ".", "Not an amount"],
    ["x(5)", ".", "Not an amount"],
    ["(5)x", ".", "Not an amount"],
    ["x5", ".", "Not an amount"],
    ["5x", ".", "Not an amount"],
    ["5+", ".", "Not an amount"],
    ["5 EURO", ".", "Not an amount"],
    ["5 eth", ".", "Not an amount"],
    ["1e3", ",", '"1e3" is in scientific notation: a spreadsheet has saved fewer digits'],
    ["1.00E+6", ".", "is in scientific notation"],
    ["12. Jan", ",", '"12. Jan" is a date, not an amount. If a spreadsheet has made it of an amount such as 12.01'],
    ["12-Jan", ".", "is a date"],
    ["Jan-12", ".", "is a date"],
    ["Jan 12", ".", "is a date"],
    ["Mär 24", ",", "is a date"],
    ["12. Januar 2024", ",", "is a date"],
    ["Jan 12, 2024", ".", "is a date"],
    ["2024-01-12", ".", "is a date"],
    ["2024-01-12 00:00:00", ".", "is a date"],
    ["12.01.2024", ",", "is a date"],
    ["12.01.24", ".", "is a date"],
    ["1/12/2024 0:00", ".", "is a date"],
    ["12 Janitors", ".", "Not an amount"],
    ["1,00,00,00", ".", "groups of three digits"],
    ["1,00,000,000", ".", "groups of three digits"],
    ["1'000.50.--", ".", "Not an amount"],
    ["1.000.--", ".", "Not an amount"],
    ["1000,--", ".", "try --decimal ,"],
    ["-5 CR", ".", "Not an amount"],
    ["(5) DR", ".", "Not an amount"],
    ["5 CRXX", ".", "Not an amount"],
    [` ${"x".repeat(100)}`, ".", `Not an amount: "${"x".repeat(64)}"`],
  ])("rejects %j with the decimal %j", (cell, decimal, reason) => {
    expect(read(cell, decimal)).toMatchObject({ failure: expect.stringContaining(reason) })
  })

  test.each<[string, string, string]>([
    ["$5", "5", "$"],
    ["$ 5", "5", "$"],
    ["-$5", "-5", "$"],
    ["($5)", "-5", "$"],
    ["$(5)", "-5", "$"],
    ["¥5", "5", "¥"],
  ])("reads the sign of several currencies of %j", (cell, text, sign) => {
    expect(read(cell)).toEqual(Result.succeed({ text, currency: undefined, sign }))
  })

  test.each<[string, string, string]>([
    ["1,234.56 CR", "1234.56", "CR"],
    ["1,234.56Dr", "1234.56", "DR"],
    ["5 H", "5", "H"],
    ["5 EUR S", "5", "S"],
  ])("reads the marker of %j, and no sign", (cell, text, marker) => {
    expect(read(cell)).toMatchObject({ success: { text, marker } })
  })

  test("holds to the given thousands separator", () => {
    expect(read("1,234.50", ".", ",")).toMatchObject({ success: { text: "1234.50" } })
    expect(read("1'234.50", ".", ",")).toMatchObject({ failure: expect.stringContaining("groups of three digits") })
  })
})

test.each([
  ["45,44,773.07", "lakh"],
  ["1,00,000", "lakh"],
  ["1,00,00,000.5", "lakh"],
  ["Rs. 1,00,000", undefined],
  ["12,345", undefined],
  ["1,234,567", "thousands"],
  ["123,456.00", "thousands"],
  ["123,456", undefined],
  ["1234.56", undefined],
  ["1.234.567,00 EUR", "thousands"],
  ["", undefined],
])("groupingOf %j is %s", (cell, grouping) => {
  expect(LedgerAmount.groupingOf(cell)).toBe(grouping)
})
