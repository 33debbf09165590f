/** What a scan of the fake's own history costs, as everybody meets it first: busy hours, batches, bursts of a few seconds. */
import { expect, test } from "vitest"
import { byKey, now } from "../../packages/domain/test/scan/History.ts"
import { Listing } from "../../packages/domain/test/scan/Listing.ts"
import { simulate } from "../../packages/domain/test/scan/simulate.ts"
import * as TransferGenerator from "../../packages/in-memory/src/TransferGenerator.ts"

const latency = 20

/** The fake lists the newest first. */
const rowsOf = (count: number, seed: number) => {
  const generator = TransferGenerator.make({ count, seed })
  return Array.from({ length: count }, (_, index) => ({
    id: TransferGenerator.id(generator, index),
    at: Math.floor(TransferGenerator.createdAt(generator, index) / 1000),
    key: -index,
  })).sort(byKey)
}

/**
 * Time and requests, as multiples of the ideal, in the mean of seeds. The requests are 1.03 times what a scan needed that
 * did not look for bursts: a batch is no burst. A single seed varies by a tenth, whatever the rule.
 */
const budgets = [
  { count: 1500, seeds: 30, concurrency: 2, time: 1.64, requests: 1.26 },
  { count: 1500, seeds: 30, concurrency: 4, time: 2.05, requests: 1.637 },
  { count: 1500, seeds: 30, concurrency: 8, time: 2.73, requests: 1.8 },
  { count: 1500, seeds: 30, concurrency: 16, time: 4.6, requests: 1.954 },
  { count: 6000, seeds: 12, concurrency: 2, time: 1.25, requests: 1.204 },
  { count: 6000, seeds: 12, concurrency: 4, time: 1.38, requests: 1.273 },
  { count: 6000, seeds: 12, concurrency: 8, time: 1.7, requests: 1.502 },
  { count: 6000, seeds: 12, concurrency: 16, time: 2.04, requests: 1.68 },
]

test.each(budgets)("$count transfers of the fake, $concurrency at once, cost no more than their budget", (budget) => {
  const { count, seeds, concurrency } = budget
  const pages = count / 20
  let [time, requests] = [0, 0]
  for (let seed = 1; seed <= seeds; seed++) {
    const listing = new Listing(rowsOf(count, seed))
    const scanned = simulate(listing, { concurrency, latency: () => latency })
    expect(scanned.ids.length).toBe(count)
    time += scanned.time / ((pages * latency) / concurrency) / seeds
    requests += listing.requests.length / pages / seeds
  }
  expect(requests).toBeLessThanOrEqual(budget.requests)
  expect(time).toBeLessThanOrEqual(budget.time)
})

test("the fake's history ends where the simulation starts", () => {
  expect(Number(TransferGenerator.defaultTo.epochNanoseconds / 1_000_000n)).toBe(now)
})
