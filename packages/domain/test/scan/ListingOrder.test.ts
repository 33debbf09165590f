import { expect, test } from "vitest"
import { ListingOrder } from "../../src/internal/scan/ListingOrder.ts"

const directionAfter = (...lots: ReadonlyArray<readonly [ReadonlyArray<number>, ReadonlyArray<number>]>) => {
  const order = new ListingOrder()
  for (const [lot, next] of lots) order.compare(lot, next)
  return order.direction
}

test("has no direction before it has seen two lots", () => {
  expect(directionAfter()).toBe(0)
})

test("follows the lots, up or down", () => {
  expect(
    directionAfter([
      [1, 2],
      [3, 4],
    ]),
  ).toBe(1)
  expect(
    directionAfter([
      [3, 4],
      [1, 2],
    ]),
  ).toBe(-1)
})

test("has a direction only if more than three quarters of the pairs agree", () => {
  expect(
    directionAfter([
      [1, 3],
      [2, 4],
    ]),
  ).toBe(0)
  expect(
    directionAfter([
      [2, 4],
      [1, 3],
    ]),
  ).toBe(0)
  expect(
    directionAfter([
      [1, 4, 5, 6],
      [4.5, 7, 8, 9],
    ]),
  ).toBe(1)
})

test("equal times do not vote", () => {
  expect(
    directionAfter([
      [1, 1],
      [1, 2],
    ]),
  ).toBe(1)
})

test("lots of mostly equal times do not vote at all", () => {
  expect(
    directionAfter([
      [1, 1],
      [1, 1, 1, 2],
    ]),
  ).toBe(0)
  expect(
    directionAfter(
      [
        [1, 1],
        [1, 1],
      ],
      [
        [1, 2],
        [3, 4],
      ],
    ),
  ).toBe(1)
})
