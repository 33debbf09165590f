/** What a mirror holds, to serve it: `--from sqlite:transfers.db`. */
import { MirrorError } from "@transferkit/mirror/MirrorError"
import * as MirrorState from "@transferkit/mirror/MirrorState"
import * as MirrorTransferSource from "@transferkit/mirror/MirrorTransferSource"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** The transfers and the capabilities of a partner of the mirror: the one with this id, or the only one. */
export const read = (from: string, partner_id: string) =>
  Effect.gen(function* () {
    const { partners, address } = yield* TransferMirror
    const known = yield* partners
    const [only] = known
    const source = known.includes(partner_id) ? partner_id : known.length === 1 ? only : undefined
    if (source === undefined) {
      const has =
        known.length === 0 ? "it has no transfers" : `it has the partners ${known.join(", ")}, not ${partner_id}`
      return yield* new MirrorError({
        kind: "usage",
        mirror: address,
        reason: `${has}: name one of them first with --partner`,
      })
    }
    const { transfers } = yield* MirrorTransferSource.make({ partner_id: source })
    const batches = yield* Stream.runCollect(transfers({}))
    return {
      data: batches.flatMap(({ results }) => results.map((transfer): unknown => JSON.parse(JSON.stringify(transfer)))),
      capabilities: yield* MirrorState.capabilities(source),
    }
  }).pipe(Effect.provide(TransferMirror.layer(from, { readOnly: true })))
