/** Milliseconds for deadlines and durations: unlike the wall clock, they never jump. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

export const monotonicMillis: Effect.Effect<number> = Effect.map(
  Clock.monotonicTimeNanos,
  (nanoseconds) => Number(nanoseconds) / 1e6,
)
