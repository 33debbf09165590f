/** Days, months and years begin when Python's `zoneinfo` says; vectors/calendar.py wrote the vectors. */
import { readFileSync } from "node:fs"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as CreatedAt from "../src/CreatedAt.ts"
import * as Timestamp from "../src/Timestamp.ts"
import { integer, oneOf } from "./fixtures/arbitraries.ts"
import { law } from "./fixtures/law.ts"

interface Vector {
  readonly zone: string
  readonly date: string
  readonly day: string
  readonly month: string
  readonly year: string
}

const vectors: ReadonlyArray<Vector> = JSON.parse(
  readFileSync(new URL("vectors/calendar.json", import.meta.url), "utf8"),
)
const zones = new Map(vectors.map(({ zone }) => [zone, DateTime.zoneMakeNamedUnsafe(zone)] as const))
const zoneOf = (name: string) => zones.get(name) ?? DateTime.zoneMakeOffset(0)
const startOf = (filter: Result.Result<CreatedAt.CreatedAt, unknown>) =>
  CreatedAt.intervals(Result.getOrThrow(filter))[0]?.first

test("agrees with the vectors of Python's zoneinfo", () => {
  expect(vectors.length).toBeGreaterThan(400)
  const skipped: Array<string> = []
  for (const { zone, date, ...expected } of vectors) {
    const from = (text: string) => Timestamp.parseUnsafe(text).epochNanoseconds
    const day = CreatedAt.day(date, zoneOf(zone))
    if (CreatedAt.isEmpty(Result.getOrThrow(day))) skipped.push(`${date} ${zone}`)
    else expect([date, zone, startOf(day)]).toEqual([date, zone, from(expected.day)])
    expect(startOf(CreatedAt.month(date.slice(0, 7), zoneOf(zone)))).toBe(from(expected.month))
    expect(startOf(CreatedAt.year(date.slice(0, 4), zoneOf(zone)))).toBe(from(expected.year))
    const start = Timestamp.parseUnsafe(expected.day)
    if (!skipped.includes(`${date} ${zone}`)) {
      expect(Timestamp.startOfDay(start, zoneOf(zone)).text).toBe(expected.day)
      expect(Timestamp.startOfMonth(start, zoneOf(zone)).text).toBe(expected.month)
      expect(Timestamp.startOfYear(start, zoneOf(zone)).text).toBe(expected.year)
    }
  }
  expect(skipped).toEqual(["2011-12-30 Pacific/Apia", "1994-12-31 Pacific/Kiritimati"])
})

describe("the calendar of a zone", () => {
  const anyZone = oneOf([...zones.keys()])
  const boundsOf = (filter: Result.Result<CreatedAt.CreatedAt, unknown>) =>
    CreatedAt.intervals(Result.getOrThrow(filter))[0] ?? { first: undefined, end: undefined }

  law(
    "has no time between two days, months or years, and none in both",
    { zone: anyZone, number: integer(0, 20_000) },
    ({ zone, number }) => {
      const [today, tomorrow] = [number, number + 1].map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10))
      const units = [CreatedAt.day, CreatedAt.month, CreatedAt.year]
      return [10, 7, 4].every((length, index) => {
        const [a, b] = [today, tomorrow].map((date = "") =>
          boundsOf((units[index] ?? CreatedAt.day)(date.slice(0, length), zoneOf(zone))),
        )
        const isSame = today?.slice(0, length) === tomorrow?.slice(0, length)
        const skips = a?.first === undefined || b?.first === undefined
        return skips || (isSame ? a?.end === b?.end : a?.end === b?.first)
      })
    },
  )
  law(
    "an instant is in the day, month and year that it starts",
    { zone: anyZone, second: integer(0, 2_000_000_000), nano: integer(0, 999_999_999) },
    ({ zone, second, nano }) => {
      const at = Timestamp.fromEpochNanoseconds(BigInt(second) * 1_000_000_000n + BigInt(nano))
      const [day, month, year] = [Timestamp.startOfDay, Timestamp.startOfMonth, Timestamp.startOfYear].map(
        (start) => start(at, zoneOf(zone)).epochNanoseconds,
      )
      return (
        day !== undefined &&
        month !== undefined &&
        year !== undefined &&
        day <= at.epochNanoseconds &&
        at.epochNanoseconds - day < 25n * 3_600_000_000_000n &&
        month <= day &&
        year <= month
      )
    },
  )
})

describe("rejects dates that do not exist", () => {
  const utc = DateTime.zoneMakeOffset(0)
  test.each([
    [
      "day",
      CreatedAt.day,
      "YYYY-MM-DD",
      ["2024-02-30", "2023-02-29", "2024-13-01", "2024-1-1", "2024-09", "", "2024-09-01T", "x".repeat(10)],
    ],
    ["month", CreatedAt.month, "YYYY-MM", ["2024-13", "2024-00", "2024", "2024-09-01", "2024-9 ", "sep"]],
    ["year", CreatedAt.year, "YYYY", ["24", "2024-", "20x4", "+024", "12024"]],
  ])("as a %s", (_, make, accepted, texts) => {
    for (const input of texts) {
      expect(make(input, utc)).toEqual(Result.fail(new CreatedAt.InvalidDate({ input, accepted })))
    }
  })

  test("truncates long input in the error", () => {
    const failed = CreatedAt.day("2".repeat(1000), utc)
    expect(Result.isFailure(failed) && failed.failure.message.length).toBeLessThan(200)
  })

  test("reads the first and the last year that can be written", () => {
    expect(Result.map(CreatedAt.year("0000", utc), String)).toEqual(
      Result.succeed("CreatedAt(gte:0000-01-01T00:00:00Z lt:0001-01-01T00:00:00Z)"),
    )
    expect(startOf(CreatedAt.day("9999-12-31", utc))).toBe(
      Timestamp.parseUnsafe("9999-12-31T00:00:00Z").epochNanoseconds,
    )
    expect(startOf(CreatedAt.day("0050-01-01", utc))).toBe(
      Timestamp.parseUnsafe("0050-01-01T00:00:00Z").epochNanoseconds,
    )
  })
})

describe("durations", () => {
  const at = Timestamp.parseUnsafe("2024-09-01T00:00:00.000000001Z")

  test("are added and measured to the nanosecond", () => {
    expect(Timestamp.plus(at, "1 nano").text).toBe("2024-09-01T00:00:00.000000002Z")
    expect(Timestamp.plus(at, { seconds: -1 }).text).toBe("2024-08-31T23:59:59.000000001Z")
    expect(Timestamp.plus(at, 1.5).text).toBe("2024-09-01T00:00:00.001500001Z")
  })

  law(
    "an instant plus its difference to another is the other",
    { a: integer(-1e9, 1e9), b: integer(-1e9, 1e9) },
    ({ a, b }) => {
      const [from, to] = [a, b].map((n) => Timestamp.fromEpochNanoseconds(BigInt(n) * 7_000_000_001n)) as [
        Timestamp.Timestamp,
        Timestamp.Timestamp,
      ]
      return Timestamp.plus(from, Timestamp.difference(to, from)).epochNanoseconds === to.epochNanoseconds
    },
  )

  test("are rejected if they are infinite, or end beyond the year 9999", () => {
    expect(() => Timestamp.plus(at, Infinity)).toThrow(
      new RangeError("Cannot add Infinity to 2024-09-01T00:00:00.000000001Z."),
    )
    expect(() => Timestamp.plus(Timestamp.latest, "1 second")).toThrow(RangeError)
    expect(() => CreatedAt.last(Infinity, at)).toThrow(RangeError)
  })

  test("that are negative are no time before now", () => {
    expect(CreatedAt.isEmpty(CreatedAt.last("-1 seconds", at))).toBe(true)
    expect(CreatedAt.isEmpty(CreatedAt.last("0 seconds", at))).toBe(true)
  })
})
