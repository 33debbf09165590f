/** One rate of requests for all processes, on both databases. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describe, expect, test } from "vitest"
import * as Driver from "../../src/internal/Driver.ts"
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

/** Runs it until it takes no longer than that: what it should take on a machine that is not busy at that moment. */
const onceWithin = async (millis: number, run: () => Promise<number>): Promise<void> => {
  const times: Array<number> = []
  do times.push(await run())
  while (Math.min(...times) >= millis && times.length < 20)
  expect(Math.min(...times)).toBeLessThan(millis)
}

export const rateSuite = (database: Database): void => {
  describe(`the rate of requests with a mirror on ${database.name}`, () => {
    test("is within the limit in any second, for all processes together, and close to it", async () => {
      const address = await database.fresh()
      await Effect.runPromise(setUp(address, 40))
      await onceWithin(3000, async () => {
        const at = await Effect.runPromise(together(address, 30))
        expect(at).toHaveLength(90)
        const most = Math.max(...at.map((first) => at.filter((one) => one >= first && one < first + 1000).length))
        // A permit is used a little later than it was dealt.
        expect(most).toBeLessThanOrEqual(41)
        return (at.at(-1) ?? 0) - (at[0] ?? 0)
      })
    })

    test("has no limit unless one is set, and none after it was removed", async () => {
      const address = await database.fresh()
      await onceWithin(10_000, async () => {
        const began = performance.now()
        await Effect.runPromise(together(address, 20))
        await Effect.runPromise(Effect.andThen(setUp(address, 1), setUp(address, undefined)))
        await Effect.runPromise(together(address, 20))
        return performance.now() - began
      })
    })

    test.each([undefined, 1000])(
      "is zero for all processes while one waits for a Retry-After, with limit %s",
      async (limit) => {
        const address = await database.fresh()
        await Effect.runPromise(setUp(address, limit))
        await onceWithin(1700, async () => {
          const [began, at] = await Effect.runPromise(
            Effect.gen(function* () {
              const { pause, permit } = yield* RequestRate.make("demo")
              yield* permit
              const began = performance.now()
              yield* Effect.all([pause(Duration.millis(700)), pause(Duration.millis(900))], { concurrency: 2 })
              return [began, yield* together(address, 1)] as const
            }).pipe(Effect.provide(TransferMirror.layer(address))),
          )
          expect((at[0] ?? 0) - began).toBeGreaterThan(850)
          return (at.at(-1) ?? 0) - began
        })
      },
    )

    test("goes on when a process ends while it waits", async () => {
      const address = await database.fresh()
      await Effect.runPromise(setUp(address, 5))
      await onceWithin(1000, () =>
        Effect.runPromise(
          Effect.gen(function* () {
            const killed = yield* Effect.forkChild(permits(address, 1000))
            yield* Effect.sleep(500)
            yield* Fiber.interrupt(killed)
            const began = performance.now()
            yield* permits(address, 2)
            return performance.now() - began
          }),
        ),
      )
    })

    test("survives a clock of the database that was set back by an hour", async () => {
      const address = await database.fresh()
      await onceWithin(5000, async () => {
        const began = performance.now()
        await Effect.runPromise(
          Effect.gen(function* () {
            yield* setUp(address, 10)
            const { run } = Driver.of(yield* TransferMirror)
            yield* run((sql) => sql`UPDATE request_rates SET next_us = ${(Date.now() + 3_600_000) * 1000}`)
            yield* together(address, 2)
          }).pipe(Effect.provide(TransferMirror.layer(address))),
        )
        return performance.now() - began
      })
    })
  })
}
