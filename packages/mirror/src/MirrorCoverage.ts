/**
 * The coverage of a mirror: all up to its last complete pass, or what its first load has read so far. Nothing is claimed
 * for the time after now, nor by a pass or a load that began then: its clock was ahead. Nor is it for seconds about which
 * the service contradicted itself, nor by a load about which it did.
 */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as Coverage from "@transferkit/domain/Coverage"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Doubts from "./internal/Doubts.ts"
import * as Driver from "./internal/Driver.ts"
import * as FinalStatuses from "./internal/FinalStatuses.ts"
import * as LoadPosition from "./internal/LoadPosition.ts"
import * as MirrorClock from "./internal/MirrorClock.ts"
import * as SyncTables from "./internal/SyncTables.ts"
import * as SyncWindows from "./internal/SyncWindows.ts"
import type { MirrorError } from "./MirrorError.ts"
import { TransferMirror } from "./TransferMirror.ts"

/** Whose transfers, and at which instant. */
export interface Options {
  readonly partner_id: string
  /** @default as they were seen last */
  readonly asOf?: Timestamp.Timestamp | undefined
}

/**
 * The coverage. Read it before the transfers: a sync that runs meanwhile then only makes them newer than the claim. A
 * mirror that was begun in the middle of a history holds what was created from there on.
 *
 * @example
 * const coverage = await run(MirrorCoverage.read({ partner_id: "demo" }))
 * CreatedAt.intervals(coverage.unread) // => []
 */
export const read = Effect.fn("MirrorCoverage.read")(function* (options: Options) {
  const claimed = yield* claimOf(options)
  // Read last: doubts are cleared after the mirror was repaired, and recorded after it was read.
  const doubted = CreatedAt.and(claimed.extent.created_at, yield* Doubts.read(options.partner_id))
  // After the claim: a sync that takes other statuses as final meanwhile is one that did not make it.
  const final = yield* finalOf(options.partner_id)
  return {
    ...claimed,
    ...(CreatedAt.isEmpty(doubted) ? {} : { unread: CreatedAt.or(claimed.unread, doubted), doubted }),
    ...(final.length === 0 ? {} : { final }),
  }
})

/** Those that are, and those that were, and whose transfers no pass has read again since. */
const finalOf = Effect.fnUntraced(function* (partner_id: string) {
  const { run } = Driver.of(yield* TransferMirror)
  const { final = [], former } = yield* run((sql) => FinalStatuses.read(sql, partner_id))
  return FinalStatuses.of({ settledStatuses: final, failedStatuses: former })
})

const claimOf = Effect.fnUntraced(function* ({
  partner_id,
  asOf,
}: Options): Effect.fn.Return<Coverage.Coverage, MirrorError, TransferMirror> {
  const floor = yield* SyncTables.floor(partner_id)
  const from = floor === undefined ? CreatedAt.all : CreatedAt.gte(Timestamp.fromEpochNanoseconds(floor))
  const now = Timestamp.fromDate(new Date(yield* Clock.currentTimeMillis))
  const upTo = (as_of: Timestamp.Timestamp, unread: CreatedAt.CreatedAt): Coverage.Coverage => {
    const created_at = CreatedAt.and(from, CreatedAt.lte(as_of))
    return { extent: { created_at, only: {} }, unread: CreatedAt.and(created_at, unread), as_of }
  }
  // Taken before the pass is looked up, so that one that ends meanwhile is not claimed.
  const seen_at = asOf ?? (yield* lastInstant)
  const pass = yield* SyncTables.lastPass(partner_id, seen_at)
  if (pass !== undefined) return { ...Coverage.believed(upTo(pass, CreatedAt.none), now), seen_at }
  // Rows of a load have the time at which they were read, so what it had read by an earlier instant is not known.
  if (asOf !== undefined) return Coverage.until(upTo(asOf, CreatedAt.all), now)
  // Read before the position: a load that starts over forgets both.
  const isDoubted = !CreatedAt.isEmpty(yield* Doubts.read(partner_id))
  const position = yield* LoadPosition.read(partner_id)
  if (position === undefined) return upTo(now, CreatedAt.all)
  const isLoaded = (yield* SyncTables.watermark(partner_id)) !== undefined
  if (isDoubted && !isLoaded) return Coverage.believed(upTo(position.started_at, CreatedAt.all), now)
  const unread = isLoaded ? CreatedAt.none : yield* unreadOf(partner_id, position)
  return Coverage.believed(upTo(position.started_at, unread), now)
})

const lastInstant = Effect.gen(function* () {
  const { run } = Driver.of(yield* TransferMirror)
  return Timestamp.parseUnsafe(yield* run(MirrorClock.last))
})

const unreadOf = Effect.fnUntraced(function* (partner_id: string, { checkpoint }: LoadPosition.LoadPosition) {
  const due = Checkpoint.due(checkpoint ?? {})
  const windows = yield* SyncWindows.unread(partner_id)
  if (windows !== undefined) return CreatedAt.or(windows, due)
  return checkpoint === undefined ? CreatedAt.all : CreatedAt.or(Checkpoint.remaining(checkpoint), due)
})
