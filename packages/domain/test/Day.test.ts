/** A day holds the instants of it, whatever the clocks of its zone show. */
import * as DateTime from "effect/DateTime"
import { expect, test } from "vitest"
import * as CreatedAt from "../src/CreatedAt.ts"
import * as Day from "../src/Day.ts"
import * as Timestamp from "../src/Timestamp.ts"
import { integer, oneOf } from "./fixtures/arbitraries.ts"
import { law } from "./fixtures/law.ts"

/** Days of the last two begin at no quarter of an hour in UTC. */
const zones = ["UTC", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe", "+00:07", "Africa/Monrovia"] as const

const zoneOf = (name: string): DateTime.TimeZone =>
  name.startsWith("+") ? DateTime.zoneMakeOffset(7 * 60_000) : DateTime.zoneMakeNamedUnsafe(name)

law(
  "many days are those of one at a time, and hold their instants",
  { zone: oneOf(zones), day: integer(0, 20_000), second: integer(-3600, 3600) },
  ({ zone: name, day, second }) => {
    const zone = zoneOf(name)
    const many = Day.ofMany(zone)
    for (const at of [second, second + 60, second - 600].map((seconds) =>
      Timestamp.fromEpochSeconds(86_400 * day + seconds),
    )) {
      const date = many(at)
      expect(date).toBe(Day.of(at, zone))
      const [from, until] = [Day.startOf(date, zone), Day.startOf(Day.plus(date, 1), zone)]
      expect([Timestamp.compare(from, at) <= 0, Timestamp.compare(at, until) < 0]).toEqual([true, true])
    }
  },
)

test("the ends of a period have days beyond the years that RFC 3339 can write", () => {
  const period = CreatedAt.between(Timestamp.earliest, Timestamp.latest)
  expect(Day.first(period, DateTime.zoneMakeNamedUnsafe("America/New_York"))).toBe("-0001-12-30")
  expect(Day.last(period, DateTime.zoneMakeNamedUnsafe("Asia/Tokyo"))).toBe("+10000-01-02")
})
