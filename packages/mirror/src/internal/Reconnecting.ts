/**
 * Begins a sync again that has lost its database: what was committed is there, and each transaction checks the lease, so
 * nothing is written twice, nor after another process has taken over.
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { MirrorError } from "../MirrorError.ts"
import * as Attempts from "./Attempts.ts"

/** About as long as a lease lasts. After that, whoever runs the sync decides. */
const attempts = { schedule: Schedule.spaced("1 second"), times: 10 }

/** Runs it again while the database is away. Each attempt is given what those before it have done. */
export const retried = <A, E, R>(
  body: (earlier: Attempts.Attempts) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E | MirrorError, R> =>
  Effect.flatMap(Attempts.make, (earlier) =>
    body(earlier).pipe(
      // Permits for requests lie in the database, too, and requests fail with errors of the service only.
      Effect.catchDefect((defect) => (defect instanceof MirrorError ? Effect.fail(defect) : Effect.die(defect))),
      Effect.retry({ ...attempts, while: (error) => error instanceof MirrorError && error.kind === "unavailable" }),
    ),
  )
