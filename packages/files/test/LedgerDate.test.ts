import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as LedgerDate from "../src/ledgers/LedgerDate.ts"

describe("orderOf", () => {
  test.each([
    ["2024-09-30", "ymd"],
    [" 30.09.2024\t", "dmy"],
    ["2024/3/4 10:15:00", "ymd"],
    ["30.09.2024", "dmy"],
    ["9/30/2024", "mdy"],
    ["03/04/2024", "doubtful"],
    ["30.09.24", "doubtful"],
    ["12/13/2024", "mdy"],
    ["12/12/2024", "doubtful"],
    ["13/12/2024", "dmy"],
    ["30.09.2024 1", "dmy"],
    ["30.09.2024T10:15:00.5", "dmy"],
    ["30.09.2024 ", "dmy"],
    ["30.09.2024x", undefined],
    ["30.09.2024 x", undefined],
    ["x30.09.2024", undefined],
    ["12024-09-30", undefined],
    ["30.123.2024", undefined],
    ["30.09.20245", undefined],
    ["30.09/2024", undefined],
    ["30,09,2024", undefined],
    ["01 Sep 2024", "dmy"],
    ["1. September 2024", "dmy"],
    ["Sep 1, 2024", "mdy"],
    ["2024-Sep-01", "ymd"],
    ["01-Sep-24", "doubtful"],
    ["tomorrow", undefined],
    ["", undefined],
  ])("of %j is %s", (cell, order) => {
    expect(LedgerDate.orderOf(cell)).toBe(order)
  })
})

describe("isSettledBy", () => {
  test.each([
    ["2024-09-02", "2024-09-10", true],
    ["2024-09-02", "30.09.2024", true],
    ["2024-09-02", "12.09.24", false],
    ["2024-09-02", "01-Sep-24", false],
    ["30.09.2024", "03.04.2024", true],
    ["30.09.2024", "12.09.24", false],
    ["30.09.2024", "03/04/2024", false],
    ["30/09/2024", "24-09-05", false],
    ["02 Sep 2024", "09/10/2024", false],
    ["02 Sep 2024", "01-Sep-24", true],
    ["Sep 2, 2024", "10/09/2024", false],
    ["2024-Sep-02", "01-Sep-24", false],
  ])("%s shows the order of %s: %s", (proof, cell, isSettled) => {
    expect(LedgerDate.isSettledBy(proof, cell)).toBe(isSettled)
  })
})

describe("read", () => {
  test.each<[string, LedgerDate.Order, string]>([
    ["2024-9-3", "ymd", "2024-09-03"],
    ["03/04/2024", "dmy", "2024-04-03"],
    ["03/04/2024", "mdy", "2024-03-04"],
    ["3.4.24", "dmy", "2024-04-03"],
    ["2024-09-30", "dmy", "2024-09-30"],
    ["20240930", "ymd", "2024-09-30"],
    ["20240930", "mdy", "2024-09-30"],
    ["29.02.2024 23:59", "dmy", "2024-02-29"],
    [" 30.09.2024 ", "dmy", "2024-09-30"],
    ["2024-09-30T23:30:00-05:00", "dmy", "2024-10-01"],
    ["01 Sep 2024", "ymd", "2024-09-01"],
    ["1. September 2024", "ymd", "2024-09-01"],
    ["1st Sept. 2024", "ymd", "2024-09-01"],
    ["Sep 1, 2024", "ymd", "2024-09-01"],
    ["September 30 2024", "dmy", "2024-09-30"],
    ["2024-Sep-01", "dmy", "2024-09-01"],
    ["01-Sep-24", "dmy", "2024-09-01"],
    ["01-Sep-24", "ymd", "2001-09-24"],
    ["09/30/2024 11:15:00 PM", "mdy", "2024-09-30"],
    ["2024-09-30 23:59:60", "ymd", "2024-09-30"],
    ["30.09.2024 23.59.59.999", "dmy", "2024-09-30"],
    ["2024-09-30 2359", "ymd", "2024-09-30"],
    ["30 09 24", "dmy", "2024-09-30"],
    ["3 4 2599", "dmy", "2599-04-03"],
    // The end of a day is the first instant of the next.
    ["2024-09-30 24:00", "ymd", "2024-10-01"],
    ["31.12.2024 24:00:00.000", "dmy", "2025-01-01"],
    ["30 Sep 2024 24:00", "dmy", "2024-10-01"],
    ["2024-09-30T24:00:00", "ymd", "2024-10-01"],
    ["2024-09-30T24:00:00Z", "ymd", "2024-10-01"],
    ["2024-09-30T24:00:00.0+02:00", "ymd", "2024-09-30"],
  ])("reads %j in the order %s as %s", (cell, order, date) => {
    expect(LedgerDate.read(cell, order)).toEqual(Result.succeed(date))
  })

  test.each<[string, LedgerDate.Order, string]>([
    ["30/09/2024", "mdy", "try --date-order dmy"],
    ["29.02.2023", "dmy", 'Not a date: "29.02.2023". Write it like 2024-09-30'],
    ["31.04.2024", "dmy", "Not a date"],
    ["1.2-2024", "dmy", "Not a date"],
    ["31.02.24", "dmy", "Not a date"],
    ["31 Sep 2024", "dmy", "Not a date"],
    ["01 Okt 2024", "dmy", "the name of a month in another language: say which with --month-names de"],
    ["1 mai 2024", "dmy", "--month-names de or --month-names fr"],
    ["1 Foo 2024", "dmy", "Not a date"],
    ["31.04.2024", "mdy", "try --date-order dmy"],
    ["", "ymd", 'Not a date: ""'],
    ["120240930", "ymd", "Not a date"],
    ["202409301", "ymd", "Not a date"],
    ["2024093", "ymd", "Not a date"],
    ["30.09.124", "dmy", "Not a date"],
    ["2024-09-30 25:00", "ymd", '"2024-09-30 25:00" has a time that no clock shows. Write it like 2024-09-30 23:15'],
    ["2024-09-30 24:00:01", "ymd", "has a time that no clock shows"],
    ["2024-09-30 23:60", "ymd", "has a time that no clock shows"],
    ["2024-09-30 23:59:61", "ymd", "has a time that no clock shows"],
    ["2024-09-30 ...", "ymd", "has a time that no clock shows"],
    ["09/30/2024 24:00 PM", "mdy", "has a time that no clock shows"],
    ["09/30/2024 13:15 AM", "mdy", "has a time that no clock shows"],
    ["Sep 30, 2024 25:15", "mdy", "has a time that no clock shows"],
    ["9999-12-31 24:00", "ymd", "has a time that no clock shows"],
    ["2024-09-30T25:00:00Z", "ymd", "Not a date"],
    [`x${"y".repeat(100)}`, "dmy", `Not a date: "x${"y".repeat(63)}". Write it`],
  ])("rejects %j in the order %s", (cell, order, reason) => {
    expect(LedgerDate.read(cell, order)).toMatchObject({ failure: expect.stringContaining(reason) })
  })
})

test.each([
  ["01-Sep-24", "01-Sep-24 is a date whose order is in doubt: say which with --date-order dmy or --date-order ymd"],
  [" 03/04/2024 ", "03/04/2024 is a date whose order is in doubt: say which with --date-order dmy or --date-order mdy"],
  [
    "03.04.24",
    "03.04.24 is a date whose order is in doubt: say which with --date-order ymd or --date-order dmy or --date-order mdy",
  ],
])("question of %j", (cell, question) => {
  expect(LedgerDate.question(cell)).toBe(question)
})

test.each([
  ["1. Okt. 2024", "de", "2024-10-01"],
  ["3. M\u00e4rz 2024", "de", "2024-03-03"],
  ["15 ao\u00fbt 2024", "fr", "2024-08-15"],
  ["15 ene 2024", "es", "2024-01-15"],
] as const)("reads %j with the names of %s as %s", (cell, language, date) => {
  expect(LedgerDate.read(cell, "dmy", language)).toEqual(Result.succeed(date))
})

describe("instantOf", () => {
  test.each([
    ["2024-09-30 23:15:00", "2024-09-30T23:15:00Z"],
    ["2024-09-30T23:15:00.5", "2024-09-30T23:15:00.5Z"],
    ["30.09.2024 9:15 ", "2024-09-30T09:15:00Z"],
    ["09/30/2024 11:15:00 PM", "2024-09-30T23:15:00Z"],
    ["09/30/2024 12:15am", "2024-09-30T00:15:00Z"],
    ["09/30/2024 12:15 pm", "2024-09-30T12:15:00Z"],
    ["2024-09-30", undefined],
    ["30.09.2024 1", undefined],
    ["2024-09-30 25:00", undefined],
    // Its day was read as the next one.
    ["2024-09-29 24:00", "2024-09-30T00:00:00Z"],
  ])("of %j is %s", (cell, instant) => {
    expect(LedgerDate.instantOf(cell, "2024-09-30")?.text).toBe(instant)
  })
})
