/** Begins a mirror in the middle of a history, from transfers that are known already: only later changes become events. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import * as SyncOrigin from "./internal/SyncOrigin.ts"
import * as SyncTables from "./internal/SyncTables.ts"
import { TransferMirror } from "./TransferMirror.ts"

/** Where a mirror begins. */
export interface Start {
  readonly partner_id: string
  /** Nothing that was created before is ever read, except the transfers that are given. */
  readonly from: Timestamp.Timestamp
  /** Everything created between `from` and here is among the transfers that are given. */
  readonly watermark: Timestamp.Timestamp
  /** Transfers as they were known before. They are no events. */
  readonly known: ReadonlyArray<Transfer>
  /** Transfers as they are now. Each that is new or different becomes an event. */
  readonly found?: ReadonlyArray<Transfer>
}

/**
 * Whether the mirror of a partner has begun, here or with a first load.
 *
 * @example
 * await run(MirrorStart.hasBegun("demo")) // => true
 */
export const hasBegun = Effect.fn("MirrorStart.hasBegun")(function* (partner_id: string) {
  return (yield* SyncTables.watermark(partner_id)) !== undefined
})

/**
 * Begins the mirror of a partner. Afterwards MirrorSync keeps it current.
 *
 * @example
 * const from = Timestamp.parseUnsafe("2024-09-01T00:00:00Z")
 * const begun = MirrorStart.begin({ partner_id: "other", from, watermark: from, known: [] })
 * await run(Effect.andThen(begun, MirrorStart.hasBegun("other"))) // => true
 */
export const begin = Effect.fn("MirrorStart.begin")(function* ({ partner_id, from, watermark, known, found }: Start) {
  const { apply } = yield* TransferMirror
  const whose = yield* SyncOrigin.check(partner_id)
  // No window: nothing that is there can be missing.
  const reading = { partner_id, window: CreatedAt.none, run_id: 0n }
  yield* apply({ ...reading, transfers: known, logsCreated: false, state: whose })
  yield* apply({
    ...reading,
    transfers: found ?? [],
    state: { floor: from.epochNanoseconds.toString(), watermark: watermark.epochNanoseconds.toString() },
  })
})
