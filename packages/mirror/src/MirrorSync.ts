/**
 * Keeps a mirror the same as the service. The service filters by creation only and transfers change afterwards, so a
 * pass reads what was created since a while before the last one, and reads again every older transfer that may still
 * change; the pass after a load leaves out what that load has just read. Each interval that was read is applied in
 * one transaction, with the position, so a sync may be killed at any moment.
 */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Dialect from "@transferkit/domain/Dialect"
import { counted } from "@transferkit/domain/Quantity"
import * as RefreshPlan from "@transferkit/domain/RefreshPlan"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Ref from "effect/Ref"
import * as Attempts from "./internal/Attempts.ts"
import * as ClockCheck from "./internal/ClockCheck.ts"
import * as Doubts from "./internal/Doubts.ts"
import * as Drift from "./internal/Drift.ts"
import * as FinalStatuses from "./internal/FinalStatuses.ts"
import * as LoadPosition from "./internal/LoadPosition.ts"
import * as LookBack from "./internal/LookBack.ts"
import * as MirrorSettlement from "./internal/MirrorSettlement.ts"
import * as Reconnecting from "./internal/Reconnecting.ts"
import * as Rereading from "./internal/Rereading.ts"
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
   * @default 1 hour; once 10,000 have appeared, four times as late as the latest of 30 days, if that is longer
   */
  readonly lookBack?: Duration.Duration | undefined
  /**
   * Requests of a pass that read old history again, from its beginning to its end and then anew.
   * @default as many as read all of it within 25 days, at most 100 an hour
   */
  readonly rereads?: number | undefined
  /** Runs for each possible fault: a look-back that is too short, a wrong clock, or transfers that nothing asked for. */
  readonly onWarning?: (warning: LookBack.Warning) => Effect.Effect<void>
  /**
   * Pages to request at once. The client requests fewer while the service is overloaded.
   * @default 16 in a first load of one process, 8 otherwise
   */
  readonly concurrency?: number | undefined
  /**
   * Spreads a first load over windows, which other processes may read too, see MirrorWorkers. This effect runs
   * meanwhile, to start them.
   * @default one process, unless the load was begun otherwise
   */
  readonly workers?: Effect.Effect<unknown>
  /**
   * If more transfers are missing from the service's responses than can have vanished, the sync fails and marks none,
   * unless at most this many are missing. The run that needs it sets it to 0, so it holds for no other.
   * @default 0
   */
  readonly allowVanished?: Ref.Ref<number> | undefined
  /** Runs after every interval. */
  readonly onProgress?: (progress: Progress) => Effect.Effect<void>
}

/** The progress of a run. */
export interface Progress {
  readonly kind: SyncRun.Kind
  /** Transfers read so far, by earlier runs of the same backfill too. */
  readonly transfers: number
  /** An estimate of the share of this run's requests that are done. Absent while there is nothing to estimate from. */
  readonly share: number | undefined
}

export type { Kind } from "./internal/SyncRun.ts"
export type { Missed } from "./internal/Drift.ts"
export type { Warning } from "./internal/LookBack.ts"

/** What a run did. */
export interface Report {
  readonly kind: SyncRun.Kind
  readonly pages: number
  readonly transfers: number
  readonly created: number
  readonly changed: number
  readonly vanished: number
  /** What passes had missed, of all that a verification found. Absent of other runs. */
  readonly missed?: ReadonlyArray<Drift.Missed>
  /** Transfers that may still change. */
  readonly open: number
  /** Everything created before it is in the mirror, as its status says. Absent if everything is in doubt. */
  readonly watermark: Timestamp.Timestamp | undefined
}

/** One process uses what the service allows before a second one pays. Twice as many at once take an eighth more requests. */
const defaultConcurrency = { load: 16, other: 8 }

/** How far a service's clock may be ahead of ours when a load begins. */
const ahead = Duration.days(1)

/** The last instant that a mirror holds: a pass does not end by our clock, which may be far behind the service's. */
const end = Timestamp.fromEpochNanoseconds(2n ** 63n - 1n)

/**
 * Loads what is missing, then makes one pass: afterwards each transfer is as it was when this sync began, or later.
 *
 * @example
 * const [report] = await run(MirrorSync.sync({ partner_id: "demo" }))
 * [report.kind, report.created] // => ["pass", 0]
 */
export const sync = Effect.fn("MirrorSync.sync")((options: Options) =>
  Reconnecting.retried((attempts) =>
    Effect.gen(function* () {
      const { partner_id } = options
      yield* saveCapabilities(partner_id)
      yield* MirrorSettlement.adopt(partner_id)
      const isBegun = (yield* SyncTables.watermark(partner_id)) !== undefined
      const [loaded, fresh] = isBegun ? [yield* loadedBefore(partner_id, attempts)] : yield* backfill(options, attempts)
      yield* SyncTables.completeTotals(partner_id)
      yield* SyncTables.completeIndexes
      const passed = yield* pass(options, attempts, fresh)
      return loaded === undefined ? [passed] : [loaded, passed]
    }),
  ).pipe(MirrorLease.holding([options.partner_id])),
)

/** The load of an earlier attempt, which ended after it. */
const loadedBefore = Effect.fnUntraced(function* (partner_id: string, attempts: Attempts.Attempts) {
  const isOurs = yield* Attempts.has(attempts, "backfill")
  return isOurs ? yield* RunRecord.report(partner_id, "backfill", attempts) : undefined
})

/**
 * Reads everything again since the mirror begins, and repairs it. `missed` is what passes had not seen, or not again.
 *
 * @example
 * const [report] = await run(Effect.map(MirrorSync.verify({ partner_id: "demo" }), (one) => [one]))
 * [report.transfers, report.missed] // => [45, []]
 */
export const verify = Effect.fn("MirrorSync.verify")((options: Options) =>
  Reconnecting.retried((attempts) =>
    Effect.gen(function* () {
      const { partner_id } = options
      yield* SyncOrigin.check(partner_id)
      yield* MirrorSettlement.adopt(partner_id)
      const { recent, last } = yield* LookBack.of(partner_id, options.lookBack)
      const baseline = last && { kind: "missed" as const, before: last.epochNanoseconds, within: CreatedAt.not(recent) }
      const [report] = yield* RunRecord.recorded({ partner_id, kind: "verify", attempts, baseline }, (run, { began }) =>
        Effect.gen(function* () {
          const since = yield* SyncTables.sinceFloor(partner_id)
          const ends = Timestamp.parseUnsafe(began)
          yield* scan(options, run, { created_at: CreatedAt.and(since, CreatedAt.lt(end)), ends })
          yield* run.confirm(options)
          yield* Doubts.clear(partner_id)
        }),
      )
      const { found } = yield* Attempts.of(attempts, "verify")
      const missed = Drift.missed(found, { recent, began: last }, yield* Dialect.Dialect)
      return { ...report, missed } satisfies Report
    }),
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

const backfill = Effect.fn("MirrorSync.backfill")((options: Options, attempts: Attempts.Attempts) =>
  RunRecord.recorded(
    { partner_id: options.partner_id, kind: "backfill", attempts },
    (run, { run_id, started_at: since }) =>
      Effect.gen(function* () {
        const { partner_id } = options
        const saved = yield* LoadPosition.resumable(partner_id)
        const started_at = Timestamp.parseUnsafe(since)
        const position = saved ?? { started_at, until: Timestamp.plus(started_at, ahead) }
        if (saved === undefined) yield* LoadPosition.begin(partner_id, position)
        const isSpread = yield* MirrorWorkers.isSpread(partner_id)
        const read = isSpread ? yield* SyncWindows.unclaimed(partner_id) : unreadOf(position)
        const created_at = CreatedAt.lt(position.until)
        if (options.workers !== undefined || isSpread) {
          yield* spread(options, run, { run_id, position })
          const { checkpoint } = position
          // What is left is what came and is not there yet.
          if (checkpoint !== undefined && !CreatedAt.isEmpty(Checkpoint.due(checkpoint))) {
            yield* scan(options, run, { created_at, resume: { ...checkpoint, remaining: [] } })
          }
        } else {
          yield* scan(options, run, {
            created_at,
            ends: position.started_at,
            ...(position.checkpoint === undefined ? {} : { resume: position.checkpoint }),
            isFirst: position.checkpoint === undefined && !(yield* SyncTables.hasTransfers(partner_id)),
            state: (checkpoint) => ({ backfill: LoadPosition.encode({ ...position, checkpoint }) }),
          })
          yield* run.confirm(options)
        }
        // A load that was resumed may have read a second before it came into doubt.
        if (saved === undefined) yield* Doubts.clear(partner_id)
        yield* advance(partner_id, position.started_at)
        const fresh: Fresh = { since, read }
        return fresh
      }),
  ),
)

const unreadOf = ({ checkpoint, until }: LoadPosition.LoadPosition): CreatedAt.CreatedAt =>
  checkpoint === undefined ? CreatedAt.lt(until) : Checkpoint.remaining(checkpoint)

/** The same over windows, which other processes read too. */
const spread = Effect.fnUntraced(function* (
  options: Options,
  { kind, counts }: SyncRun.SyncRun,
  { run_id, position }: { readonly run_id: bigint; readonly position: LoadPosition.LoadPosition },
) {
  const { partner_id, concurrency = defaultConcurrency.other, workers = Effect.void, onProgress } = options
  const totals = yield* MirrorWorkers.load(
    { partner_id, concurrency, worker: MirrorWorkers.nameHere },
    {
      run_id,
      until: position.until,
      remaining: position.checkpoint?.remaining ?? [{ lt: position.until }],
      workers,
      onProgress: (totals) =>
        onProgress?.({ kind, transfers: totals.transfers, share: SyncWindows.share(totals) }) ?? Effect.void,
    },
  )
  counts.pages = totals.pages
  counts.transfers = totals.transfers
})

// ---------------------------------------------------------------------------------------------------- pass

const pass = Effect.fn("MirrorSync.pass")(function* (options: Options, attempts: Attempts.Attempts, fresh?: Fresh) {
  const { partner_id, concurrency = defaultConcurrency.other } = options
  const { recent, last, warnings } = yield* LookBack.of(partner_id, options.lookBack)
  yield* warn(options, warnings)
  const before = last?.epochNanoseconds
  const baseline = before === undefined ? undefined : { kind: "observed" as const, before, within: CreatedAt.all }
  const [report] = yield* RunRecord.recorded(
    { partner_id, kind: "pass", since: fresh?.since, attempts, baseline },
    (run, { began, clock }) =>
      Effect.gen(function* () {
        const [started, byClock] = [Timestamp.parseUnsafe(began), Timestamp.parseUnsafe(clock)]
        yield* scan(options, run, { created_at: CreatedAt.and(recent, CreatedAt.lt(end)) })
        const slice = yield* Rereading.next(partner_id, options.rereads, { clock: byClock, recent })
        const elsewhere = CreatedAt.or(slice.window, fresh?.read ?? CreatedAt.none)
        const older = CreatedAt.difference(CreatedAt.not(recent), elsewhere)
        const requests = RefreshPlan.plan(yield* SyncTables.openSeconds(partner_id, older, vanishedSince(started)))
        yield* Effect.forEach(requests, (request) => refresh(options, run, RefreshPlan.createdAt(request)), {
          concurrency,
          discard: true,
        })
        yield* scan(options, run, { created_at: slice.window, baseline: baseline && { ...baseline, kind: "missed" } })
        yield* run.confirm(options)
        yield* advance(partner_id, byClock, { ...slice.state, ...FinalStatuses.passed })
      }),
  )
  return report satisfies Report
})

/** A history is stamped by the mirror's clock: one that was set back, or ahead before, is not what users expect. */
const warn = Effect.fnUntraced(function* ({ onWarning }: Options, warnings: ReadonlyArray<LookBack.Warning>) {
  if (onWarning === undefined) return
  yield* Effect.forEach([...warnings, ...(yield* ClockCheck.warnings)], onWarning, { discard: true })
})

/** The intervals that are read concurrently are disjoint, so no older response can overwrite a newer one. */
const refresh = Effect.fnUntraced(function* (options: Options, run: SyncRun.SyncRun, window: CreatedAt.CreatedAt) {
  const { pages, ...reading } = yield* Vanishing.readAll(window)
  yield* run.apply(reading, pages)
  yield* options.onProgress?.({ kind: run.kind, transfers: run.counts.transfers, share: undefined }) ?? Effect.void
})

// ---------------------------------------------------------------------------------------------------- both

const scan = (
  { concurrency, onProgress, onWarning }: Options,
  run: SyncRun.SyncRun,
  reading: Pick<SyncScan.Options, "created_at" | "ends" | "resume" | "state" | "isFirst" | "baseline">,
) =>
  SyncScan.scan(run, {
    ...reading,
    concurrency: concurrency ?? defaultConcurrency[run.kind === "backfill" ? "load" : "other"],
    onProgress: (transfers, share) => onProgress?.({ kind: run.kind, transfers, share }) ?? Effect.void,
    onOutside: (transfers) => {
      const message = `the service sent ${counted(transfers, "transfer")} outside the filters; they are left out`
      return onWarning?.({ about: "outside", message }) ?? Effect.void
    },
  })

/** What vanished since then is searched for again. */
const vanishedSince = (started: Timestamp.Timestamp): string =>
  Timestamp.toDate(Timestamp.lookBack(started, Vanishing.searchedFor)).toISOString()

/**
 * Only after a whole pass: everything up to the latest creation is there, unless it appeared while we were reading. An
 * earlier watermark that is to come is of a clock that was ahead.
 */
const advance = Effect.fnUntraced(function* (
  partner_id: string,
  { epochNanoseconds: started }: Timestamp.Timestamp,
  state: Readonly<Record<string, string>> = {},
) {
  const before = yield* SyncTables.watermark(partner_id)
  const reached = (yield* SyncTables.latestCreation(partner_id, started)) ?? started
  const kept = before !== undefined && before <= started ? before : reached
  const watermark = reached > kept ? reached : kept
  yield* SyncTables.setState(partner_id, { ...state, watermark: watermark.toString() })
})
