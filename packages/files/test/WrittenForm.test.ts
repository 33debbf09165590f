/** What a column holds of a time, and the form that brings its text back. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import { expect, test } from "vitest"
import * as WrittenForm from "../src/formats/WrittenForm.ts"

const [earliest, latest] = [Timestamp.earliest, Timestamp.latest].map(({ epochNanoseconds }) =>
  WrittenForm.microseconds(epochNanoseconds),
)

test.each([
  "1970-01-01T00:00:01Z",
  "1970-01-01T00:00:01.500Z",
  "1970-01-01T00:00:01.000000000Z",
  "1970-01-01t01:00:00+01:00",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999999999Z",
  "2016-12-31T23:59:60Z",
  "2016-12-31T23:59:60.5Z",
  "2024-09-01T00:00:00.1234560Z",
  "2024-09-01T00:00:00.0000001Z",
  "2024-09-01T00:00:00z",
  "2024-09-01T00:00:00-00:00",
])("%s comes back from its instant and its form", (text) => {
  const at = Timestamp.parseUnsafe(text).epochNanoseconds
  expect(WrittenForm.time(WrittenForm.microseconds(at), WrittenForm.ofTime(text))).toBe(text)
})

test.each([
  [Number(earliest) - 1, 9],
  [Number(latest) + 1, 9],
  [1, 5],
  [0, 10],
  [0, -1],
  [0, 1.5],
  [0, null],
  [0, "1970-01-01T00:00:00.000001Z"],
  [0, "1969-12-31T23:59:59.999999999Z"],
  [0, "yesterday"],
])("%s microseconds are not written in the form %j", (at, form) => {
  expect(WrittenForm.time(BigInt(at), form)).toBeUndefined()
})

test.each([
  ["2024-09-01T00:00:00Z", 0],
  ["2024-09-01T00:00:00.5Z", 1],
  ["2024-09-01T00:00:00.500Z", 3],
  ["2024-09-01T00:00:00.123456000Z", 9],
  ["2024-09-01T00:00:00.123456789Z", "2024-09-01T00:00:00.123456789Z"],
  ["2016-12-31T23:59:60Z", "2016-12-31T23:59:60Z"],
  ["2024-09-01T02:00:00.5+02:00", "2024-09-01T02:00:00.5+02:00"],
  ["2024-09-01T00:00:00.1234567890Z", "2024-09-01T00:00:00.1234567890Z"],
])("the form of %s is %j", (text, form) => {
  expect(WrittenForm.ofTime(text)).toBe(form)
})

test("the years 0 to 9999 of UTC are written, to their first and last microsecond", () => {
  const [first, last] = ["0000-01-01T00:00:00.000000Z", "9999-12-31T23:59:59.999999Z"]
  const [from = 0n, to = 0n] = [first, last].map((text) =>
    WrittenForm.microseconds(Timestamp.parseUnsafe(text).epochNanoseconds),
  )
  expect([WrittenForm.time(from, 6), WrittenForm.time(to, 6)]).toEqual([first, last])
  expect([WrittenForm.time(from - 1n, 6), WrittenForm.time(to + 1n, 6)]).toEqual([undefined, undefined])
})

const tenth = 10n ** 17n

test.each([
  [11n * tenth, 2, "1.10"],
  [11n * tenth, 3, "1.100"],
  [11n * tenth, 0, undefined],
  [1n, 18, "0.000000000000000001"],
  [1n, 17, undefined],
  [11n * tenth, 19, undefined],
  [100n * tenth, -1, undefined],
  [10n * tenth, "0", undefined],
  [50n * tenth, 0, "5"],
])("%s units with the form %j are %s", (units, form, text) => {
  expect(WrittenForm.amount(units, form)).toBe(text)
})
