/** Calls of the service at the rate that all processes of a mirror share. */
import * as HttpTransferApi from "@transferkit/http-client/HttpTransferApi"
import { MirrorError } from "@transferkit/mirror/MirrorError"
import * as RequestRate from "@transferkit/mirror/RequestRate"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** Sends the requests of an effect for a partner's transfers when the mirror allows it. */
export const share =
  (partner_id: string) =>
  <A, E, R>(body: Effect.Effect<A, E, R>) =>
    Effect.flatMap(RequestRate.make(partner_id), ({ permit, pause }) =>
      HttpTransferApi.withCallSettings({
        // A call may wait for others without a limit.
        deadline: Infinity,
        rate: {
          permit: Effect.orDie(permit),
          pause: (milliseconds) => Effect.ignore(pause(Duration.millis(milliseconds))),
        },
      })(body),
    ).pipe(
      // Calls fail with errors of the service only, so this one travels as a defect.
      Effect.catchDefect((defect) => (defect instanceof MirrorError ? Effect.fail(defect) : Effect.die(defect))),
    )
