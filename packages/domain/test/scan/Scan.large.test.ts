/** The figures of a scan, on a result that takes long to make and read. */
import { expect, test } from "vitest"
import { make } from "./History.ts"
import { Listing } from "./Listing.ts"
import { simulate } from "./simulate.ts"

const latency = 20

test("400,000 transfers cost as little, and no more memory than 40,000", { timeout: 300_000 }, () => {
  const listing = new Listing(make({ count: 400_000, shape: "even", order: "newest first", seed: 1 }).rows)
  const scanned = simulate(listing, { concurrency: 16, latency: () => latency })
  expect(scanned.ids.length).toBe(400_000)
  expect(scanned.time / ((20_000 * latency) / 16)).toBeLessThanOrEqual(1.06)
  expect(listing.requests.length / 20_000).toBeLessThanOrEqual(1.06)
  expect(scanned.peak).toBeLessThanOrEqual(25_000)
})
