/** What the last sync of a partner left to know. */
import * as Capabilities from "@transferkit/domain/Capabilities"
import * as Origin from "@transferkit/domain/Origin"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as SyncTables from "./internal/SyncTables.ts"
import { MirrorError } from "./MirrorError.ts"
import { TransferMirror } from "./TransferMirror.ts"

/**
 * What the service supports, as the last sync saw it.
 *
 * @example
 * (await run(MirrorState.capabilities("demo"))).supported_currencies.length > 0 // => true
 */
export const capabilities = Effect.fn("MirrorState.capabilities")(function* (partner_id: string) {
  const text = yield* SyncTables.state(partner_id, "capabilities")
  if (text === undefined) return undefined
  const read = Capabilities.fromJson(text)
  return Result.isSuccess(read)
    ? read.success
    : yield* SyncTables.damaged(partner_id, "capabilities", "has a value that is no capabilities")
})

/**
 * Whose transfers the mirror has. Unknown before the first sync, and if the service did not say.
 *
 * @example
 * await run(MirrorState.origin("demo")) // => undefined
 */
export const origin = Effect.fn("MirrorState.origin")(function* (partner_id: string) {
  const base_url = yield* SyncTables.state(partner_id, "base_url")
  if (base_url === undefined) return undefined
  const { address } = yield* TransferMirror
  return yield* Effect.fromResult(
    Result.mapError(
      Origin.make(base_url, partner_id),
      ({ message }) => new MirrorError({ kind: "rejected", mirror: address, reason: `it is damaged: ${message}` }),
    ),
  )
})
