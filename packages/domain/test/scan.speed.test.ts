import { it } from "@effect/vitest"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { random, shapes, simulate } from "./SimulatedService.ts"

const count = 40_000
const pages = count / 20
const latency = 100
const start = Date.UTC(2022, 0, 1)
const year = 365 * 86_400_000

// A scan cuts at whole seconds, so a spike is spread over enough of them: a millionth of forty years is 21 minutes.
const spans = { uniform: 3 * year, growing: 3 * year, bursty: 3 * year, spiked: 40 * year }

describe.each(Object.entries(spans))("40,000 transfers, %s", (shape, span) => {
  const service = (order: "newest-first" | "oldest-first") =>
    simulate({ times: shapes[shape]?.(count, random(7), span) ?? [], order, latency })
  const created_at = CreatedAt.between(
    Timestamp.fromDate(new Date(start)),
    Timestamp.fromDate(new Date(start + span * 1.01)),
  )

  it.effect.each([
    ["newest-first", 8],
    ["newest-first", 16],
    ["newest-first", 32],
    ["oldest-first", 8],
    ["oldest-first", 16],
    ["oldest-first", 32],
  ] as const)(
    "%s: %d requests at once take little more than a share of the time, and few more requests",
    ([order, concurrency]) =>
      Effect.gen(function* () {
        const { layer, ids, requests } = service(order)
        yield* TestClock.setTime(start + span)
        const run = Effect.gen(function* () {
          const pager = yield* TransferPager.TransferPager
          const began = yield* Clock.currentTimeMillis
          const found = yield* Stream.runFold(
            pager.scan({ created_at }, { concurrency }),
            () => 0,
            (sum, batch) => sum + batch.results.length,
          )
          return { found, makespan: (yield* Clock.currentTimeMillis) - began }
        }).pipe(Effect.provide(layer))
        const fiber = yield* Effect.forkChild(run)
        yield* TestClock.adjust("1 hour")
        const { found, makespan } = yield* Fiber.join(fiber)
        expect(found).toBe(ids.length)
        expect(makespan / ((pages / concurrency) * latency)).toBeLessThanOrEqual(1.08)
        expect(requests.length / pages).toBeLessThan(1.05)
      }),
  )
})

describe.each(Object.entries(shapes))("a short history, %s", (_, times) => {
  it.effect.each([8, 32])("costs a few requests more than its pages, %d at once", (concurrency) =>
    Effect.gen(function* () {
      const { layer, ids, requests } = simulate({
        times: times(383, random(7), 30 * 86_400_000),
        order: "newest-first",
        latency,
      })
      const run = Effect.gen(function* () {
        const pager = yield* TransferPager.TransferPager
        return yield* Stream.runCollect(pager.scan({}, { concurrency }))
      }).pipe(Effect.provide(layer))
      const fiber = yield* Effect.forkChild(run)
      yield* TestClock.adjust("1 hour")
      const batches = yield* Fiber.join(fiber)
      expect(batches.flatMap(({ results }) => results)).toHaveLength(ids.length)
      // Those that are under way when enough have been wasted come on top.
      expect(requests.length).toBeLessThanOrEqual(Math.ceil(383 / 20) + 12 + concurrency)
    }),
  )
})

describe.each(["uniform", "bursty", "growing"] as const)("8,000 transfers without order, %s", (shape) => {
  it.effect.each([
    [8, 4],
    [16, 6],
  ] as const)("%d requests at once are at least %d times as fast as one", ([concurrency, gain]) =>
    Effect.gen(function* () {
      const times = shapes[shape]?.(8000, random(7), 3 * year) ?? []
      const { layer, ids, requests } = simulate({ times, order: "shuffled", latency })
      const run = Effect.gen(function* () {
        const pager = yield* TransferPager.TransferPager
        const batches = yield* Stream.runCollect(pager.scan({}, { concurrency }))
        return { found: batches.flatMap(({ results }) => results).length, makespan: yield* Clock.currentTimeMillis }
      }).pipe(Effect.provide(layer))
      const fiber = yield* Effect.forkChild(run)
      yield* TestClock.adjust("1 hour")
      const { found, makespan } = yield* Fiber.join(fiber)
      expect(found).toBe(ids.length)
      expect((400 * latency) / makespan).toBeGreaterThanOrEqual(gain)
      expect(requests.length / 400).toBeLessThan(1.1)
    }),
  )
})
