/** A follower on a virtual clock. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { expect, test } from "vitest"
import * as MirrorFollower from "../src/MirrorFollower.ts"

const lost: MirrorFollower.PassError = { message: "lost", isRetryable: true }
const denied: MirrorFollower.PassError = { message: "denied" }

test("outlasts outages, and ends with the first error that stays", async () => {
  const outcomes = [undefined, lost, lost, undefined, denied, undefined]
  const [starts, retried]: [Array<number>, Array<string>] = [[], []]
  const pass = Effect.gen(function* () {
    const outcome = outcomes[starts.length]
    starts.push(yield* Clock.currentTimeMillis)
    if (outcome !== undefined) return yield* Effect.fail(outcome)
  })
  const error = await Effect.gen(function* () {
    const options = {
      interval: Duration.seconds(60),
      onRetry: ({ message }: typeof lost) => Effect.sync(() => void retried.push(message)),
    }
    const fiber = yield* Effect.forkChild(Effect.flip(MirrorFollower.follow(pass, options)))
    yield* TestClock.adjust("10 minutes")
    return yield* Fiber.join(fiber)
  }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)
  expect(error).toBe(denied)
  expect(retried).toEqual(["lost", "lost"])
  const waits = starts.slice(1).map((at, index) => at - (starts[index] ?? 0))
  expect(waits).toHaveLength(4)
  for (const wait of waits) expect(wait).toSatisfy((millis: number) => millis >= 48_000 && millis <= 72_000)
  expect(new Set(waits).size).toBeGreaterThan(1)
})
