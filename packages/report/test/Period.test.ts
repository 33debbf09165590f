import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Day from "@transferkit/domain/Day"
import * as TimeSpan from "@transferkit/domain/TimeSpan"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import { expect, test } from "vitest"
import * as Period from "../src/Period.ts"

const [berlin, santiago, apia] = ["Europe/Berlin", "America/Santiago", "Pacific/Apia"].map((name) =>
  DateTime.zoneMakeNamedUnsafe(name),
)
const now = Timestamp.parseUnsafe("2025-01-01T00:00:00Z")

test.each([
  ["2024-09", "2024-09", Day.utc, "September 2024"],
  ["2024-10", "2024-10", berlin, "October 2024"],
  ["2024-07", "2024-09", berlin, "2024-07-01 to 2024-09-30"],
  ["2024-03-31", "2024-03-31", berlin, "2024-03-31"],
  ["2024-09-02", "2024-10-01", berlin, "2024-09-02 to 2024-10-01"],
  // The clocks skip the midnight of the 8th, and in Apia a day.
  ["2024-09-08", "2024-09-08", santiago, "2024-09-08"],
  ["2011-12", "2011-12", apia, "December 2011"],
  ["2011-12-01", "2011-12-29", apia, "2011-12-01 to 2011-12-29"],
] as const)("names %s to %s by the clocks of its zone", (since, until, zone, name) => {
  const period = Result.getOrThrow(TimeSpan.toFilter({ since, until }, { now, ...(zone && { zone }) }))
  expect(Period.name(period, zone)).toBe(name)
})

test("names what are no days of its zone by instants in UTC", () => {
  const month = Result.getOrThrow(CreatedAt.month("2024-09", Day.utc))
  expect(Period.name(month, berlin)).toBe("2024-09-01 00:00:00 UTC to 2024-10-01 00:00:00 UTC")
  expect(Period.name(CreatedAt.lte(now), berlin)).toBe("up to 2025-01-01 00:00:00 UTC")
  const closed = CreatedAt.and(CreatedAt.gte(Timestamp.parseUnsafe("2024-12-31T00:00:00Z")), CreatedAt.lte(now))
  expect(Period.name(closed)).toBe("2024-12-31 00:00:00 UTC to 2025-01-01 00:00:00 UTC")
})
