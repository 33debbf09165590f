/** One rate of requests for all processes, on both databases. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describe, expect, test } from "vitest"
import * as RequestRate from "../../src/RequestRate.ts"
import { TransferMirror } from "../../src/TransferMirror.ts"
import type { Database } from "../Database.ts"

/** As many processes have: a mirror of its own each. */
const processes = 3

const permits = (address: string, count: number) =>
  Effect.gen(function* () {
    const { permit } = yield* RequestRate.make("demo")
    const at: Array<number> = []
    for (let n = 0; n < count; n++) {
      yield* permit
      at.push(performance.now())
    }
    return at
  }).pipe(Effect.provide(TransferMirror.layer(address), { local: true }))

const together = (address: string, count: number) =>
  Effect.map(
    Effect.all(
      Array.from({ length: processes }, () => permits(address, count)),
      { concurrency: processes },
    ),
    (all) => all.flat().sort((a, b) => a - b),
  )

const setUp = (address: string, perSecond: number | undefined) =>
  Effect.provide(RequestRate.limit("demo", perSecond), TransferMirror.layer(address), { local: true })

export const rateSuite = (database: Database): void => {
  describe(`the rate of requests with a mirror on ${database.name}`, () => {
    test("is within the limit in any second, for all processes together, and close to it", async () => {
      const address = await database.fresh()
      const at = await Effect.runPromise(Effect.andThen(setUp(address, 40), together(address, 30)))
      expect(at).toHaveLength(90)
      const most = Math.max(...at.map((first) => at.filter((one) => one >= first && one < first + 1000).length))
      // A permit is used a little later than it was dealt.
      expect(most).toBeLessThanOrEqual(41)
      expect((at.at(-1) ?? 0) - (at[0] ?? 0)).toBeLessThan(3000)
    })

    test("has no limit unless one is set, and none after it was removed", async () => {
      const address = await database.fresh()
      const began = performance.now()
      await Effect.runPromise(together(address, 20))
      await Effect.runPromise(Effect.andThen(setUp(address, 1), setUp(address, undefined)))
      await Effect.runPromise(together(address, 20))
      expect(performance.now() - began).toBeLessThan(10_000)
    })

    test.each([undefined, 1000])(
      "is zero for all processes while one was told to wait, with limit %s",
      async (limit) => {
        const address = await database.fresh()
        const [paused, at] = await Effect.runPromise(
          Effect.gen(function* () {
            yield* setUp(address, limit)
            const { pause, permit } = yield* RequestRate.make("demo")
            yield* permit
            yield* Effect.all([pause(Duration.millis(700)), pause(Duration.millis(900))], { concurrency: 2 })
            return [performance.now(), yield* together(address, 1)] as const
          }).pipe(Effect.provide(TransferMirror.layer(address))),
        )
        expect((at[0] ?? 0) - paused).toBeGreaterThan(850)
        expect((at.at(-1) ?? 0) - paused).toBeLessThan(1700)
      },
    )

    test("goes on when a process ends while it waits", async () => {
      const address = await database.fresh()
      const at = await Effect.runPromise(
        Effect.gen(function* () {
          yield* setUp(address, 5)
          const killed = yield* Effect.forkChild(permits(address, 1000))
          yield* Effect.sleep(500)
          yield* Fiber.interrupt(killed)
          const began = performance.now()
          yield* permits(address, 2)
          return performance.now() - began
        }),
      )
      expect(at).toBeLessThan(1000)
    })

    test("survives a clock of the database that was set back by an hour", async () => {
      const address = await database.fresh()
      const began = performance.now()
      await Effect.runPromise(
        Effect.gen(function* () {
          yield* setUp(address, 10)
          const { run } = yield* TransferMirror
          yield* run((sql) => sql`UPDATE request_rates SET next_us = ${(Date.now() + 3_600_000) * 1000}`)
          yield* together(address, 2)
        }).pipe(Effect.provide(TransferMirror.layer(address))),
      )
      expect(performance.now() - began).toBeLessThan(5000)
    })
  })
}
