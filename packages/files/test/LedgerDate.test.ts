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
    ["tomorrow", undefined],
    ["", undefined],
  ])("of %j is %s", (cell, order) => {
    expect(LedgerDate.orderOf(cell)).toBe(order)
  })
})

describe("read", () => {
  test.each<[string, LedgerDate.Order, string]>([
    ["2024-9-3", "ymd", "2024-09-03"],
    ["03/04/2024", "dmy", "2024-04-03"],
    ["03/04/2024", "mdy", "2024-03-04"],
    ["3.4.24", "dmy", "2024-04-03"],
    ["20240930", "ymd", "2024-09-30"],
    ["20240930", "mdy", "2024-09-30"],
    ["29.02.2024 23:59", "dmy", "2024-02-29"],
    ["2024-09-30T23:30:00-05:00", "dmy", "2024-10-01"],
  ])("reads %j in the order %s as %s", (cell, order, date) => {
    expect(LedgerDate.read(cell, order)).toEqual(Result.succeed(date))
  })

  test.each<[string, LedgerDate.Order, string]>([
    ["2024-09-30", "dmy", "looks like a date in another order: try --date-order ymd"],
    ["30/09/2024", "mdy", "try --date-order dmy"],
    ["29.02.2023", "dmy", 'Not a date: "29.02.2023". Write it like 2024-09-30'],
    ["31.04.2024", "dmy", "Not a date"],
    ["1.2-2024", "dmy", "Not a date"],
    ["31.02.24", "dmy", "Not a date"],
    ["", "ymd", "Not a date"],
  ])("rejects %j in the order %s", (cell, order, reason) => {
    expect(LedgerDate.read(cell, order)).toMatchObject({ failure: expect.stringContaining(reason) })
  })
})
