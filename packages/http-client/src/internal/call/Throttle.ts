/** The brakes that all calls of a client share: how many requests may be in flight, and until when none may be sent. */
import { RateLimited, type TransferApiError } from "@transferkit/domain/TransferApiError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Semaphore from "effect/Semaphore"
import * as AdaptiveLimit from "../../AdaptiveLimit.ts"
import * as RetryPolicy from "../../RetryPolicy.ts"
import type { SharedRate } from "./CallSettings.ts"
import * as Deadline from "./Deadline.ts"
import { monotonicMillis } from "./MonotonicMillis.ts"
import * as Telemetry from "./Telemetry.ts"

/** Runs an attempt when it may be sent, and learns from its outcome. Fails if that is not before the deadline. */
export type Throttled = <A>(
  attempt: Effect.Effect<A, TransferApiError>,
  deadline: Deadline.Deadline,
  rate?: SharedRate,
) => Effect.Effect<A, TransferApiError>

/** A moment on both clocks: while a machine sleeps or a process is frozen, the monotonic one may stand still. */
interface Readings {
  readonly monotonic: number
  readonly wall: number
}

const readings: Effect.Effect<Readings> = Effect.zipWith(
  monotonicMillis,
  Clock.currentTimeMillis,
  (monotonic, wall) => ({ monotonic, wall }),
)

export const makeThrottle = Effect.fnUntraced(function* (options: {
  readonly concurrency: number
  readonly retry: RetryPolicy.RetryPolicy
}) {
  const permits = yield* Semaphore.make(options.concurrency)
  const limit = yield* Ref.make(AdaptiveLimit.make(options.concurrency))
  const resumesAt = yield* Ref.make<Readings>({ monotonic: -Infinity, wall: -Infinity })
  yield* Telemetry.setLimit(options.concurrency)

  const learn = Effect.fnUntraced(function* (error: TransferApiError | undefined) {
    const [before, now] = yield* Ref.modify(limit, (known) => {
      const next = AdaptiveLimit.after(known, error)
      return [[AdaptiveLimit.permits(known), AdaptiveLimit.permits(next)] as const, next]
    })
    yield* Telemetry.count(error?._tag ?? "success")
    if (now === before) return
    yield* Telemetry.setLimit(now)
    yield* Semaphore.resize(permits, now)
  })

  const pauseAfter = (error: TransferApiError, rate: SharedRate | undefined): Effect.Effect<void> => {
    const pause = RetryPolicy.pause(options.retry, error)
    if (pause === 0) return Effect.void
    const own = Effect.flatMap(readings, ({ monotonic, wall }) =>
      Ref.update(resumesAt, (known) => ({
        monotonic: Math.max(known.monotonic, monotonic + pause),
        wall: Math.max(known.wall, wall + pause),
      })),
    )
    return rate === undefined ? own : Effect.andThen(own, rate.pause(pause))
  }

  /** A pause that does not end in time fails at once, as the 429 that began it would. */
  const resumed = (deadline: number): Effect.Effect<void, RateLimited> =>
    Effect.flatMap(Effect.zip(readings, Ref.get(resumesAt)), ([{ monotonic, wall }, resumes]) => {
      // Whichever clock is further ends the pause: the other one stood still, or was set back.
      const left = Math.ceil(Math.min(resumes.monotonic - monotonic, resumes.wall - wall))
      if (left <= 0) return Effect.void
      if (monotonic + left >= deadline) return Effect.fail(new RateLimited({ retryAfter: Duration.millis(left) }))
      return Effect.andThen(Effect.sleep(left), resumed(deadline))
    })

  const throttled: Throttled = (attempt, deadline, rate) => {
    let isSent = false
    const turn = Effect.suspend(() => {
      isSent = true
      return attempt
    }).pipe(
      Effect.tap(() => learn(undefined)),
      Effect.tapError((error) => Effect.andThen(learn(error), pauseAfter(error, rate))),
      (observed) => (rate === undefined ? observed : Effect.andThen(rate.permit, observed)),
      (observed) => Effect.andThen(resumed(deadline.at), observed),
    )
    const queued = Deadline.bounded(permits.withPermit(turn), deadline, () => isSent)
    // Most calls wait for nothing.
    return rate === undefined
      ? Effect.flatMap(
          permits.withPermitsIfAvailable(1)(turn),
          Option.match({ onNone: () => queued, onSome: Effect.succeed }),
        )
      : queued
  }
  return throttled
})
