/** What a column holds of a time, and the form that brings its text back. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import { expect, test } from "vitest"
import * as WrittenForm from "../src/formats/WrittenForm.ts"

const [earliest, latest] = [Timestamp.earliest.epochNanoseconds, Timestamp.latest.epochNanoseconds]

test.each([
  "1970-01-01T00:00:01Z",
  "1970-01-01T00:00:01.500Z",
  "1970-01-01T00:00:01.000000000Z",
  "1970-01-01t01:00:00+01:00",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999999999Z",
])("%s comes back from its instant and its form", (text) => {
  const at = Timestamp.parseUnsafe(text).epochNanoseconds
  expect(WrittenForm.time(at, WrittenForm.ofTime(text, at))).toBe(text)
})

test.each([
  [earliest - 1n, 9],
  [latest + 1n, 9],
  [1n, 8],
  [0n, 10],
  [0n, -1],
  [0n, 1.5],
  [0n, null],
  [0n, "1970-01-01T00:00:01Z"],
  [0n, "yesterday"],
])("%s is not written in the form %j", (at, form) => {
  expect(WrittenForm.time(at, form)).toBeUndefined()
})

test.each([
  ["2024-09-01T00:00:00Z", 0],
  ["2024-09-01T00:00:00.5Z", 1],
  ["2024-09-01T00:00:00.500Z", 3],
  ["2024-09-01T00:00:00.123456789Z", 9],
  ["2024-09-01T02:00:00.5+02:00", "2024-09-01T02:00:00.5+02:00"],
  ["2024-09-01T00:00:00.1234567890Z", "2024-09-01T00:00:00.1234567890Z"],
])("the form of %s is %j", (text, form) => {
  expect(WrittenForm.ofTime(text, Timestamp.parseUnsafe(text).epochNanoseconds)).toBe(form)
})

test("the years 0 to 9999 of UTC are written, to their first and last nanosecond", () => {
  const [first, last] = ["0000-01-01T00:00:00.000000000Z", "9999-12-31T23:59:59.999999999Z"]
  const [from, to] = [first, last].map((text) => Timestamp.parseUnsafe(text).epochNanoseconds)
  if (from === undefined || to === undefined) throw new Error("no time")
  expect([WrittenForm.time(from, 9), WrittenForm.time(to, 9)]).toEqual([first, last])
  expect([WrittenForm.time(from - 1n, 9), WrittenForm.time(to + 1n, 9)]).toEqual([undefined, undefined])
})

test.each([
  [1100n, 3, 2, "1.10"],
  [1100n, 3, 3, "1.100"],
  [1125n, 3, 2, undefined],
  [1100n, 3, 4, undefined],
  [10_000n, 3, -1, undefined],
  [1000n, 3, "0", undefined],
  [5n, 0, 0, "5"],
])("%s units of the scale %i with the form %j are %s", (units, scale, form, text) => {
  expect(WrittenForm.amount(units, scale, form)).toBe(text)
})
