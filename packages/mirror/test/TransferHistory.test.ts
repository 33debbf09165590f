import { expect, test } from "vitest"
import * as TransferHistory from "../src/TransferHistory.ts"

const difference = (before: unknown, after: unknown) =>
  TransferHistory.difference(JSON.stringify(before), JSON.stringify(after))

test("names each field that was added, removed or changed, and nothing else", () => {
  expect(
    difference({ a: 1, b: 2, c: { x: 1, y: 2 }, d: null }, { b: 3, c: { y: 2, x: 1 }, d: null, e: [1] }),
  ).toStrictEqual({
    a: { from: 1 },
    b: { from: 2, to: 3 },
    e: { to: [1] },
  })
})

test("sees each digit of a number", () => {
  const [before, after] = [
    '{"n":9007199254740993,"m":1e400,"same":1.10}',
    '{"same":1.10,"n":9007199254740992,"m":1e401}',
  ]
  expect(JSON.stringify(TransferHistory.difference(before, after))).toBe(
    '{"n":{"from":9007199254740993,"to":9007199254740992},"m":{"from":1e400,"to":1e401}}',
  )
})

test("takes the same fields in another order for the same, at any depth", () => {
  expect(
    difference({ a: { b: { c: 1, d: [{ e: 1, f: 2 }] } } }, { a: { b: { d: [{ f: 2, e: 1 }], c: 1 } } }),
  ).toStrictEqual({})
  expect(difference({ a: [1, 2] }, { a: [2, 1] })).toStrictEqual({ a: { from: [1, 2], to: [2, 1] } })
})
