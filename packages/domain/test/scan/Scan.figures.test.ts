/** What a scan costs in virtual time, as multiples of the ideal: pages × latency / concurrency, and the pages. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { describe, expect, test } from "vitest"
import * as Thorough from "../../../../scripts/test/Thorough.ts"
import { day, type HistoryOptions, make, now, type Order, type Shape } from "./History.ts"
import { Listing } from "./Listing.ts"
import { everything, simulate } from "./simulate.ts"

const latency = 20
// The limits are for the mean of the three; the third lies near it.
const seeds = Thorough.isThorough ? [1, 2, 3] : [3]

/** Mean multiples of the ideal over some seeds, and the most transfers held at once. */
const figures = (options: Omit<HistoryOptions, "seed">, concurrency: number, wanted = everything) => {
  const pages = Math.max(1, Math.ceil(options.count / 20))
  const scans = seeds.map((seed) => {
    const listing = new Listing(make({ ...options, seed }).rows)
    const scanned = simulate(listing, { concurrency, wanted, latency: () => latency })
    expect(scanned.ids.length).toBe(options.count)
    return { ...scanned, requests: listing.requests.length }
  })
  const mean = (of: (scan: (typeof scans)[number]) => number) =>
    scans.reduce((sum, scan) => sum + of(scan), 0) / scans.length
  return {
    time: mean(({ time }) => time) / ((pages * latency) / concurrency),
    requests: mean(({ requests }) => requests) / pages,
    additional: mean(({ requests }) => requests) - pages,
    peak: Math.max(...scans.map(({ peak }) => peak)),
  }
}

describe("40,000 transfers, 16 windows at once", () => {
  const measure = (shape: Shape, order: Order) => {
    const measured = figures({ count: 40_000, shape, order }, 16)
    expect(measured.peak).toBeLessThanOrEqual(25_000)
    return measured
  }

  test.each(["newest first", "oldest first"] as const)("even, %s, cost little more than the ideal", (order) => {
    const { time, requests } = measure("even", order)
    expect(time).toBeLessThanOrEqual(1.12)
    expect(requests).toBeLessThanOrEqual(1.08)
  })

  test.each(["newest first", "oldest first"] as const)("in twelve bursts, %s, cost a fifth more", (order) => {
    const { time, requests } = measure("bursts", order)
    expect(time).toBeLessThanOrEqual(1.25)
    expect(requests).toBeLessThanOrEqual(1.2)
  })

  test.each(["newest first", "oldest first"] as const)("by day, few by night, %s, cost a sixth more", (order) => {
    const { time, requests } = measure("days and nights", order)
    expect(time).toBeLessThanOrEqual(1.17)
    expect(requests).toBeLessThanOrEqual(1.1)
  })

  test.each([
    ["even", "shuffled"],
    ["even", "by id"],
    ["growing", "shuffled"],
    ["bursts", "shuffled"],
  ] as const)("%s, %s, cost a third more", (shape, order) => {
    const { time, requests } = measure(shape, order)
    expect(time).toBeLessThanOrEqual(1.35)
    expect(requests).toBeLessThanOrEqual(1.25)
  })

  test.each(["even", "bursts"] as const)("%s, by last update, cost half as much again", (shape) => {
    const { time, requests } = measure(shape, "by last update")
    expect(time).toBeLessThanOrEqual(1.9)
    expect(requests).toBeLessThanOrEqual(1.5)
  })

  test.each([
    ["growing", "newest first", 1.15],
    ["growing", "oldest first", 1.15],
    ["spike", "newest first", 1.25],
    ["spike", "shuffled", 1.9],
    ["a full second", "newest first", 3.3],
  ] as const)("%s, %s, take at most %d of the ideal time", (shape, order, time) => {
    expect(measure(shape, order).time).toBeLessThanOrEqual(time)
  })

  test("takes as long for old transfers listed oldest first as for new ones listed newest first", () => {
    const old = figures({ count: 40_000, shape: "even", order: "oldest first", age: 50 * day }, 16)
    expect([old.time <= 1.13, old.requests <= 1.08]).toEqual([true, true])
  })

  test("takes one displaced transfer as lightly as none", () => {
    const displaced = figures({ count: 40_000, shape: "even", order: "newest first", displaced: 1 }, 16)
    expect([displaced.time <= 1.25, displaced.requests <= 1.1]).toEqual([true, true])
  })
})

// Late give-ups cost it: a rule that avoids them at 4 and 16 at once takes half as long again at 64, or spoils other shapes.
test.each([
  [4, 2, 2],
  [16, 2.2, 1.85],
  [64, 3.2, 1.65],
] as const)(
  "steep bursts, newest first, %d at once, cost at most %d of the time and %d of the requests",
  (...limits) => {
    const [concurrency, time, requests] = limits
    const measured = figures({ count: 40_000, shape: "steep bursts", order: "newest first" }, concurrency)
    expect(measured.time).toBeLessThanOrEqual(time)
    expect(measured.requests).toBeLessThanOrEqual(requests)
  },
)

describe.each([4, 16, 64])("short results, %d windows at once", (concurrency) => {
  test.each(["newest first", "oldest first", "shuffled"] as const)(
    "%s: up to 60 transfers cost no more requests than page after page",
    (order) => {
      for (const count of [0, 1, 19, 20, 21, 60]) {
        expect(figures({ count, shape: "even", order }, concurrency).additional).toBe(0)
      }
    },
  )

  test("a month of 400 costs at most 1.6 times its pages", () => {
    const span = 30 * day
    const month = CreatedAt.and(CreatedAt.gte(Timestamp.fromDate(new Date(now - span - 1000))), everything)
    for (const order of ["newest first", "oldest first"] as const) {
      expect(figures({ count: 400, shape: "even", order, span }, concurrency, month).requests).toBeLessThanOrEqual(1.6)
    }
  })
})

/** From the first second that a timestamp can name, by way of 1900 and 1970, to the year before the first crypto network. */
describe.each([1901, 1970, 2001, 2008])("300 transfers of %d", (calendarYear) => {
  test.each(["newest first", "oldest first", "shuffled"] as const)(
    "%s, are no harder to find than new ones",
    (order) => {
      const age = now - Date.UTC(calendarYear, 6, 1)
      for (const concurrency of [1, 4, 8, 32]) {
        const { additional } = figures({ count: 300, shape: "even", order, age, span: 30 * day }, concurrency)
        expect(additional).toBeLessThanOrEqual(60)
      }
    },
  )
})

test("all windows together hold no more single seconds than one may be large", () => {
  const seconds = 6
  const rows = Array.from({ length: seconds * 3000 }, (_, index) => {
    const at = now - (1 + (index % seconds)) * 1000
    return { id: `${index}`, at, key: -at }
  })
  for (const concurrency of [2, 8, 16]) {
    const listing = new Listing(rows)
    const { ids, peak } = simulate(listing, { concurrency, mostInSecond: 4000, windowSize: 20 })
    expect(ids.length).toBe(rows.length)
    expect(peak).toBeLessThanOrEqual(4000 + concurrency * 20)
    expect(listing.requests.length).toBeLessThanOrEqual((3 * rows.length) / 20)
  }
})
