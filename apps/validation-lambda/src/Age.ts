/** How old something is that a process remembers, by the clock of now: it may have been frozen since, for any time. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Milliseconds since a moment. One in the future has any age, because the clock was set back: it counts as `Infinity`. */
export const of = (moment: number, now: number): number => (now < moment ? Infinity : now - moment)

/** Whether a moment is less than so many milliseconds ago. */
export const isBelow = (moment: number, millis: number): Effect.Effect<boolean> =>
  Effect.map(Clock.currentTimeMillis, (now) => of(moment, now) < millis)
