/**
 * Keeps a mirror the same as the service. The service filters by creation only and transfers change afterwards, so a
 * pass reads what was created since a while before the last one, and asks again for every older transfer that may
 * still change; the pass after a load leaves out what that load has just read. Each interval that was read is applied in
 * one transaction, with the position, so a sync may be killed at any moment.
 */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as RefreshPlan from "@transferkit/domain/RefreshPlan"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as LoadPosition from "./internal/LoadPosition.ts"
import * as LoadTotals from "./internal/LoadTotals.ts"
import * as RunRecord from "./internal/RunRecord.ts"
import * as SyncOrigin from "./internal/SyncOrigin.ts"
import type * as SyncRun from "./internal/SyncRun.ts"
import * as SyncScan from "./internal/SyncScan.ts"
import * as SyncTables from "./internal/SyncTables.ts"
import * as SyncWindows from "./internal/SyncWindows.ts"
import * as Vanishing from "./internal/Vanishing.ts"
import * as MirrorLease from "./MirrorLease.ts"
import * as MirrorWorkers from "./MirrorWorkers.ts"

/** What to sync, and how. */
export interface Options {
  readonly partner_id: string
  /**
   * How long after its creation a transfer may appear in the service.
   * @default 1 hour
   */
  readonly lookBack?: Duration.Duration
  /**
   * Pages to request at once.
   * @default 8
   */
  readonly concurrency?: number
  /**
   * Spreads a first load over windows, which other processes may read too, see MirrorWorkers. This effect runs
   * meanwhile, to start them.
   * @default one process, unless the load was begun otherwise
   */
  readonly workers?: Effect.Effect<unknown>
  /**
   * If more transfers are missing from the service's responses than can have vanished, nothing is marked and the sync
   * fails, unless they are at most as many as this.
   * @default 0
   */
  readonly allowVanished?: number | undefined
  /** Told after every interval. */
  readonly onProgress?: (progress: Progress) => Effect.Effect<void>
}

/** How a run is getting on. */
export interface Progress {
  readonly kind: SyncRun.Kind
  /** Transfers read so far, by earlier runs of the same backfill too. */
  readonly transfers: number
  /** Transfers that are still to come, by a guess. */
  readonly expected: number
}

export type { Kind } from "./internal/SyncRun.ts"

/** What a run did. */
export interface Report {
  readonly kind: SyncRun.Kind
  readonly pages: number
  readonly transfers: number
  readonly created: number
  readonly changed: number
  readonly vanished: number
  /** Transfers that may still change. */
  readonly open: number
  /** Everything created before it is in the mirror. Absent if there is no transfer. */
  readonly watermark: Timestamp.Timestamp | undefined
}

const defaultLookBack = Duration.hours(1)
const defaultConcurrency = 8

/** How far a service's clock may be ahead of ours when a load begins. */
const ahead = Duration.days(1)

/** The last instant that a mirror holds: a pass does not end by our clock, which may be far behind the service's. */
const end = Timestamp.fromEpochNanoseconds(2n ** 63n - 1n)

/** Loads what is missing, then makes one pass: afterwards each transfer is as it was when this sync began, or later. */
export const sync = Effect.fn("MirrorSync.sync")((options: Options) =>
  Effect.gen(function* () {
    yield* saveCapabilities(options.partner_id)
    const isBegun = (yield* SyncTables.watermark(options.partner_id)) !== undefined
    const [loaded, fresh] = isBegun ? [] : yield* backfill(options)
    yield* SyncTables.completeTotals(options.partner_id)
    yield* SyncTables.completeIndexes
    const passed = yield* pass(options, fresh)
    return loaded === undefined ? [passed] : [loaded, passed]
  }).pipe(MirrorLease.holding([options.partner_id])),
)

/** Reads everything again since the mirror begins, and repairs it: whatever this finds had been missed. */
export const verify = Effect.fn("MirrorSync.verify")((options: Options) =>
  Effect.map(
    RunRecord.recorded({ partner_id: options.partner_id, kind: "verify" }, (run) =>
      Effect.gen(function* () {
        yield* SyncOrigin.check(options.partner_id)
        const since = yield* sinceFloor(options.partner_id)
        yield* scan(options, run, { created_at: CreatedAt.and(since, CreatedAt.lt(end)) })
        yield* run.confirm(options)
      }),
    ),
    ([report]): Report => report,
  ).pipe(MirrorLease.holding([options.partner_id])),
)

const saveCapabilities = Effect.fnUntraced(function* (partner_id: string) {
  const api = yield* TransferApi
  const whose = yield* SyncOrigin.check(partner_id)
  yield* SyncTables.setState(partner_id, { ...whose, capabilities: JSON.stringify(yield* api.capabilities) })
})

// ---------------------------------------------------------------------------------------------------- backfill

/** What a load has read since it began. A load that it resumes may have read the rest days ago. */
interface Fresh {
  readonly since: string
  readonly read: CreatedAt.CreatedAt
}

const backfill = Effect.fn("MirrorSync.backfill")((options: Options) =>
  RunRecord.recorded({ partner_id: options.partner_id, kind: "backfill" }, (run, { run_id, started_at: since }) =>
    Effect.gen(function* () {
      const { partner_id } = options
      const saved = yield* LoadPosition.read(partner_id)
      const started_at = Timestamp.parseUnsafe(since)
      const position = saved ?? { started_at, until: Timestamp.plus(started_at, ahead) }
      if (saved === undefined) yield* SyncTables.setState(partner_id, { backfill: LoadPosition.encode(position) })
      const isSpread = yield* MirrorWorkers.isSpread(partner_id)
      const read = isSpread ? yield* SyncWindows.unclaimed(partner_id) : unreadOf(position)
      if (options.workers !== undefined || isSpread) yield* spread(options, run, { run_id, position })
      else {
        const totals = position.checkpoint === undefined ? yield* LoadTotals.make(partner_id) : undefined
        yield* scan(options, run, {
          created_at: CreatedAt.lt(position.until),
          ...(position.checkpoint === undefined ? {} : { resume: position.checkpoint }),
          state: (checkpoint) => ({ backfill: LoadPosition.encode({ ...position, checkpoint }) }),
          ...(totals === undefined ? {} : { onFound: totals.add }),
        })
        yield* run.confirm(options)
        yield* totals?.complete ?? Effect.void
      }
      yield* advance(partner_id, position.started_at)
      const fresh: Fresh = { since, read }
      return fresh
    }),
  ),
)

const unreadOf = ({ checkpoint, until }: LoadPosition.LoadPosition): CreatedAt.CreatedAt =>
  checkpoint === undefined ? CreatedAt.lt(until) : Checkpoint.remaining(checkpoint)

/** The same by windows, which other processes read too. */
const spread = Effect.fnUntraced(function* (
  options: Options,
  { kind, counts }: SyncRun.SyncRun,
  { run_id, position }: { readonly run_id: bigint; readonly position: LoadPosition.LoadPosition },
) {
  const { partner_id, concurrency = defaultConcurrency, workers = Effect.void, onProgress } = options
  const totals = yield* MirrorWorkers.load(
    { partner_id, concurrency, worker: MirrorWorkers.nameHere },
    {
      run_id,
      until: position.until,
      remaining: position.checkpoint?.remaining ?? [{ lt: position.until }],
      workers,
      onProgress: ({ transfers, windows: { waiting, running, done } }) =>
        onProgress?.({ kind, transfers, expected: (transfers * (waiting + running)) / Math.max(1, done) }) ??
        Effect.void,
    },
  )
  counts.pages = totals.pages
  counts.transfers = totals.transfers
})

// ---------------------------------------------------------------------------------------------------- pass

const pass = Effect.fn("MirrorSync.pass")((options: Options, fresh?: Fresh) =>
  Effect.map(
    RunRecord.recorded({ partner_id: options.partner_id, kind: "pass", since: fresh?.since }, (run, { began }) =>
      Effect.gen(function* () {
        const { partner_id, concurrency = defaultConcurrency } = options
        const started = Timestamp.parseUnsafe(began)
        const recent = yield* recentTimes(options)
        yield* scan(options, run, { created_at: CreatedAt.and(recent, CreatedAt.lt(end)) })
        const older = CreatedAt.difference(CreatedAt.not(recent), fresh?.read ?? CreatedAt.none)
        const requests = RefreshPlan.plan(yield* SyncTables.openSeconds(partner_id, older, vanishedSince(started)))
        yield* Effect.forEach(requests, (request) => refresh(options, run, RefreshPlan.createdAt(request)), {
          concurrency,
          discard: true,
        })
        yield* run.confirm(options)
        yield* advance(partner_id, started)
      }),
    ),
    ([report]): Report => report,
  ),
)

/**
 * The creation times from which on there may be transfers that were not read. Not from the watermark itself: where there
 * is no transfer it is an instant of our clock, which may have been ahead.
 */
const recentTimes = Effect.fnUntraced(function* ({ partner_id, lookBack = defaultLookBack }: Options) {
  const read = yield* SyncTables.latestCreation(partner_id, (yield* SyncTables.watermark(partner_id)) ?? 0n)
  const since = yield* sinceFloor(partner_id)
  if (read === undefined) return since
  const back = Timestamp.lookBack(Timestamp.fromEpochNanoseconds(read), lookBack)
  return CreatedAt.and(since, CreatedAt.gte(Timestamp.fromEpochSeconds(Timestamp.epochSeconds(back))))
})

/** The intervals that are read concurrently are disjoint, so no older response can overwrite a newer one. */
const refresh = Effect.fnUntraced(function* (options: Options, run: SyncRun.SyncRun, window: CreatedAt.CreatedAt) {
  const { pages, ...reading } = yield* Vanishing.readAll(window)
  yield* run.apply(reading, pages)
  yield* options.onProgress?.({ kind: run.kind, transfers: run.counts.transfers, expected: 0 }) ?? Effect.void
})

// ---------------------------------------------------------------------------------------------------- both

/** All creation times that the mirror has. */
const sinceFloor = (partner_id: string) =>
  Effect.map(SyncTables.floor(partner_id), (floor) =>
    floor === undefined ? CreatedAt.all : CreatedAt.gte(Timestamp.fromEpochNanoseconds(floor)),
  )

const scan = (
  { concurrency = defaultConcurrency, onProgress }: Options,
  run: SyncRun.SyncRun,
  reading: Pick<SyncScan.Options, "created_at" | "resume" | "state" | "onFound">,
) =>
  SyncScan.scan(run, {
    ...reading,
    concurrency,
    onProgress: (transfers, expected) => onProgress?.({ kind: run.kind, transfers, expected }) ?? Effect.void,
  })

/** What vanished since is asked for again. */
const vanishedSince = (started: Timestamp.Timestamp): string =>
  Timestamp.toDate(Timestamp.lookBack(started, Vanishing.askedFor)).toISOString()

/** Only after a whole pass: everything up to the latest creation is there, unless it appeared while we were reading. */
const advance = Effect.fnUntraced(function* (partner_id: string, { epochNanoseconds: started }: Timestamp.Timestamp) {
  const before = yield* SyncTables.watermark(partner_id)
  const reached = (yield* SyncTables.latestCreation(partner_id, started)) ?? started
  const watermark = before === undefined || reached > before ? reached : before
  yield* SyncTables.setState(partner_id, { watermark: watermark.toString() })
})
