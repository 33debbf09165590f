import { expect, test } from "vitest"
import { Coverage, type Span } from "../../src/internal/scan/Coverage.ts"
import type { Reading } from "../../src/internal/scan/Reading.ts"
import { WindowScheduler } from "../../src/internal/scan/WindowScheduler.ts"

const windowSize = 240

const over = (...spans: ReadonlyArray<Span>) =>
  new WindowScheduler(new Coverage(spans), { concurrency: 4, windowSize, mostInSecond: 100_000 })

const open = (scheduler: WindowScheduler): Reading => {
  const reading = scheduler.open()
  if (reading === undefined) throw new Error("The scheduler opens no window")
  return reading
}

const seconds = (count: number, from: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => from + index)

test("expects three pages of a range of which nothing is known, less what was read", () => {
  const scheduler = over({ from: 0, to: 1000 })
  expect(scheduler.expected).toBe(60)
  scheduler.page(open(scheduler), seconds(10, 0))
  expect(scheduler.expected).toBe(50)
})

test("looks at small pages together, as many as a full page has", () => {
  const scheduler = over({ from: 0, to: 1000 })
  const reading = open(scheduler)
  const lots = [0, 10, 20, 30].map((from) => {
    scheduler.page(reading, seconds(10, from))
    return reading.lots
  })
  expect(lots).toEqual([0, 1, 1, 2])
})

test("goes on with a small window, however much the others hold", () => {
  const scheduler = over({ from: 0, to: 10_000 }, { from: 20_000, to: 30_000 })
  const large = open(scheduler)
  for (const from of [0, 5000]) scheduler.page(large, seconds(6 * windowSize, from))
  const small = open(scheduler)
  scheduler.page(small, seconds(20, small.span.from))
  expect(scheduler.isWorthGivingUp(small)).toBe(false)
})
