/** When the response of the invocation under way must be ready. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** In milliseconds since the epoch. */
export const Deadline = Context.Reference<number>("@transferkit/validation-lambda/Deadline", {
  defaultValue: () => Infinity,
})

/** Milliseconds until the deadline, at least zero. */
export const timeLeft: Effect.Effect<number> = Effect.gen(function* () {
  return Math.max(0, (yield* Deadline) - (yield* Clock.currentTimeMillis))
})
