import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Dialect from "@transferkit/domain/Dialect"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { expect, test } from "vitest"
import { ScanRange } from "../../src/internal/scan/ScanRange.ts"

const at = Timestamp.parseUnsafe

const between = (from: string, to: string) => CreatedAt.between(at(from), at(to))

const rangeOf = (wanted: CreatedAt.CreatedAt) => new ScanRange(wanted, Dialect.standard)

/** 10 to 20 s and 30 to 40 s after the epoch. */
const twoSpans = rangeOf(
  CreatedAt.or(
    between("1970-01-01T00:00:10Z", "1970-01-01T00:00:20Z"),
    between("1970-01-01T00:00:30Z", "1970-01-01T00:00:40Z"),
  ),
)

test("spans every second of an unbounded range, the last one included", () => {
  expect(rangeOf(CreatedAt.all).spans).toEqual([
    { from: Timestamp.epochSeconds(Timestamp.earliest), to: Timestamp.epochSeconds(Timestamp.latest) + 1 },
  ])
})

test("spans the seconds that a range touches", () => {
  expect(rangeOf(between("1970-01-01T00:00:10.5Z", "1970-01-01T00:00:20.000000001Z")).spans).toEqual([
    { from: 10, to: 21 },
  ])
})

test("leaves an end open only where its range is unbounded", () => {
  const since = rangeOf(CreatedAt.gte(at("1970-01-01T00:00:10Z")))
  const [span = { from: 0, to: 0 }] = since.spans
  expect(since.intervalOf(span)).toEqual({ first: 10_000_000_000n, end: undefined })
  expect(since.intervalOf({ ...span, to: 20 })).toEqual({ first: 10_000_000_000n, end: 20_000_000_000n })

  const before = rangeOf(CreatedAt.lt(at("1970-01-01T00:00:20Z")))
  const [past = { from: 0, to: 0 }] = before.spans
  expect(before.intervalOf(past)).toEqual({ first: undefined, end: 20_000_000_000n })
  expect(before.intervalOf({ ...past, from: 10 })).toEqual({ first: 10_000_000_000n, end: 20_000_000_000n })
})

test("finds the span that holds a window", () => {
  expect(twoSpans.spans).toEqual([
    { from: 10, to: 20 },
    { from: 30, to: 40 },
  ])
  expect(twoSpans.intervalOf({ from: 12, to: 15 })).toEqual({ first: 12_000_000_000n, end: 15_000_000_000n })
  expect(twoSpans.intervalOf({ from: 32, to: 35 })).toEqual({ first: 32_000_000_000n, end: 35_000_000_000n })
})

test.each([
  { what: "before both spans", from: 5, to: 8 },
  { what: "that begins before a span", from: 9, to: 15 },
  { what: "that ends after a span", from: 35, to: 41 },
  { what: "across the gap", from: 15, to: 35 },
])("never asks for a window $what", ({ from, to }) => {
  expect(() => twoSpans.intervalOf({ from, to })).toThrow(`[${from}, ${to}) is not within the range of the scan`)
})
