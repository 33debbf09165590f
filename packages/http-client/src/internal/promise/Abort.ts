/** Effects and streams as promises and async iterables that an `AbortSignal` stops as it stops `fetch`. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"

class Aborted extends Data.TaggedError("@transferkit/http-client/Aborted")<{ readonly reason: unknown }> {}

const whenAborted = (signal: AbortSignal): Effect.Effect<never, Aborted> =>
  Effect.callback((resume) => {
    const abort = () => resume(Effect.fail(new Aborted({ reason: signal.reason })))
    if (signal.aborted) return abort()
    signal.addEventListener("abort", abort, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", abort))
  })

const isAborted = (error: unknown): error is Aborted => Predicate.isTagged(error, "@transferkit/http-client/Aborted")

const reveal = (error: unknown): unknown => (isAborted(error) ? error.reason : error)

/** Rejects with the effect's own error, or with the signal's reason. */
export const run = <A, E>(effect: Effect.Effect<A, E>, signal: AbortSignal | undefined): Promise<A> =>
  Effect.runPromise(signal === undefined ? effect : Effect.raceFirst(effect, whenAborted(signal))).catch(
    (error: unknown) => {
      throw reveal(error)
    },
  )

/** Leaving the loop early interrupts what the stream is doing. */
export async function* iterate<A, E>(
  stream: Stream.Stream<A, E>,
  signal: AbortSignal | undefined,
): AsyncGenerator<A, void, void> {
  try {
    yield* Stream.toAsyncIterable(signal === undefined ? stream : Stream.interruptWhen(stream, whenAborted(signal)))
  } catch (error) {
    throw reveal(error)
  }
}
