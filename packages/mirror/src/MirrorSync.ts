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
import type { Transfer } from "@transferkit/domain/Transfer"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Ref from "effect/Ref"
import * as S from "effect/Schema"
import * as Stream from "effect/Stream"
import * as LoadTotals from "./internal/LoadTotals.ts"
import * as SyncRun from "./internal/SyncRun.ts"
import * as SyncTables from "./internal/SyncTables.ts"
import * as SyncWindows from "./internal/SyncWindows.ts"
import type { MirrorError } from "./MirrorError.ts"
import * as MirrorWorkers from "./MirrorWorkers.ts"
import type { TransferEvent, TransferMirror } from "./TransferMirror.ts"

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

/**
 * Transfers of a load to a transaction, at the most: larger ones write fewer pages of the indexes. What is not written
 * when a load is killed is read again, so it is never more than a tenth of what was read.
 */
const mostHeld = 2000

/** How far a service's clock may be ahead of ours. */
const ahead = Duration.days(1)

/** Loads what is missing, then makes one pass: afterwards each transfer is as it was when this sync began, or later. */
export const sync = Effect.fn("MirrorSync.sync")(function* (options: Options) {
  yield* saveCapabilities(options.partner_id)
  const isBegun = (yield* SyncTables.watermark(options.partner_id)) !== undefined
  const [loaded, fresh] = isBegun ? [] : yield* backfill(options)
  yield* SyncTables.completeTotals(options.partner_id)
  const passed = yield* pass(options, fresh)
  return loaded === undefined ? [passed] : [loaded, passed]
})

/** Reads everything again since the mirror begins, and repairs it: whatever this finds had been missed. */
export const verify = Effect.fn("MirrorSync.verify")((options: Options) =>
  Effect.map(
    recorded(options, "verify", (run) =>
      Effect.gen(function* () {
        const until = Timestamp.plus(yield* now, ahead)
        const floor = yield* SyncTables.floor(options.partner_id)
        const first = floor === undefined ? CreatedAt.all : CreatedAt.gte(Timestamp.fromEpochNanoseconds(floor))
        yield* scan(options, run, { created_at: CreatedAt.and(first, CreatedAt.lt(until)) })
      }),
    ),
    ([report]) => report,
  ),
)

const saveCapabilities = Effect.fnUntraced(function* (partner_id: string) {
  const api = yield* TransferApi
  yield* SyncTables.setState(partner_id, { capabilities: JSON.stringify(yield* api.capabilities) })
})

// ---------------------------------------------------------------------------------------------------- backfill

const Backfill = S.fromJsonString(
  S.Struct({
    started_at: Timestamp.Schema,
    until: Timestamp.Schema,
    checkpoint: S.optionalKey(Checkpoint.Schema),
  }),
)
const decodeBackfill = S.decodeUnknownEffect(Backfill)
const encodeBackfill = S.encodeSync(Backfill)

/** What a load has read since it began. A load that it resumes may have read the rest days ago. */
interface Fresh {
  readonly since: string
  readonly read: CreatedAt.CreatedAt
}

const backfill = Effect.fn("MirrorSync.backfill")((options: Options) =>
  recorded(options, "backfill", (run, { run_id, started_at: since }) =>
    Effect.gen(function* () {
      const { partner_id } = options
      const saved = yield* SyncTables.state(partner_id, "backfill")
      const started_at = yield* now
      const position: typeof Backfill.Type =
        saved === undefined
          ? { started_at, until: Timestamp.plus(started_at, ahead) }
          : yield* Effect.orDie(decodeBackfill(saved))
      if (saved === undefined) yield* SyncTables.setState(partner_id, { backfill: encodeBackfill(position) })
      const isSpread = yield* MirrorWorkers.isSpread(partner_id)
      const read = isSpread ? yield* SyncWindows.unclaimed(partner_id) : unreadOf(position)
      if (options.workers !== undefined || isSpread) yield* spread(options, run, { run_id, position })
      else {
        const totals = position.checkpoint === undefined ? yield* LoadTotals.make(partner_id) : undefined
        yield* scan(options, run, {
          created_at: CreatedAt.lt(position.until),
          ...(position.checkpoint === undefined ? {} : { resume: position.checkpoint }),
          state: (checkpoint) => ({ backfill: encodeBackfill({ ...position, checkpoint }) }),
          ...(totals === undefined ? {} : { onFound: totals.add }),
        })
        yield* totals?.complete ?? Effect.void
      }
      yield* advance(partner_id, position.started_at)
      const fresh: Fresh = { since, read }
      return fresh
    }),
  ),
)

const unreadOf = ({ checkpoint, until }: typeof Backfill.Type): CreatedAt.CreatedAt =>
  checkpoint === undefined ? CreatedAt.lt(until) : Checkpoint.remaining(checkpoint)

/** The same by windows, which other processes read too. */
const spread = Effect.fnUntraced(function* (
  options: Options,
  { kind, counts }: SyncRun.SyncRun,
  { run_id, position }: { readonly run_id: bigint; readonly position: typeof Backfill.Type },
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
    recorded(
      options,
      "pass",
      (run) =>
        Effect.gen(function* () {
          const { partner_id, lookBack = defaultLookBack, concurrency = defaultConcurrency } = options
          const started = yield* now
          const watermark = Timestamp.fromEpochNanoseconds((yield* SyncTables.watermark(partner_id)) ?? 0n)
          const floor = (yield* SyncTables.floor(partner_id)) ?? Timestamp.earliest.epochNanoseconds
          const back = Timestamp.fromEpochSeconds(Timestamp.epochSeconds(Timestamp.lookBack(watermark, lookBack)))
          const first = back.epochNanoseconds > floor ? back : Timestamp.fromEpochNanoseconds(floor)
          const until = Timestamp.plus(started, ahead)
          yield* scan(options, run, {
            created_at: Timestamp.compare(first, until) < 0 ? CreatedAt.between(first, until) : CreatedAt.gte(first),
          })
          const older = CreatedAt.difference(CreatedAt.lt(first), fresh?.read ?? CreatedAt.none)
          const requests = RefreshPlan.plan(yield* SyncTables.openSeconds(partner_id, older))
          yield* Effect.forEach(requests, (request) => refresh(options, run, RefreshPlan.createdAt(request)), {
            concurrency,
            discard: true,
          })
          yield* advance(partner_id, started)
        }),
      fresh?.since,
    ),
    ([report]) => report,
  ),
)

/** The intervals that are read concurrently are disjoint, so no older response can overwrite a newer one. */
const refresh = Effect.fnUntraced(function* (options: Options, run: SyncRun.SyncRun, window: CreatedAt.CreatedAt) {
  const { pages, ...reading } = yield* SyncRun.readAll(window)
  yield* run.apply(reading, pages)
  yield* options.onProgress?.({ kind: run.kind, transfers: run.counts.transfers, expected: 0 }) ?? Effect.void
})

// ---------------------------------------------------------------------------------------------------- both

interface Scanning {
  readonly created_at: CreatedAt.CreatedAt
  readonly resume?: Checkpoint.Checkpoint
  /** State to save with each batch. */
  readonly state?: (checkpoint: Checkpoint.Checkpoint) => Readonly<Record<string, string>>
  /** Told what was different in each batch. */
  readonly onFound?: (events: ReadonlyArray<TransferEvent>) => Effect.Effect<void, MirrorError, TransferMirror>
}

const scan = Effect.fnUntraced(function* (
  options: Options,
  run: SyncRun.SyncRun,
  { created_at, resume, state, onFound = () => Effect.void }: Scanning,
) {
  const pager = yield* TransferPager.TransferPager
  const report = yield* Ref.make(TransferPager.emptyReport)
  let pages = 0
  let window = CreatedAt.none
  // A transfer whose creation time changes meanwhile may be in two windows: the last response wins.
  const held = new Map<string, Transfer>()
  const apply = Effect.fnUntraced(function* (checkpoint: Checkpoint.Checkpoint) {
    const { tally } = yield* Ref.get(report)
    const reading = { window, transfers: [...held.values()], ...(state && { state: state(checkpoint) }) }
    window = CreatedAt.none
    held.clear()
    yield* onFound(yield* run.apply(reading, tally.pages - pages))
    pages = tally.pages
  })
  yield* Stream.runForEach(
    pager.scan(
      { created_at },
      { report, concurrency: options.concurrency ?? defaultConcurrency, ...(resume === undefined ? {} : { resume }) },
    ),
    Effect.fnUntraced(function* ({ results, checkpoint, expected, ...read }) {
      window = CreatedAt.or(window, read.window)
      for (const transfer of results) held.set(transfer.id, transfer)
      const isEnough = held.size >= Math.min(mostHeld, checkpoint.transfers / 10)
      if (run.kind !== "backfill" || isEnough || Checkpoint.isComplete(checkpoint)) yield* apply(checkpoint)
      yield* options.onProgress?.({ kind: run.kind, transfers: checkpoint.transfers, expected }) ?? Effect.void
    }),
  )
})

/** Only after a whole pass: everything up to the latest creation is there, unless it appeared while we were reading. */
const advance = Effect.fnUntraced(function* (partner_id: string, { epochNanoseconds: started }: Timestamp.Timestamp) {
  const [before, latest] = [yield* SyncTables.watermark(partner_id), yield* SyncTables.latestCreation(partner_id)]
  const reached = latest === undefined || latest > started ? started : latest
  const watermark = before === undefined || reached > before ? reached : before
  yield* SyncTables.setState(partner_id, { watermark: watermark.toString() })
})

interface Recorded {
  readonly run_id: bigint
  readonly started_at: string
}

/** Records a run, whatever becomes of it. One that takes up what an earlier one has read counts from there: `since`. */
const recorded = Effect.fnUntraced(function* <A, E, R>(
  { partner_id }: Options,
  kind: SyncRun.Kind,
  body: (run: SyncRun.SyncRun, recorded: Recorded) => Effect.Effect<A, E, R>,
  since?: string,
) {
  const stamp = yield* stamps
  const started_at = since ?? (yield* stamp)
  const run_id = yield* SyncTables.startRun(partner_id, kind, started_at)
  const run = yield* SyncRun.make({ partner_id, run_id, kind, stamp })
  const { counts } = run
  const result = yield* Effect.onExit(body(run, { run_id, started_at }), (exit) =>
    Effect.ignore(
      Effect.flatMap(stamp, (ended_at) =>
        SyncTables.endRun(run_id, { ended_at, outcome: Exit.isSuccess(exit) ? "complete" : "incomplete", counts }),
      ),
    ),
  )
  const watermark = yield* SyncTables.watermark(partner_id)
  const report: Report = {
    kind,
    ...counts,
    open: yield* SyncTables.countOpen(partner_id),
    watermark: watermark === undefined ? undefined : Timestamp.fromEpochNanoseconds(watermark),
  }
  return [report, result] as const
})

const now = Effect.map(Clock.currentTimeMillis, (millis) => Timestamp.fromDate(new Date(millis)))

/** The instant of what was just seen, never before one that is stored: the history has to be in order. */
const stamps = Effect.map(SyncTables.lastStamp, (stored) => {
  let last = stored ?? ""
  return Effect.map(Clock.currentTimeMillis, (millis) => {
    const now = new Date(millis).toISOString()
    return (last = now > last ? now : last)
  })
})
