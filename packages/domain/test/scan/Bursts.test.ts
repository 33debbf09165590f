import { expect, test } from "vitest"
import * as Bursts from "../../src/internal/scan/Bursts.ts"
import { sighting } from "../../src/internal/scan/Density.ts"

test("seeks bursts with 2 to 16 windows at once", () => {
  expect([1, 2, 16, 17].map(Bursts.isSoughtBy)).toEqual([false, true, true, false])
  expect([1, 2, 16, 17].map(Bursts.steepestFor)).toEqual([Infinity, 4, 4, Infinity])
})

test("takes a lot for the beginning of a burst if it is over 1.4 times as dense as what lies beside it", () => {
  const beside = sighting(0, 100, 100)
  const dense = sighting(0, 141, 100)
  expect(Bursts.mayBegin(beside, dense, dense)).toBe(true)
  expect(Bursts.mayBegin(beside, sighting(0, 140, 100), dense)).toBe(false)
})

test("takes a batch of one moment for no burst, however dense: all of the lot must be denser", () => {
  expect(Bursts.mayBegin(sighting(0, 100, 100), sighting(0, 1000, 1), sighting(0, 140, 100))).toBe(false)
})

test("sees no beginning where nothing is known beside it", () => {
  expect(Bursts.mayBegin(undefined, sighting(0, 100, 1), sighting(0, 100, 1))).toBe(false)
})

test("halves a window with more than 16 lots left", () => {
  expect([16, 16.1].map(Bursts.isWorthHalving)).toEqual([false, true])
})
