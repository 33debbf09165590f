/** The years of bookings in MT940, which have none. */
import { expect, test } from "vitest"
import * as EntryDate from "../src/statements/EntryDate.ts"

test.each([
  // What is valued in another year.
  ["2024-09-30", "250101", "1230", "20241230"],
  ["2024-01-02", "240102", "1231", "20231231"],
  ["2023-12-29", "240103", "0102", "20240102"],
  ["2023-12-29", "231231", "0102", "20240102"],
  // Long after the balance before it, or with it.
  ["2024-01-01", "240906", "0906", "20240906"],
  ["2024-01-01", "241231", "1231", "20241231"],
  ["2024-01-10", "240905", "0904", "20240904"],
  ["2022-01-01", "240906", "0906", "20240906"],
  ["2024-01-31", "240131", "0131", "20240131"],
  // As far before the balance as it may be, and a day more.
  ["2024-05-01", "240501", "0331", "20240331"],
  ["2024-05-01", "240501", "0330", "20250330"],
  // Valued long before.
  ["2024-01-01", "230501", "0115", "20240115"],
  ["2024-01-01", "200501", "0115", "20240115"],
  // Days that not each year has.
  ["2023-09-01", "240301", "0229", "20240229"],
  ["2024-02-01", "240230", "0229", "20240229"],
  ["2024-02-01", "240230", "0301", "20240301"],
])("after the balance of %s, valued on %s and booked on %s, has the day %s", (opened, value, entered, day) => {
  expect(EntryDate.of(entered, { value, opened })).toBe(day)
})
