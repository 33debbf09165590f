/**
 * Keeps a mirror the same as the service. The service filters by creation only and transfers change afterwards, so a
 * pass reads what was created since a while before the last one, and asks again for every older transfer that may
 * still change. Each interval that was read is applied in one transaction, with the position, so a sync may be killed
 * at any moment.
 */
import * as Capabilities from "@transferkit/domain/Capabilities"
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as RefreshPlan from "@transferkit/domain/RefreshPlan"
import * as SearchRequest from "@transferkit/domain/SearchRequest"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { TransferApi } from "@transferkit/domain/TransferApi"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import * as TransferPager from "@transferkit/domain/TransferPager"
import type { TransferPagerError } from "@transferkit/domain/TransferPagerError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as Stream from "effect/Stream"
import * as SyncTables from "./internal/SyncTables.ts"
import type { MirrorError } from "./MirrorError.ts"
import { type Reading, type TransferEvent, TransferMirror } from "./TransferMirror.ts"

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
  /** Told after every interval. */
  readonly onProgress?: (progress: Progress) => Effect.Effect<void>
}

/** How a run is getting on. */
export interface Progress {
  readonly kind: Kind
  /** Transfers read so far, by earlier runs of the same backfill too. */
  readonly transfers: number
  /** Transfers that are still to come, by a guess. */
  readonly expected: number
}

/** The first load, a pass over what may have changed, or a reading of everything to compare. */
export type Kind = "backfill" | "pass" | "verify"

/** What a run did. */
export interface Report {
  readonly kind: Kind
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

/** How far a service's clock may be ahead of ours. */
const ahead = Duration.days(1)

/** Loads what is missing, then makes one pass: afterwards the mirror is the same as the service. */
export const sync = Effect.fn("MirrorSync.sync")(function* (options: Options) {
  yield* saveCapabilities(options.partner_id)
  const first = (yield* SyncTables.watermark(options.partner_id)) === undefined ? [yield* backfill(options)] : []
  yield* SyncTables.completeTotals(options.partner_id)
  return [...first, yield* pass(options)]
})

/** Reads everything again since the mirror begins, and repairs it: whatever this finds had been missed. */
export const verify = Effect.fn("MirrorSync.verify")((options: Options) =>
  recorded(options, "verify", (run) =>
    Effect.gen(function* () {
      const until = Timestamp.plus(yield* now, ahead)
      const floor = yield* SyncTables.floor(options.partner_id)
      const first = floor === undefined ? CreatedAt.all : CreatedAt.gte(Timestamp.fromEpochNanoseconds(floor))
      yield* scan(options, run, { created_at: CreatedAt.and(first, CreatedAt.lt(until)) })
    }),
  ),
)

const saveCapabilities = Effect.fnUntraced(function* (partner_id: string) {
  const api = yield* TransferApi
  yield* SyncTables.setState(partner_id, { capabilities: JSON.stringify(yield* api.capabilities) })
})

/** What the service supports, as the last sync saw it. */
export const capabilities = Effect.fn("MirrorSync.capabilities")(function* (partner_id: string) {
  const text = yield* SyncTables.state(partner_id, "capabilities")
  return text === undefined ? undefined : Result.getOrThrow(Capabilities.fromJson(text))
})

/**
 * The creation times that the mirror of a partner has completely, but for transfers that appear later than `lookBack`.
 * Absent before the first complete pass.
 */
export const coverage = Effect.fn("MirrorSync.coverage")(function* (partner_id: string) {
  const started_at = yield* SyncTables.lastPass(partner_id)
  if (started_at === undefined) return undefined
  const floor = yield* SyncTables.floor(partner_id)
  return {
    since: floor === undefined ? Timestamp.earliest : Timestamp.fromEpochNanoseconds(floor),
    until: Timestamp.parseUnsafe(started_at),
  }
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

const backfill = Effect.fn("MirrorSync.backfill")((options: Options) =>
  recorded(options, "backfill", (run) =>
    Effect.gen(function* () {
      const { partner_id } = options
      const saved = yield* SyncTables.state(partner_id, "backfill")
      const started_at = yield* now
      const position: typeof Backfill.Type =
        saved === undefined
          ? { started_at, until: Timestamp.plus(started_at, ahead) }
          : yield* Effect.orDie(decodeBackfill(saved))
      if (saved === undefined) yield* SyncTables.setState(partner_id, { backfill: encodeBackfill(position) })
      yield* scan(options, run, {
        created_at: CreatedAt.lt(position.until),
        ...(position.checkpoint === undefined ? {} : { resume: position.checkpoint }),
        state: (checkpoint) => ({ backfill: encodeBackfill({ ...position, checkpoint }) }),
      })
      yield* advance(partner_id, position.started_at)
    }),
  ),
)

// ---------------------------------------------------------------------------------------------------- pass

const pass = Effect.fn("MirrorSync.pass")((options: Options) =>
  recorded(options, "pass", (run) =>
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
      const requests = RefreshPlan.plan(yield* SyncTables.openSeconds(partner_id, first.epochNanoseconds))
      yield* Effect.forEach(requests, (request) => refresh(options, run, RefreshPlan.createdAt(request)), {
        concurrency,
        discard: true,
      })
      yield* advance(partner_id, started)
    }),
  ),
)

/** The intervals that are read concurrently are disjoint, so no older response can overwrite a newer one. */
const refresh = Effect.fnUntraced(function* (options: Options, run: Run, window: CreatedAt.CreatedAt) {
  const { pages, ...reading } = yield* read(window)
  yield* run.apply(reading, pages)
  yield* options.onProgress?.({ kind: run.kind, transfers: run.counts.transfers, expected: 0 }) ?? Effect.void
})

// ---------------------------------------------------------------------------------------------------- both

interface Scanning {
  readonly created_at: CreatedAt.CreatedAt
  readonly resume?: Checkpoint.Checkpoint
  /** State to save with each batch. */
  readonly state?: (checkpoint: Checkpoint.Checkpoint) => Readonly<Record<string, string>>
}

const scan = Effect.fnUntraced(function* (options: Options, run: Run, { created_at, resume, state }: Scanning) {
  const pager = yield* TransferPager.TransferPager
  const report = yield* Ref.make(TransferPager.emptyReport)
  let pages = 0
  yield* Stream.runForEach(
    pager.scan(
      { created_at },
      { report, concurrency: options.concurrency ?? defaultConcurrency, ...(resume === undefined ? {} : { resume }) },
    ),
    Effect.fnUntraced(function* ({ results, window, checkpoint, expected }) {
      const { tally } = yield* Ref.get(report)
      const reading = { window, transfers: results, ...(state === undefined ? {} : { state: state(checkpoint) }) }
      yield* run.apply(reading, tally.pages - pages)
      pages = tally.pages
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

/** What was read of the service. */
type Portion = Pick<Reading, "window" | "transfers" | "state">

/** A run under way. */
interface Run {
  readonly kind: Kind
  readonly counts: SyncTables.Counts
  readonly apply: (reading: Portion, pages: number) => Effect.Effect<void, Failure, TransferPager.TransferPager>
}

type Failure = MirrorError | TransferApiError | TransferPagerError

/** A transfer that was not read is looked for by itself, so every second is a request. */
const secondsOf = (instants: ReadonlyArray<bigint>): ReadonlyArray<RefreshPlan.Second> =>
  [...new Set(instants.map((instant) => Timestamp.epochSeconds(Timestamp.fromEpochNanoseconds(instant))))]
    .sort((a, b) => a - b)
    .map((at, index) => ({ second: at, transfers: 1, before: index * SearchRequest.maxLimit }))

const read = Effect.fnUntraced(function* (window: CreatedAt.CreatedAt) {
  const pager = yield* TransferPager.TransferPager
  const report = yield* Ref.make(TransferPager.emptyReport)
  const pages = yield* Stream.runCollect(pager.pages({ created_at: window }, { report, prefetch: 0 }))
  return { window, transfers: pages.flat(), pages: (yield* Ref.get(report)).tally.pages }
})

/** Records a run, whatever becomes of it. */
const recorded = Effect.fnUntraced(function* <E, R>(
  { partner_id }: Options,
  kind: Kind,
  body: (run: Run) => Effect.Effect<void, E, R>,
) {
  const mirror = yield* TransferMirror
  const stamp = yield* stamps
  const run_id = yield* SyncTables.startRun(partner_id, kind, yield* stamp)
  const floor = yield* SyncTables.floor(partner_id)
  const counts = { pages: 0, transfers: 0, created: 0, changed: 0, vanished: 0 }
  const apply = Effect.fnUntraced(function* (reading: Portion, pages: number, isConfirmed: boolean) {
    const seen_at = yield* stamp
    const logsCreated = kind !== "backfill"
    const { events, missing } = yield* mirror.apply({
      ...reading,
      partner_id,
      run_id,
      seen_at,
      logsCreated,
      floor,
      isConfirmed,
    })
    counts.pages += pages
    for (const { event } of events) counts[countOf[event]]++
    return missing
  })
  const run: Run = {
    kind,
    counts,
    apply: Effect.fnUntraced(function* (reading, pages) {
      const missing = yield* apply(reading, pages, false)
      counts.transfers += reading.transfers.length
      for (const request of RefreshPlan.plan(secondsOf(missing))) {
        const again = yield* read(RefreshPlan.createdAt(request))
        yield* apply(again, again.pages, true)
      }
    }),
  }
  yield* Effect.onExit(body(run), (exit) =>
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
  return report
})

const countOf = {
  created: "created",
  reappeared: "created",
  changed: "changed",
  vanished: "vanished",
} as const satisfies Record<TransferEvent["event"], keyof SyncTables.Counts>

const now = Effect.map(Clock.currentTimeMillis, (millis) => Timestamp.fromDate(new Date(millis)))

/** The instant of what was just seen, never before one that is stored: the history has to be in order. */
const stamps = Effect.map(SyncTables.lastStamp, (stored) => {
  let last = stored ?? ""
  return Effect.map(Clock.currentTimeMillis, (millis) => {
    const now = new Date(millis).toISOString()
    return (last = now > last ? now : last)
  })
})
