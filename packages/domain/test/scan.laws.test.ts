import { it } from "@effect/vitest"
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { afterAll, describe, expect } from "vitest"
import { type Options, type Order, orders, random, shapes, simulate } from "./SimulatedService.ts"

const year = 365 * 86_400_000

/** Runs to the end in virtual time. */
const inVirtualTime = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    yield* TestClock.adjust("1 hour")
    return yield* Fiber.join(fiber)
  })

const scan = (options: Options, scanOptions: TransferPager.ScanOptions) => {
  const service = simulate(options)
  return Effect.gen(function* () {
    const pager = yield* TransferPager.TransferPager
    const report = yield* Ref.make(TransferPager.emptyReport)
    const batches = yield* Stream.runCollect(pager.scan({}, { ...scanOptions, report }))
    return { service, report: yield* Ref.get(report), ids: idsOf(batches), batches }
  }).pipe(Effect.provide(service.layer), inVirtualTime)
}

const idsOf = (batches: ReadonlyArray<TransferPager.Batch>) =>
  batches.flatMap(({ results }) => results.map(({ id }) => String(id)))

/** Every transfer of the start once; what arrived meanwhile at most once. */
const expectAllOnce = (ids: ReadonlyArray<string>, existing: ReadonlyArray<string>) => {
  expect(new Set(ids).size).toBe(ids.length)
  const found = new Set(ids)
  expect(existing.filter((id) => !found.has(id))).toEqual([])
}

let runs = 0
afterAll(() => expect(runs).toBeGreaterThan(200))

describe.each(orders)("in the order %s", (order) => {
  describe.each(Object.keys(shapes))("with transfers %s", (shape) => {
    const times = (count: number, seed: number) => shapes[shape]?.(count, random(seed), 3 * year) ?? []

    it.effect.each([1, 2, 7, 16, 64])("every transfer arrives exactly once at concurrency %d", (concurrency) =>
      Effect.gen(function* () {
        for (const count of [0, 1, 19, 20, 21, 777]) {
          const seed = concurrency * 1000 + count
          const { ids, service, report } = yield* scan(
            { times: times(count, seed), order, seed, latency: 50 },
            { concurrency },
          )
          expectAllOnce(ids, service.ids)
          expect(ids.length).toBe(count)
          expect(report.completeness).toEqual({ _tag: "Complete" })
          expect(report.tally).toMatchObject({
            transfers: count,
            duplicates: 0,
            outside: 0,
            pages: service.requests.length,
          })
          runs++
        }
      }),
    )

    it.effect("every transfer arrives exactly once while others are inserted", () =>
      Effect.gen(function* () {
        for (const concurrency of [1, 8, 32]) {
          const options = { times: times(600, concurrency), order, seed: concurrency, latency: 50, insertEvery: 3 }
          const { ids, service } = yield* scan(options, { concurrency })
          expectAllOnce(ids, service.ids)
          runs++
        }
      }),
    )

    it.effect("every transfer arrives exactly once when cursors expire", () =>
      Effect.gen(function* () {
        for (const concurrency of [1, 8]) {
          const options = { times: times(600, concurrency), order, seed: concurrency, latency: 50, cursorLife: 12 }
          const service = simulate(options)
          const ended = yield* Effect.gen(function* () {
            const pager = yield* TransferPager.TransferPager
            return yield* Stream.runCollect(pager.scan({}, { concurrency }))
          }).pipe(Effect.provide(service.layer), inVirtualTime, Effect.result)
          // Where there is no order to go on by, a listing longer than its cursors' life cannot be read: that is an error.
          if (Result.isSuccess(ended)) expectAllOnce(idsOf(ended.success), service.ids)
          else
            expect([ended.failure._tag, isOrdered(order) && shape !== "at one instant"]).toEqual([
              "InvalidRequest",
              false,
            ])
          runs++
        }
      }),
    )

    it.effect("every transfer arrives exactly once when pages repeat some, even while cursors expire", () =>
      Effect.gen(function* () {
        for (const concurrency of [1, 8]) {
          const options = { times: times(600, concurrency), order, seed: concurrency, latency: 50, isRepeating: true }
          const { ids, service, report } = yield* scan(options, { concurrency })
          expectAllOnce(ids, service.ids)
          // Where a listing is asked for again, it cannot be told which of the two repeats.
          expect(report.tally.duplicates + report.tally.repeated).toBeGreaterThan(20)
          if (!isOrdered(order) || shape === "at one instant") continue
          const expiring = yield* scan({ ...options, cursorLife: 9 }, { concurrency })
          expectAllOnce(expiring.ids, service.ids)
          runs++
        }
      }),
    )

    it.effect("what came before a checkpoint and what comes after it are all, each once", () =>
      Effect.gen(function* () {
        const options = { times: times(700, 5), order, seed: 5, latency: 50 }
        const { batches, service } = yield* scan(options, { concurrency: 8 })
        for (let cut = 0; cut < batches.length; cut += 5) {
          const before = batches.slice(0, cut + 1)
          const text = JSON.stringify(before.at(-1)?.checkpoint)
          const resume = Result.getOrThrow(Checkpoint.fromJson(text))
          expect(resume.transfers).toBe(idsOf(before).length)
          const after = yield* Effect.gen(function* () {
            const pager = yield* TransferPager.TransferPager
            return yield* Stream.runCollect(pager.scan({}, { concurrency: 3, resume }))
          }).pipe(Effect.provide(simulate(options).layer), inVirtualTime, Effect.result)
          if (Result.isSuccess(after)) {
            const ids = [...idsOf(before), ...idsOf(after.success)]
            expectAllOnce(ids, service.ids)
            expect(ids.length).toBe(service.ids.length)
          } else expect([after.failure._tag, isOrdered(order)]).toEqual(["OrderBroken", false])
          runs++
        }
      }),
    )
  })
})

const isOrdered = (order: Order) => order === "newest-first" || order === "oldest-first"

it.effect("a scan waits for its consumer: no more pages are requested than have room", () =>
  Effect.gen(function* () {
    const times = shapes["uniform"]?.(4000, random(3), year) ?? []
    const service = simulate({ times, order: "newest-first", latency: 10 })
    const fiber = yield* TransferPager.TransferPager.use((pager) =>
      Stream.runForEach(pager.scan({}, { concurrency: 4 }), () => Effect.sleep("1 minute")),
    ).pipe(Effect.provide(service.layer), Effect.forkChild)
    yield* TestClock.adjust("30 seconds")
    expect(service.requests.length).toBeGreaterThan(4)
    expect(service.requests.length).toBeLessThanOrEqual(4 * 2 + 1)
    yield* TestClock.adjust("10 minutes")
    expect(service.requests.length).toBeLessThanOrEqual(4 * 2 + 1 + 10 + 4 * 2)
    yield* Fiber.interrupt(fiber)
    const asked = service.requests.length
    yield* TestClock.adjust("1 hour")
    expect(service.requests.length).toBe(asked)
  }),
)
