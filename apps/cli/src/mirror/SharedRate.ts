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
        // Waiting for others is no reason to give up.
        deadline: Infinity,
        rate: {
          permit: Effect.orDie(permit),
          pause: (milliseconds) => Effect.ignore(pause(Duration.millis(milliseconds))),
        },
      })(body),
    ).pipe(
      // It is no error of the service, so calls cannot fail with it.
      Effect.catchDefect((defect) => (defect instanceof MirrorError ? Effect.fail(defect) : Effect.die(defect))),
    )
