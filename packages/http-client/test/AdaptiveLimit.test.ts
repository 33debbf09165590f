import { ConnectionFailed, RateLimited, ServiceUnavailable } from "@transferkit/domain/TransferApiError"
import { expect, test } from "vitest"
import * as AdaptiveLimit from "../src/AdaptiveLimit.ts"

const limited = new RateLimited({})

const through = (
  start: AdaptiveLimit.AdaptiveLimit,
  ...outcomes: ReadonlyArray<Parameters<typeof AdaptiveLimit.after>[1]>
) => outcomes.reduce(AdaptiveLimit.after, start)

const times = <A>(count: number, value: A): ReadonlyArray<A> => Array.from({ length: count }, () => value)

test("stays at the maximum while the service keeps up", () => {
  const limit = through(AdaptiveLimit.make(8), ...times(100, undefined))
  expect(AdaptiveLimit.permits(limit)).toBe(8)
})

test.each([limited, new ServiceUnavailable({ status: 503, errors: [] })])("halves after an overload", (overload) => {
  expect(AdaptiveLimit.permits(through(AdaptiveLimit.make(8), overload))).toBe(4)
})

test.each([new ConnectionFailed({ reason: "reset" }), new ServiceUnavailable({ status: 500, errors: [] })])(
  "does not shrink after an error that says nothing about load",
  (error) => {
    expect(AdaptiveLimit.permits(through(AdaptiveLimit.make(8), error))).toBe(8)
  },
)

test("one overload that many requests in flight report halves it once", () => {
  expect(AdaptiveLimit.permits(through(AdaptiveLimit.make(8), ...times(8, limited)))).toBe(4)
  expect(AdaptiveLimit.permits(through(AdaptiveLimit.make(8), ...times(9, limited)))).toBe(2)
})

test("always allows one request", () => {
  expect(AdaptiveLimit.permits(through(AdaptiveLimit.make(8), ...times(1000, limited)))).toBe(1)
})

test("grows by one for each round of responses, up to the maximum", () => {
  let limit = through(AdaptiveLimit.make(32), ...times(1000, limited))
  const seen = new Set([AdaptiveLimit.permits(limit)])
  for (let responses = 0; AdaptiveLimit.permits(limit) < 32; responses++) {
    expect(responses).toBeLessThan(1000)
    limit = AdaptiveLimit.after(limit, undefined)
    seen.add(AdaptiveLimit.permits(limit))
  }
  expect([...seen]).toEqual(Array.from({ length: 32 }, (_, index) => index + 1))
  expect(AdaptiveLimit.permits(through(limit, ...times(100, undefined)))).toBe(32)
})
