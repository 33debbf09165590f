/** Whose transfers a mirror has: the base URL of each partner, kept beside the partner's state. */
import * as Origin from "@transferkit/domain/Origin"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as Effect from "effect/Effect"
import { MirrorError } from "../MirrorError.ts"
import * as MirrorState from "../MirrorState.ts"
import { TransferMirror } from "../TransferMirror.ts"

/**
 * Fails if the mirror has this partner's transfers of another service: two services would make one history. The result is
 * the state to save in the transaction that writes the first state of the partner. Not before: a partner exists as soon
 * as it has state, and a sync that cannot reach its service must not leave one.
 */
export const check = Effect.fnUntraced(function* (partner_id: string) {
  const { address } = yield* TransferMirror
  const api = yield* TransferApi
  const now = yield* api.origin
  if (now === undefined) return {}
  const stored = yield* MirrorState.origin(partner_id)
  if (stored !== undefined && Origin.differ(stored, { ...now, partner_id })) {
    const reason = `it has the transfers of ${partner_id} at ${stored.base_url}, not at ${now.base_url}: use another mirror for these`
    return yield* new MirrorError({ kind: "rejected", mirror: address, reason })
  }
  return { base_url: now.base_url }
})
