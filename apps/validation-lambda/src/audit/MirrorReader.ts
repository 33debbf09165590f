/**
 * Opens a mirror. Bundled by itself: what its SQL uses of `effect` would be loaded at every start otherwise. So it has a
 * copy of `effect`, and must be given nothing that only one copy can read, such as a `Redacted`.
 */
import * as Coverage from "@transferkit/domain/Coverage"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type * as Timestamp from "@transferkit/domain/Timestamp"
import * as MirrorCoverage from "@transferkit/mirror/MirrorCoverage"
import * as MirrorTransferApi from "@transferkit/mirror/MirrorTransferApi"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The window to read. */
export interface Window {
  readonly since: Timestamp.Timestamp
  readonly until: Timestamp.Timestamp
}

/** The transfers of a partner of the mirror at an address, and what of a window it lacks in words, until the scope ends. */
export const open = Effect.fnUntraced(function* (address: string, partner_id: string, { since, until }: Window) {
  const mirror = yield* Layer.build(TransferMirror.layer(address, { readOnly: true }))
  return yield* Effect.gen(function* () {
    // Before the transfers: a sync that goes on can then only make them newer than the claim.
    const held = Coverage.held(yield* MirrorCoverage.read({ partner_id }))
    const missing = CreatedAt.ranges(CreatedAt.difference(CreatedAt.between(since, until), held))
    return {
      lacks: missing.map((range) => CreatedAt.printRange(range).join(" ")).join(", or "),
      api: yield* MirrorTransferApi.make({ partner_id }),
    }
  }).pipe(Effect.provide(mirror))
})
