/** What the scheduler chooses, to the request: a changed estimate shows as a changed line of a table. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { describe, expect, test } from "vitest"
import * as History from "./History.ts"
import { Listing } from "./Listing.ts"
import { everything, type SimulationOptions, simulate, tail } from "./simulate.ts"

const columns = ["circumstance", "rows", "at once", "requests", "ms", "batches", "most held", "expected"]

const month = CreatedAt.gte(Timestamp.fromDate(new Date(History.now - 30 * History.day)))

const circumstances = {
  steady: {},
  "small windows": { windowSize: 60 },
  uneven: { latency: tail(History.random(3)) },
  "cursors expire": {},
  "a month": { wanted: CreatedAt.and(month, everything) },
} satisfies Record<string, Partial<SimulationOptions>>

type Circumstance = keyof typeof circumstances
type Line = ReadonlyArray<string | number>

/** The circumstance, the number of transfers, and the windows at once. */
const scans: ReadonlyArray<readonly [Circumstance, rows: number, concurrency: number]> = [
  ["steady", 1200, 1],
  ["steady", 1200, 4],
  ["steady", 1200, 16],
  ["steady", 200, 8],
  ["small windows", 800, 8],
  ["uneven", 800, 8],
  ["cursors expire", 800, 8],
  ["a month", 800, 8],
]

const tableOf = (lines: ReadonlyArray<Line>): string => {
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => String(line[column]).length)))
  const padded = lines.map((line) => line.map((cell, column) => String(cell).padEnd(widths[column] ?? 0)).join("  "))
  return padded.map((line) => line.trimEnd()).join("\n")
}

describe.each(["even", "growing", "bursts", "steep bursts", "spike", "a full second"] as const)("%s", (shape) => {
  test.each(History.orders)("%s, chooses the windows on record", (order) => {
    const lines = scans.map(([circumstance, count, concurrency]): Line => {
      const listing = new Listing(History.make({ count, shape, order, seed: 7 }).rows)
      if (circumstance === "cursors expire") listing.isExpired = (request) => request % 23 === 0
      const { time, batches, peak, expected } = simulate(listing, { concurrency, ...circumstances[circumstance] })
      const sum = expected.reduce((total, each) => total + each, 0)
      return [
        circumstance,
        count,
        concurrency,
        listing.requests.length,
        Math.round(time),
        batches,
        peak,
        Math.round(sum),
      ]
    })
    expect(tableOf([columns, ...lines])).toMatchSnapshot()
  })
})
