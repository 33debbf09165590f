/** Timestamps against RFC 3339: section 5.6 for what is allowed, 5.7 for its limits, 5.8 for its examples. */
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import { describe, expect, test, vi } from "vitest"
import * as Timestamp from "../src/Timestamp.ts"
import { anyTimestamp, integer, timestamp } from "./fixtures/arbitraries.ts"
import { law } from "./fixtures/law.ts"

const accepted: ReadonlyArray<readonly [text: string, instant: string]> = [
  ["1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50.52Z"],
  ["1996-12-19T16:39:57-08:00", "1996-12-20T00:39:57Z"],
  ["1990-12-31T23:59:60Z", "1991-01-01T00:00:00Z"],
  ["1990-12-31T15:59:60-08:00", "1991-01-01T00:00:00Z"],
  ["1937-01-01T12:00:27.87+00:20", "1937-01-01T11:40:27.87Z"],
  ["2016-12-31T23:59:60.5Z", "2017-01-01T00:00:00.5Z"],
  ["2017-01-01T05:29:60+05:30", "2017-01-01T00:00:00Z"],
  ["2015-06-30T23:59:60z", "2015-07-01T00:00:00Z"],
  ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"],
  ["2000-02-29T00:00:00Z", "2000-02-29T00:00:00Z"],
  ["2024-09-01t00:00:00z", "2024-09-01T00:00:00Z"],
  ["2024-01-01T00:30:00+01:00", "2023-12-31T23:30:00Z"],
  ["2023-12-31T23:30:00-01:00", "2024-01-01T00:30:00Z"],
  ["2024-03-01T00:00:00+23:59", "2024-02-29T00:01:00Z"],
  ["2024-02-28T23:59:59-23:59", "2024-02-29T23:58:59Z"],
  ["2024-09-01T00:00:00-00:00", "2024-09-01T00:00:00Z"],
  ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"],
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
  ["0099-12-31T23:59:59Z", "0099-12-31T23:59:59Z"],
  ["9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"],
  ["1969-12-31T23:59:59.9Z", "1969-12-31T23:59:59.9Z"],
  ["1970-01-01T00:00:00.000000001Z", "1970-01-01T00:00:00.000000001Z"],
  ...Array.from({ length: 30 }, (_, index) => {
    const digits = "123456789987654321123456789987".slice(0, index + 1)
    return [`2024-09-01T00:00:00.${digits}Z`, `2024-09-01T00:00:00.${digits.slice(0, 9)}Z`] as const
  }),
]

const rejected: ReadonlyArray<readonly [text: string, reason: string]> = [
  ["", "does not start with a date"],
  ["yesterday", "does not start with a date"],
  ["2024-09-01", "the letter T"],
  ["20240901T000000Z", "does not start with a date"],
  ["2024-9-1T00:00:00Z", "does not start with a date"],
  ["24-09-01T00:00:00Z", "does not start with a date"],
  ["+2024-09-01T00:00:00Z", "does not start with a date"],
  ["-001-09-01T00:00:00Z", "does not start with a date"],
  ["2024/09/01T00:00:00Z", "does not start with a date"],
  ["２０２４-09-01T00:00:00Z", "does not start with a date"],
  [" 2024-09-01T00:00:00Z", "does not start with a date"],
  ["2024-00-01T00:00:00Z", "no month 00"],
  ["2024-13-01T00:00:00Z", "no month 13"],
  ["2024-04-31T00:00:00Z", "2024-04 has no day 31"],
  ["2024-09-00T00:00:00Z", "2024-09 has no day 00"],
  ["2023-02-29T00:00:00Z", "2023-02 has no day 29"],
  ["1900-02-29T00:00:00Z", "1900-02 has no day 29"],
  ["2024-09-01 00:00:00Z", "the letter T"],
  ["2024-09-01_00:00:00Z", "the letter T"],
  ["2024-09-01T24:00:00Z", "hour must be 00 to 23"],
  ["2024-09-01T00:60:00Z", "minute must be 00 to 59"],
  ["2024-09-01T00:00:61Z", "second must be"],
  ["2024-09-01T00:00:60Z", "second must be"],
  ["2024-09-15T23:59:60Z", "second must be"],
  ["1998-12-31T23:58:60Z", "second must be"],
  ["1998-12-31T22:59:60Z", "second must be"],
  ["1998-12-31T23:59:60+01:00", "second must be"],
  ["2024-09-01T00:00Z", "the time is not hh:mm:ss"],
  ["2024-09-01T0:00:00Z", "the time is not hh:mm:ss"],
  ["2024-09-01T00:00:00", "offset from UTC is missing"],
  ["2024-09-01T00:00:00.5", "offset from UTC is missing"],
  ["2024-09-01T00:00:00,5Z", "offset from UTC is missing"],
  ["2024-09-01T00:00:00.Z", "no digit follows the decimal point"],
  ["2024-09-01T00:00:00 02:00", "offset from UTC is missing"],
  ["2024-09-01T00:00:00+24:00", "within 23:59"],
  ["2024-09-01T00:00:00-00:60", "within 23:59"],
  ["2024-09-01T00:00:00+0200", "not +hh:mm"],
  ["2024-09-01T00:00:00+02", "not +hh:mm"],
  ["2024-09-01T00:00:00+2:00", "not +hh:mm"],
  ["2024-09-01T00:00:00+02:00:00", "not +hh:mm"],
  ["2024-09-01T00:00:00ZZ", "something follows the Z"],
  ["2024-09-01T00:00:00Z\n", "something follows the Z"],
  ["2024-09-01T00:00:00[Europe/Berlin]", "offset from UTC is missing"],
]

describe("accepts valid RFC 3339", () => {
  test.each(accepted)("%s", (text, instant) => {
    const timestamp = Timestamp.parseUnsafe(text)
    expect(timestamp.text).toBe(text)
    expect(Timestamp.toUtc(timestamp).text).toBe(
      instant.replace(/\.?0+Z$/, (zeros) => (zeros.startsWith(".") ? "Z" : zeros)),
    )
  })
})

describe("rejects invalid RFC 3339 with a reason", () => {
  test.each(rejected)("%j: %s", (text, reason) => {
    const result = Timestamp.parse(text)
    expect(Result.isFailure(result) && result.failure.message).toContain(reason)
    expect(Result.isFailure(S.decodeUnknownResult(Timestamp.Schema)(text))).toBe(true)
  })

  test("truncates long input in the error", () => {
    const result = Timestamp.parse("x".repeat(1_000_000))
    expect(Result.isFailure(result) && result.failure.message.length).toBeLessThan(300)
  })
})

describe("agrees with Date", () => {
  // Date counts milliseconds and knows no leap second, and is an independent calendar for all else.
  law(
    "agrees on every millisecond of ten thousand years, at any offset",
    { at: anyTimestamp, minutes: integer(-1439, 1439) },
    ({ at, minutes }) => {
      const date = Timestamp.toDate(at)
      if (date.getUTCFullYear() < 0 || date.getUTCFullYear() > 9999) return true
      const sign = minutes < 0 ? "-" : "+"
      const pad = (n: number) => String(Math.abs(n)).padStart(2, "0")
      const local = new Date(date.getTime() + minutes * 60_000).toISOString()
      if (!/^\d{4}-/.test(local)) return true
      const text = local.replace("Z", `${sign}${pad(Math.trunc(minutes / 60))}:${pad(minutes % 60)}`)
      return Timestamp.parseUnsafe(text).epochNanoseconds === BigInt(date.getTime()) * 1_000_000n
    },
  )
  law(
    "reads back the text that it wrote",
    { at: anyTimestamp },
    ({ at }) => Timestamp.parseUnsafe(at.text).epochNanoseconds === at.epochNanoseconds,
  )

  test.each([0, 1900, 9600])("writes every day of the four centuries from the year %i", (year) => {
    const first = new Date(0).setUTCFullYear(year)
    const days = Array.from({ length: 146_097 }, (_, day) => new Date(first + day * 86_400_000 + (day % 86_400) * 1000))
    const written = days.filter((date) => Timestamp.fromDate(date).text !== date.toISOString().replace(".000", ""))
    expect(written).toEqual([])
  })
})

describe("orders instants", () => {
  law("compares instants, whatever their notation", { a: timestamp, b: timestamp }, ({ a, b }) => {
    const [x, y] = [a.epochNanoseconds, b.epochNanoseconds]
    return Timestamp.compare(a, b) === (x < y ? -1 : x > y ? 1 : 0)
  })

  test("operators throw instead of comparing texts", () => {
    const at = Timestamp.earliest
    expect(() => Reflect.apply((a: number, b: number) => a < b, undefined, [at, at])).toThrow(
      "Use its epochNanoseconds",
    )
    expect(`${Timestamp.parseUnsafe("2024-09-01T00:00:00Z")}`).toBe("2024-09-01T00:00:00Z")
  })
})

test("becomes a Temporal.Instant to the nanosecond, or says that the run time has none", () => {
  vi.stubGlobal("Temporal", undefined)
  const at = Timestamp.parseUnsafe("2024-09-01T02:00:00.123456789+02:00")
  expect(() => at.toTemporalInstant()).toThrow("This run time has no Temporal.")
  const fromEpochNanoseconds = (epochNanoseconds: bigint) => ({ epochNanoseconds })
  vi.stubGlobal("Temporal", { Instant: { fromEpochNanoseconds } })
  expect(at.toTemporalInstant()).toEqual({ epochNanoseconds: 1_725_148_800_123_456_789n })
  expect(Timestamp.fromTemporal(at.toTemporalInstant()).text).toBe("2024-09-01T00:00:00.123456789Z")
  vi.unstubAllGlobals()
})

describe("makes instants", () => {
  law("counts whole seconds, rounded down", { at: anyTimestamp }, ({ at }) => {
    const within = at.epochNanoseconds - BigInt(Timestamp.epochSeconds(at)) * 1_000_000_000n
    expect(within >= 0n && within < 1_000_000_000n).toBe(true)
    expect(Timestamp.epochSeconds(Timestamp.fromEpochSeconds(Timestamp.epochSeconds(at)))).toBe(
      Timestamp.epochSeconds(at),
    )
  })

  test("looks back to the nanosecond, and to the earliest instant at most", () => {
    const at = Timestamp.parseUnsafe("2024-09-01T00:00:00.000000001Z")
    expect(Timestamp.lookBack(at, "2 nanos").text).toBe("2024-08-31T23:59:59.999999999Z")
    expect(Timestamp.lookBack(at, { days: 1_000_000 })).toBe(Timestamp.earliest)
    expect(Timestamp.lookBack(Timestamp.plus(Timestamp.earliest, "1 nano"), "1 nano").text).toBe(
      Timestamp.earliest.text,
    )
  })

  test("throws for instants that RFC 3339 cannot write", () => {
    expect(() => Timestamp.fromDate(new Date(Number.NaN))).toThrow(RangeError)
    expect(() => Timestamp.fromEpochNanoseconds(Timestamp.latest.epochNanoseconds + 1n)).toThrow(RangeError)
    expect(() => Timestamp.fromEpochNanoseconds(Timestamp.earliest.epochNanoseconds - 1n)).toThrow(RangeError)
  })

  test("writes the extremes with an offset, because UTC has no year for them", () => {
    expect(Timestamp.fromEpochNanoseconds(Timestamp.latest.epochNanoseconds).text).toBe(Timestamp.latest.text)
    expect(Timestamp.fromEpochNanoseconds(Timestamp.earliest.epochNanoseconds).text).toBe(Timestamp.earliest.text)
  })
})

test("rejects the day after the last of each month, and reads the last", () => {
  for (const [year, february] of [
    [2023, 28],
    [2024, 29],
    [1900, 28],
    [2000, 29],
  ] as const) {
    const last = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    const read = (month: number, day: number) =>
      Result.isSuccess(Timestamp.parse(`${year}-${String(month).padStart(2, "0")}-${day}T00:00:00Z`))
    expect(last.map((day, index) => [read(index + 1, day), read(index + 1, day + 1)])).toEqual(
      last.map(() => [true, false]),
    )
  }
})
