/** What windows under way may hold: so much by number, and so much by size. */
import { expect, test } from "vitest"
import { HeldTransfers } from "../../src/internal/scan/HeldTransfers.ts"
import type { Reading } from "../../src/internal/scan/Reading.ts"
import * as Excess from "../../src/internal/wire/Excess.ts"

const reading = (seconds: number, held: { readonly times?: number; readonly excess: number }): Reading => ({
  span: { from: 0, to: seconds },
  isWhole: false,
  part: undefined,
  expected: 20,
  isSure: true,
  times: Array.from({ length: held.times ?? 1 }, () => 0),
  excess: held.excess,
  lots: 0,
  looked: 0,
  lastLot: undefined,
  front: undefined,
  beside: undefined,
  isRising: false,
})

const holding = (...readings: ReadonlyArray<Reading>) =>
  new HeldTransfers(new Set(readings), { concurrency: 4, mostInSecond: 1000 })

test("windows are too much once their texts together are, however few transfers they have", () => {
  const [one, other] = [reading(10, { excess: Excess.most / 2 }), reading(10, { excess: Excess.most / 2 })]
  expect(holding(one, other).isTooMuch(one, 10)).toBe(false)
  other.excess++
  expect(holding(one, other).isTooMuch(one, 10)).toBe(true)
  // Seconds have room of their own.
  const second = reading(1, { excess: Excess.most })
  expect(holding(one, second).isTooMuch(one, 10)).toBe(false)
})

test("of seconds whose texts do not fit together, the largest alone is read on", () => {
  const [small, large] = [reading(1, { excess: Excess.most / 2 - 1 }), reading(1, { excess: Excess.most / 2 + 1 })]
  expect(holding(small, large).isCrowdedOut(small)).toBe(false)
  large.excess++
  // It has more transfers, and less text.
  small.times.push(0, 0, 0)
  const both = holding(small, large)
  expect([both.isCrowdedOut(small), both.isCrowdedOut(large)]).toEqual([true, false])
})

test("a second is not read again before half of the room for texts is free", () => {
  expect(holding(reading(1, { excess: Excess.most / 2 })).hasRoomForSecond).toBe(true)
  expect(holding(reading(1, { excess: Excess.most / 2 + 1 })).hasRoomForSecond).toBe(false)
})
