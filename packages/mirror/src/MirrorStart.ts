/** Begins a mirror in the middle of a history, from transfers that are known already: only later changes become events. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import * as MirrorClock from "./internal/MirrorClock.ts"
import * as SyncOrigin from "./internal/SyncOrigin.ts"
import * as SyncTables from "./internal/SyncTables.ts"
import { TransferMirror } from "./TransferMirror.ts"

/** The name in `sync_state`. */
const clockState = "begun"

/** Where a mirror begins. */
export interface Start {
  readonly partner_id: string
  /** Nothing that was created before is ever read, except the transfers that are given. */
  readonly from: Timestamp.Timestamp
  /** Everything created between `from` and here is among the transfers that are given. */
  readonly watermark: Timestamp.Timestamp
  /** The instant of the clock that `from` follows from, if it follows from one. It is remembered for {@link begunAhead}. */
  readonly clock?: Timestamp.Timestamp | undefined
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
 * The instant of the clock by which the mirror of a partner began, if that is still to come: the clock was ahead, so
 * the mirror may begin too late, and what was created before is never read.
 *
 * @example
 * await run(MirrorStart.begunAhead("demo")) // => undefined
 */
export const begunAhead = Effect.fn("MirrorStart.begunAhead")(function* (partner_id: string) {
  const begun = yield* SyncTables.whole(partner_id, clockState)
  if (begun === undefined || begun <= (yield* MirrorClock.latestNow).epochNanoseconds) return undefined
  return Timestamp.fromEpochNanoseconds(begun)
})

/**
 * Begins the mirror of a partner. Afterwards MirrorSync keeps it current.
 *
 * @example
 * const from = Timestamp.parseUnsafe("2024-09-01T00:00:00Z")
 * const begun = MirrorStart.begin({ partner_id: "other", from, watermark: from, known: [] })
 * await run(Effect.andThen(begun, MirrorStart.hasBegun("other"))) // => true
 */
export const begin = Effect.fn("MirrorStart.begin")(function* (start: Start) {
  const { partner_id, from, watermark, clock, known, found } = start
  const { apply } = yield* TransferMirror
  const whose = yield* SyncOrigin.check(partner_id)
  // No window: nothing that is there can be missing.
  const reading = { partner_id, window: CreatedAt.none, run_id: 0n }
  yield* apply({ ...reading, transfers: known, logsCreated: false, state: whose })
  yield* apply({
    ...reading,
    transfers: found ?? [],
    state: {
      floor: from.epochNanoseconds.toString(),
      watermark: watermark.epochNanoseconds.toString(),
      ...(clock === undefined ? {} : { [clockState]: clock.epochNanoseconds.toString() }),
    },
  })
})
