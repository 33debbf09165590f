/** What the last sync of a partner recorded about its service. */
import * as Capabilities from "@transferkit/domain/Capabilities"
import * as Origin from "@transferkit/domain/Origin"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as SyncTables from "./internal/SyncTables.ts"
import { MirrorError } from "./MirrorError.ts"
import { TransferMirror } from "./TransferMirror.ts"

/**
 * The capabilities of the service when it was last synced; undefined before the first sync.
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
    : yield* SyncTables.damaged(partner_id, "capabilities", "has a value that cannot be read as capabilities")
})

/**
 * Whose transfers the mirror has; undefined before the first sync, and if the origin of the service is not known.
 *
 * @example
 * await run(MirrorState.origin("demo")) // => undefined
 */
export const origin = Effect.fn("MirrorState.origin")(function* (partner_id: string) {
  const base_url = yield* SyncTables.state(partner_id, "base_url")
  if (base_url === undefined) return undefined
  // Messages and reports repeat it.
  if (base_url.length > 2048)
    return yield* SyncTables.damaged(partner_id, "base_url", "has a value of more than 2,048 characters")
  const { address } = yield* TransferMirror
  return yield* Effect.fromResult(
    Result.mapError(
      Origin.make(base_url, partner_id),
      ({ message }) => new MirrorError({ kind: "rejected", mirror: address, reason: `it is damaged: ${message}` }),
    ),
  )
})
