/** What the scheduler chooses, to the request: a changed estimate shows as a changed line of a table. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { expect, test } from "vitest"
import * as History from "./History.ts"
import { Listing } from "./Listing.ts"
import { everything, type SimulationOptions, simulate, tail } from "./simulate.ts"

const columns = [
  "shape",
  "order",
  "circumstance",
  "rows",
  "at once",
  "requests",
  "ms",
  "batches",
  "most held",
  "expected",
]

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

const scan = (
  shape: History.Shape,
  order: History.Order,
  circumstance: Circumstance,
  rows: number,
  concurrency: number,
): Line => {
  const listing = new Listing(History.make({ count: rows, shape, order, seed: 7 }).rows)
  if (circumstance === "cursors expire") listing.isExpired = (request) => request % 23 === 0
  const { time, batches, peak, expected } = simulate(listing, { concurrency, ...circumstances[circumstance] })
  const sum = expected.reduce((sum, count) => sum + count, 0)
  const costs = [listing.requests.length, Math.round(time), batches, peak, Math.round(sum)]
  return [shape, order, circumstance, rows, concurrency, ...costs]
}

test("chooses the windows on record", { timeout: 120_000 }, async () => {
  const lines: Array<Line> = [columns]
  for (const shape of ["even", "growing", "bursts", "steep bursts", "spike", "a full second"] as const) {
    for (const order of History.orders) {
      for (const concurrency of [1, 4, 16]) lines.push(scan(shape, order, "steady", 1200, concurrency))
      lines.push(scan(shape, order, "steady", 200, 8))
      for (const circumstance of ["small windows", "uneven", "cursors expire", "a month"] as const) {
        lines.push(scan(shape, order, circumstance, 800, 8))
      }
    }
  }
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => String(line[column]).length)))
  const table = lines.map((line) => line.map((cell, column) => String(cell).padEnd(widths[column] ?? 0)).join("  "))
  await expect(`${table.map((line) => line.trimEnd()).join("\n")}\n`).toMatchFileSnapshot("golden/choices.txt")
})
