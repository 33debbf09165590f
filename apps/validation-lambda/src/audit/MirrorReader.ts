/**
 * Opens a mirror. Bundled by itself: what its SQL uses of `effect` would be loaded at every start otherwise. So it has a
 * copy of `effect`, and must be given nothing that only one copy can read, such as a `Redacted`.
 */
import * as MirrorState from "@transferkit/mirror/MirrorState"
import * as MirrorTransferApi from "@transferkit/mirror/MirrorTransferApi"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The transfers of a partner of the mirror at an address, and the creation times that it has, until the scope ends. */
export const open = Effect.fnUntraced(function* (address: string, partner_id: string) {
  const mirror = yield* Layer.build(TransferMirror.layer(address, { readOnly: true }))
  return yield* Effect.all({
    coverage: MirrorState.coverage(partner_id),
    api: MirrorTransferApi.make({ partner_id }),
  }).pipe(Effect.provide(mirror))
})
