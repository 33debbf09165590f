/** What is said of a ledger before any result rests on it. */
import type * as Ledger from "@transferkit/files/ledgers/Ledger"
import { expect, test } from "vitest"
import * as LedgerReading from "../src/LedgerReading.ts"

const reading: Ledger.Reading = { file: "book", format: "mt940", rows: 3, columns: {}, detected: [] }

test("says how many rows a workbook hides", () => {
  expect(LedgerReading.sentence({ ...reading, format: "xlsx", hidden: 2 })).toBe(
    "Read 3 rows of book as xlsx. The workbook hides 2 of the rows, which count, too.",
  )
})

test("says that the times of its dates were taken as UTC", () => {
  const dated: Ledger.Reading = { ...reading, format: "csv", date_order: "ymd", utc_times: true }
  expect(LedgerReading.sentence(dated)).toBe("Read 3 rows of book. Given: year first in dates, times in UTC.")
})

test("says how many statements have no balances", () => {
  expect(LedgerReading.sentence({ ...reading, format: "camt.053", unbalanced: 2 })).toBe(
    "Read 3 rows of book as camt.053. 2 statements without an account (Acct), an opening (OPBD, PRCD) or a closing balance (CLBD), so that missing entries and statements are not noticed: is the file complete?",
  )
})

test("names the reports that are there again, and the ledger with the same bytes", () => {
  const unequal = [{ account: "AC1", day: "2024-09-30", place: "line 10", difference: "-0.02 USD" }]
  expect(LedgerReading.sentence({ ...reading, format: "bai2", unequal })).toContain(
    ' The ledger balances (010, 015) of "AC1" of 2024-09-30 at line 10 leave -0.02 USD that none of its transactions explains',
  )
  const repeated = [{ account: "AC1", day: "2024-09-30", place: "line 10" }]
  expect(LedgerReading.sentence({ ...reading, format: "bai2", repeated, same_as: "other.bai" })).toBe(
    'Read 3 rows of book as bai2. The report of "AC1" of 2024-09-30 at line 10 has the transactions of one above, which count again: is it there twice? It has the same bytes as other.bai, and its rows count again.',
  )
})

test("names the statements that are missing", () => {
  const gap = { account: "NL1 EUR", after: 4, before: 6 }
  expect(LedgerReading.sentence({ ...reading, gaps: [gap] })).toBe(
    'Read 3 rows of book as mt940. Of the statements of "NL1 EUR", number 5 is missing, though the balances continue: is the file complete?',
  )
  expect(LedgerReading.sentence({ ...reading, gaps: [{ ...gap, before: 8 }] })).toContain("numbers 5 to 7 are missing")
})
