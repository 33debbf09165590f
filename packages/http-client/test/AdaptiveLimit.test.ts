import { ConnectionFailed, RateLimited, ServiceUnavailable } from "@transferkit/domain/TransferApiError"
import { expect, test } from "vitest"
import * as AdaptiveLimit from "../src/AdaptiveLimit.ts"

const limited = new RateLimited({})

const through = (
  start: AdaptiveLimit.AdaptiveLimit,
  ...outcomes: ReadonlyArray<Parameters<typeof AdaptiveLimit.after>[1]>
) => outcomes.reduce(AdaptiveLimit.after, start)

const times = <A>(count: number, value: A): ReadonlyArray<A> => Array.from({ length: count }, () => value)

test("stays at the most while the service keeps up", () => {
  const limit = through(AdaptiveLimit.make(8), ...times(100, undefined))
  expect(AdaptiveLimit.permits(limit)).toBe(8)
})

test.each([limited, new ServiceUnavailable({ status: 503, errors: [] })])("halves after a refusal", (refusal) => {
  expect(AdaptiveLimit.permits(through(AdaptiveLimit.make(8), refusal))).toBe(4)
})

test.each([new ConnectionFailed({ reason: "reset" }), new ServiceUnavailable({ status: 500, errors: [] })])(
  "does not shrink after what says nothing of load",
  (error) => {
    expect(AdaptiveLimit.permits(through(AdaptiveLimit.make(8), error))).toBe(8)
  },
)

test("requests in flight that are refused together halve it once", () => {
  expect(AdaptiveLimit.permits(through(AdaptiveLimit.make(8), ...times(8, limited)))).toBe(4)
  expect(AdaptiveLimit.permits(through(AdaptiveLimit.make(8), ...times(9, limited)))).toBe(2)
})

test("never forbids the last request", () => {
  expect(AdaptiveLimit.permits(through(AdaptiveLimit.make(8), ...times(1000, limited)))).toBe(1)
})

test("grows by one for a round of answers, back to the most and no further", () => {
  let limit = through(AdaptiveLimit.make(32), ...times(1000, limited))
  const seen = new Set([AdaptiveLimit.permits(limit)])
  for (let answers = 0; AdaptiveLimit.permits(limit) < 32; answers++) {
    expect(answers).toBeLessThan(1000)
    limit = AdaptiveLimit.after(limit, undefined)
    seen.add(AdaptiveLimit.permits(limit))
  }
  expect([...seen]).toEqual(Array.from({ length: 32 }, (_, index) => index + 1))
  expect(AdaptiveLimit.permits(through(limit, ...times(100, undefined)))).toBe(32)
})
