/** Up to which creation a partner's mirror is complete. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Effect from "effect/Effect"
import * as Doubts from "./Doubts.ts"
import * as SyncTables from "./SyncTables.ts"

/**
 * What was read by a clock that was ahead is complete up to what the last pass, by a right one, has read. What is in doubt
 * ends it, too. Undefined before the first load has ended, and if everything is in doubt.
 */
export const read = Effect.fnUntraced(function* (partner_id: string, last: Timestamp.Timestamp | undefined) {
  const watermark = yield* SyncTables.watermark(partner_id)
  const [doubt] = CreatedAt.intervals(yield* Doubts.read(partner_id))
  if (watermark === undefined || (doubt !== undefined && doubt.first === undefined)) return undefined
  const ends = [watermark, last?.epochNanoseconds, doubt?.first].filter((end) => end !== undefined)
  return Timestamp.fromEpochNanoseconds(ends.reduce((least, end) => (end < least ? end : least)))
})
