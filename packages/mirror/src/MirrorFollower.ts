/** Follows a service: passes one after the other, which outlast outages of the service and of the mirror's database. */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

/** An error that may be retryable. */
export interface PassError {
  readonly message: string
  readonly isRetryable?: boolean
}

/** How to follow. */
export interface Options<E, R> {
  /** The approximate time between two passes: jitter keeps followers that started together from polling together. */
  readonly interval: Duration.Duration
  /** Runs when a pass has failed and the next may succeed. */
  readonly onRetry?: (error: E) => Effect.Effect<void, never, R>
}

/**
 * Whether the next pass may succeed after an error. The client has already retried the request.
 *
 * @example
 * MirrorFollower.isTransient({ message: "denied" }) // => false
 */
export const isTransient = ({ isRetryable }: PassError): boolean => isRetryable === true

/**
 * Repeats a pass until it is interrupted, or fails with an error that is not transient.
 *
 * @example
 * let passes = 0
 * const pass = Effect.suspend(() => (++passes < 3 ? Effect.void : Effect.fail({ message: "denied" })))
 * const error = await Effect.runPromise(Effect.flip(MirrorFollower.follow(pass, { interval: Duration.millis(1) })))
 * [passes, error.message] // => [3, "denied"]
 */
export const follow = <E extends PassError, R, R2 = never>(
  pass: Effect.Effect<void, E, R>,
  { interval, onRetry = () => Effect.void }: Options<E, R2>,
): Effect.Effect<never, E, R | R2> =>
  Effect.andThen(
    Effect.repeat(Effect.catchIf(pass, isTransient, onRetry), Schedule.jittered(Schedule.spaced(interval))),
    Effect.never,
  )
