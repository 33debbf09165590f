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
