import { expect, test } from "vitest"
import * as Density from "../../src/internal/scan/Density.ts"

test("takes rates of one to twelve and beyond for two slopes, and lesser ones for one", () => {
  const even = Density.sighting(0, 10, 10)
  expect(Density.isEven(even, Density.sighting(20, 119, 10))).toBe(true)
  expect(Density.isEven(Density.sighting(20, 119, 10), even)).toBe(true)
  expect(Density.isEven(even, Density.sighting(20, 120, 10))).toBe(false)
  expect(Density.isEven(Density.sighting(20, 120, 10), even)).toBe(false)
  expect(Density.isEven(even, undefined)).toBe(false)
  expect(Density.isEven(undefined, even)).toBe(false)
})

test("expects nothing in an interval without seconds, whatever was seen beside it", () => {
  const seen = Density.sighting(0, 10, 10)
  for (const span of [
    { from: 5, to: 5 },
    { from: 9, to: 5 },
  ]) {
    expect(Density.expected(span, undefined, undefined)).toBe(0)
    expect(Density.expected(span, seen, undefined)).toBe(0)
    expect(Density.expected(span, seen, seen)).toBe(0)
  }
})

test("expects no number where nothing was seen", () => {
  expect(Density.expected({ from: 0, to: 5 }, undefined, undefined)).toBeUndefined()
})

test("expects the mean rate between two sightings that are similar", () => {
  expect(Density.expected({ from: 0, to: 5 }, Density.sighting(0, 10, 10), Density.sighting(5, 30, 10))).toBe(10)
})

test("reaches as far as the count that it expects", () => {
  const seen = Density.sighting(10, 40, 20)
  const distance = Density.reach(seen, 15, 60)
  expect(Density.expected({ from: 15, to: 15 + distance }, seen, undefined)).toBeCloseTo(60, 9)
})

test.each(["later", "earlier"] as const)("finds the nearest sighting that tells of %s seconds", (side) => {
  const sightings = new Density.Sightings(side, Number.POSITIVE_INFINITY)
  expect(sightings.nearest(0)).toBeUndefined()
  for (const at of [30, 10, 20]) sightings.add(Density.sighting(at, 1, 1))
  const nearest = (at: number) => sightings.nearest(at)?.at
  expect([5, 10, 15, 25, 30, 35].map(nearest)).toEqual(
    side === "later" ? [undefined, 10, 10, 20, 30, 30] : [10, 10, 20, 30, 30, undefined],
  )
})

test("lets a sighting last since one before it that is similar began", () => {
  const sightings = new Density.Sightings("later", Number.POSITIVE_INFINITY)
  sightings.add(Density.sighting(10, 10, 10))
  sightings.add(Density.sighting(50, 10, 10))
  expect(sightings.nearest(50)).toEqual({ at: 50, rate: 1, length: 50, lowest: 1 })
  sightings.add(Density.sighting(60, 1000, 10))
  expect(sightings.nearest(60)).toEqual({ at: 60, rate: 100, length: 10, lowest: 100 })
})

test("lets a slope last only as long as it is not too steep, all the way and not from each to the next", () => {
  const rates = [10, 20, 39, 41]
  const climb = (steepest: number) => {
    const sightings = new Density.Sightings("later", steepest)
    for (const [index, rate] of rates.entries()) sightings.add(Density.sighting(10 * (index + 1), rate * 10, 10))
    return rates.map((_, index) => sightings.nearest(10 * (index + 1))?.length)
  }
  expect(climb(Number.POSITIVE_INFINITY)).toEqual([10, 20, 30, 40])
  expect(climb(4)).toEqual([10, 20, 30, 10])
})

test("knows the lowest rate of a way that went down and up again", () => {
  const down = Density.prolong(Density.sighting(20, 100, 10), Density.sighting(10, 300, 10), 4)
  const up = Density.prolong(Density.sighting(30, 300, 10), down, 4)
  expect([down.lowest, up.lowest, up.length]).toEqual([10, 10, 30])
  expect(Density.steadied(Density.sighting(30, 40, 10), Density.sighting(30, 90, 10))).toMatchObject({
    rate: 6,
    lowest: 6,
    length: 10,
  })
})
