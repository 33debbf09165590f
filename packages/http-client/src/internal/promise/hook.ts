/** A listener of the Promise client as a hook that can neither fail a call nor delay it. */
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"

/** Calls the listener at once. If it throws or rejects, a line on standard error says so. */
export const hook =
  <A>(name: string, listener: (value: A) => unknown) =>
  (value: A): Effect.Effect<void> =>
    Effect.promise(async () => listener(value)).pipe(
      Effect.catchDefect((defect) => Effect.logWarning(`${name} failed; the call goes on`, defect)),
      Effect.provideService(Logger.LogToStderr, true),
      Effect.forkDetach({ startImmediately: true }),
      Effect.asVoid,
    )
