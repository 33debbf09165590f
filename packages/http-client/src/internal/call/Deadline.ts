/** Until when a call may last, whatever it waits for. */
import { TimedOut } from "@transferkit/domain/TransferApiError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { monotonicMillis } from "./MonotonicMillis.ts"

export interface Deadline {
  /** On the monotonic clock. */
  readonly at: number
  /** What the call fails with if it waits until then. */
  readonly passed: TimedOut
}

/** That of a call which begins now. */
export const after = (milliseconds: number): Effect.Effect<Deadline> =>
  Effect.map(monotonicMillis, (now) => ({
    at: now + milliseconds,
    passed: new TimedOut({ after: Duration.millis(milliseconds) }),
  }))

// A longer delay would wrap around and end immediately.
const longest = 2 ** 31 - 1

/** Fails at the deadline, unless the wait is over by then: what follows has limits of its own. */
export const bounded = <A, E>(
  wait: Effect.Effect<A, E>,
  { at, passed }: Deadline,
  isOver: () => boolean = () => false,
): Effect.Effect<A, E | TimedOut> =>
  Effect.flatMap(monotonicMillis, (now) =>
    at - now > longest
      ? wait
      : Effect.raceFirst(
          wait,
          Effect.andThen(
            Effect.sleep(Math.max(0, Math.ceil(at - now))),
            Effect.suspend(() => (isOver() ? Effect.never : Effect.fail(passed))),
          ),
        ),
  )
