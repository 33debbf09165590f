/** Calls of the service at the rate that all processes of a mirror share. */
import { mapTo } from "@transferkit/files/FileError"
import * as HttpTransferApi from "@transferkit/http-client/HttpTransferApi"
import { MirrorError } from "@transferkit/mirror/MirrorError"
import * as RequestRate from "@transferkit/mirror/RequestRate"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"

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

/** A rate for processes that have no mirror in common: it is dealt from a file that is removed with the scope. */
export const temporary = Effect.fnUntraced(function* (partner_id: string, perSecond: number | undefined) {
  const files = yield* FileSystem.FileSystem
  const folder = yield* mapTo("the folder for temporary files")(
    files.makeTempDirectoryScoped({ prefix: "transfers-rate-" }),
  )
  const address = `sqlite:${folder}/rate.db`
  const mirror = yield* Layer.build(TransferMirror.layer(address))
  yield* Effect.provide(RequestRate.limit(partner_id, perSecond), mirror)
  return {
    address,
    share: <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.provide(share(partner_id)(body), mirror),
  }
})
