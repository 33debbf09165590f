/**
 * A first load that is spread over processes. Its windows are items of a queue in the mirror's database, which delivers
 * at least once. Whoever takes an item claims its window, and each transaction that writes transfers also writes how
 * far the window was read, if the claim still holds: so each window is written exactly once.
 */
import * as Crypto from "node:crypto"
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as Cause from "effect/Cause"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import * as Doubts from "./internal/Doubts.ts"
import * as Driver from "./internal/Driver.ts"
import * as FirstDay from "./internal/FirstDay.ts"
import * as Lease from "./internal/Lease.ts"
import * as MirrorClock from "./internal/MirrorClock.ts"
import * as SyncOrigin from "./internal/SyncOrigin.ts"
import * as SyncRun from "./internal/SyncRun.ts"
import { mostExcess } from "./internal/SyncScan.ts"
import * as SyncWindows from "./internal/SyncWindows.ts"
import * as WorkQueue from "./internal/WorkQueue.ts"
import { MirrorError, WindowsFailed } from "./MirrorError.ts"
import { TransferMirror } from "./TransferMirror.ts"

/** Whose windows a worker reads, and how. */
export interface Options {
  readonly partner_id: string
  /** The name of this worker in `WorkerStatus`. */
  readonly worker: string
  /**
   * Pages to request at once.
   * @default 8
   */
  readonly concurrency?: number
  /**
   * How long a worker that does not respond keeps its window.
   * @default 10 seconds
   */
  readonly lease?: Duration.Duration
  /**
   * A worker divides a window that has more transfers left than this if no other waits, and offers the parts to others.
   * @default 4000
   */
  readonly dense?: number
  /** Runs after each window that this worker has read to its end, with the transfers that it read of it. */
  readonly onWindow?: (transfers: number) => Effect.Effect<void>
}

/** The name of a worker in this process. */
export const nameHere = Lease.holder

/** Attempts in a row without progress, after which a window fails. */
const mostAttempts = 5

/** The most parts that a dense window is divided into. */
const mostParts = 16

/** Transfers per transaction. What is not written when a worker ends is read again by another. */
const mostHeld = 500

/** Windows that a load begins with. */
const firstParts = 32

// ---------------------------------------------------------------------------------------------------- work

/**
 * Reads windows until it is interrupted. A window that fails is retried a few times, by any worker.
 *
 * @example
 * const worker = MirrorWorkers.work({ partner_id: "demo", worker: MirrorWorkers.nameHere })
 * const { windows } = await run(Effect.raceFirst(worker, MirrorWorkers.finish("demo")))
 * windows.waiting // => 0
 */
export const work = Effect.fn("MirrorWorkers.work")(function* (options: Options) {
  const { partner_id, lease = WorkQueue.defaultLease } = options
  yield* SyncOrigin.check(partner_id)
  return yield* Effect.gen(function* () {
    const queue = yield* WorkQueue.make(partner_id)
    // A mirror that was empty may have become that of another service since.
    const next = queue.take(({ window_id }) =>
      Effect.andThen(SyncOrigin.check(partner_id), readWindow(window_id, options)),
    )
    for (;;) {
      const exit = yield* Effect.exit(next)
      if (Exit.isSuccess(exit)) continue
      // What cannot be written, not even that a window failed, as on a full disk.
      const failure = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
      if (failure instanceof MirrorError && !failure.isRetryable) return yield* failure
      // The queue delivers it again. The database may be restarting.
      yield* Effect.catchIf(SyncOrigin.check(partner_id), isTransient, () => Effect.void)
      yield* Effect.sleep("1 second")
    }
  }).pipe(WorkQueue.provide(lease))
})

const readWindow = Effect.fnUntraced(function* (window_id: string, options: Options) {
  const { partner_id, worker } = options
  const claim: SyncWindows.Claim = { partner_id, window_id, claim: Crypto.randomUUID() }
  const stamp = yield* clock
  const found = yield* SyncWindows.claim(claim, { worker, at: yield* stamp })
  // Done by a worker that could not report it to the queue.
  if (found === undefined) return
  const giveUp = (reason: string) => Effect.flatMap(stamp, (at) => SyncWindows.fail(claim, reason, at))
  if (found.attempts > mostAttempts) return yield* giveUp("its workers ended before they had read anything of it.")
  yield* readClaimed({ claim, found, stamp, options }).pipe(
    Effect.tapError((error) => Doubts.record(partner_id, error)),
    Effect.catchIf(
      (error) => !isTransient(error) || found.attempts >= mostAttempts,
      (error) => giveUp(error.message),
    ),
  )
})

/** Whether another attempt may succeed. A database may be restarting. */
const isTransient = (error: SyncRun.Failure): boolean => "isRetryable" in error && error.isRetryable

interface Reading {
  readonly claim: SyncWindows.Claim
  readonly found: SyncWindows.Claimed
  readonly stamp: Effect.Effect<string, MirrorError>
  readonly options: Options
}

const readClaimed = Effect.fnUntraced(function* ({ claim, found, stamp, options }: Reading) {
  const { partner_id, concurrency = 8, dense = 4000 } = options
  const pager = yield* TransferPager.TransferPager
  const { transaction } = Driver.of(yield* TransferMirror)
  const offer = yield* offering(partner_id)
  const stored = yield* SyncWindows.leftOf(partner_id, { window_id: claim.window_id, remaining: found.remaining })
  const report = yield* Ref.make(TransferPager.emptyReport)
  let left: Checkpoint.Checkpoint = stored
  let parts: ReadonlyArray<SyncWindows.Part> = []
  let isOver = false
  const guard: SyncRun.Guard = (apply, read) =>
    Effect.flatMap(stamp, (at) =>
      transaction(
        Effect.gen(function* () {
          const offered = parts
          parts = []
          isOver ||= offered.length > 0
          const now = isOver ? SyncWindows.nothing : left
          if (!(yield* SyncWindows.progress(claim, { ...read, left: now, at }))) {
            isOver = true
            return undefined
          }
          yield* offer.add(offered, { run_id: found.run_id, at })
          return yield* apply
        }),
      ),
    )
  const run = yield* SyncRun.make({ partner_id, run_id: found.run_id, kind: "backfill", stamp, guard })
  let [pages, transfers, excess] = [0, 0, 0]
  let window = CreatedAt.none
  // A transfer whose creation time changes meanwhile may be read twice: the last response wins.
  const held = new Map<string, Transfer>()
  const query = { created_at: CreatedAt.or(Checkpoint.remaining(stored), Checkpoint.due(stored)) }
  const resume = { ...stored, query: Checkpoint.fingerprint(query) }
  yield* Stream.runForEachWhile(
    pager.scan(query, { report, concurrency, moved: "deliver", resume }),
    Effect.fnUntraced(function* ({ results, checkpoint, expected, ...read }) {
      const { tally } = yield* Ref.get(report)
      left = checkpoint
      transfers = checkpoint.transfers
      window = CreatedAt.or(window, read.window)
      for (const transfer of results) held.set(transfer.id, transfer)
      // An estimate from few transfers is a poor one. Each part takes requests to find where its transfers are, so a window
      // is divided only for a worker that has nothing else to read.
      const isDense = expected > dense && checkpoint.transfers > dense / 4
      if (isDense && !(yield* SyncWindows.isAnyWaiting(partner_id))) {
        const divided = Checkpoint.split(checkpoint, Math.min(mostParts, Math.ceil((2 * expected) / dense)))
        if (divided.length > 1) parts = numbered(divided, `${claim.window_id}.`)
      }
      excess += read.excess
      if (held.size < mostHeld && excess <= mostExcess && parts.length === 0 && !Checkpoint.isComplete(left))
        return true
      const reading = { window, transfers: [...held.values()] }
      window = CreatedAt.none
      held.clear()
      excess = 0
      yield* run.apply(reading, tally.pages - pages)
      pages = tally.pages
      return !isOver
    }),
  )
  if (Checkpoint.isComplete(left) || isOver) yield* options.onWindow?.(transfers) ?? Effect.void
})

const numbered = (divided: ReadonlyArray<SyncWindows.Left>, prefix: string) =>
  divided.map((left, index): SyncWindows.Part => ({ window_id: `${prefix}${index + 1}`, left }))

/** Adds windows and offers them, both or neither. `round` distinguishes an offer of a window from an earlier one. */
const offering = Effect.fnUntraced(function* (partner_id: string) {
  const mirror = yield* TransferMirror
  const { transaction } = Driver.of(mirror)
  const queue = yield* WorkQueue.make(partner_id)
  const offer = (window_id: string, round = "") => queue.offer({ window_id }, { id: `${window_id}${round}` })
  const failed = (error: { readonly message: string }) =>
    new MirrorError({ kind: "unavailable", mirror: mirror.address, reason: error.message })
  return {
    add: (parts: ReadonlyArray<SyncWindows.Part>, { run_id, at }: { readonly run_id: bigint; readonly at: string }) =>
      transaction(
        Effect.andThen(
          SyncWindows.add(parts, { partner_id, run_id, at }),
          Effect.forEach(parts, ({ window_id }) => Effect.mapError(offer(window_id), failed), { discard: true }),
        ),
      ),
    reopen: (run_id: bigint, at: string) =>
      transaction(
        Effect.flatMap(
          SyncWindows.reopen(partner_id, at),
          Effect.forEach((window_id) => Effect.mapError(offer(window_id, `/${run_id}`), failed), { discard: true }),
        ),
      ),
  }
})

/**
 * Takes the instant of what is seen next. Not within the transaction that it stamps: workers would wait for each other
 * there, and their windows have no transfer in common.
 */
const clock = Effect.map(TransferMirror, (mirror) => Driver.of(mirror).run(MirrorClock.stamp))

/**
 * Waits until every window of a partner has been read or has failed. Fails if any has.
 *
 * @example
 * (await run(MirrorWorkers.finish("demo"))).windows // => { waiting: 0, running: 0, done: 0, failed: 0 }
 */
export const finish = Effect.fn("MirrorWorkers.finish")(function* (
  partner_id: string,
  onProgress: (totals: SyncWindows.Totals) => Effect.Effect<void> = () => Effect.void,
) {
  for (let look = 0; ; look++) {
    const totals = yield* SyncWindows.totals(partner_id)
    yield* onProgress(totals)
    const { waiting, running, failed, done } = totals.windows
    if (waiting + running === 0 && failed === 0) return totals
    if (waiting + running === 0) {
      const reason = yield* SyncWindows.firstError(partner_id)
      return yield* new WindowsFailed({ failed, windows: failed + done, reason })
    }
    // Every ten seconds.
    if (look % 50 === 0) {
      yield* SyncWindows.checkQueued(partner_id, WorkQueue.nameOf(partner_id))
      // The queue waits for ever in a database that cannot be written.
      yield* Effect.catchIf(Effect.asVoid(Effect.flatten(clock)), isTransient, () => Effect.void)
    }
    yield* Effect.sleep("200 millis")
  }
})

// ---------------------------------------------------------------------------------------------------- load

/** A first load to spread over windows. */
export interface Load {
  readonly run_id: bigint
  readonly remaining: Checkpoint.Checkpoint["remaining"]
  readonly until: Timestamp.Timestamp
  /** Runs meanwhile, to start other workers. */
  readonly workers: Effect.Effect<unknown>
  readonly onProgress: (totals: SyncWindows.Totals) => Effect.Effect<void>
}

/**
 * Whether the first load of a partner is spread over windows.
 *
 * @example
 * await run(MirrorWorkers.isSpread("demo")) // => false
 */
export const isSpread = (partner_id: string) =>
  Effect.map(SyncWindows.totals(partner_id), ({ windows }) => Object.values(windows).some((count) => count > 0))

/**
 * Spreads a first load over windows, or resumes one that was spread, and reads until every window is done or has failed.
 *
 * @example
 * const until = Timestamp.parseUnsafe("2030-01-01T00:00:00Z")
 * const all = { run_id: 1n, remaining: [{ lt: until }], until, workers: Effect.void, onProgress: () => Effect.void }
 * (await run(MirrorWorkers.load({ partner_id: "demo", worker: "one" }, all))).windows.failed // => 0
 */
export const load = Effect.fn("MirrorWorkers.load")(function* (options: Options, load: Load) {
  const { partner_id, lease = WorkQueue.defaultLease } = options
  yield* Effect.gen(function* () {
    const offer = yield* offering(partner_id)
    const mirror = yield* TransferMirror
    const { sql, transaction } = Driver.of(mirror)
    // Another sync may have begun a load since. These are not the windows of that one.
    const ours = <A, E, R>(body: Effect.Effect<A, E, R>) =>
      transaction(Effect.andThen(Lease.check(sql, partner_id, mirror.address), body))
    const at = yield* yield* clock
    if (yield* isSpread(partner_id)) yield* ours(offer.reopen(load.run_id, at))
    else {
      const left = yield* bounded(load)
      const divided = left.remaining.length === 0 ? [] : Checkpoint.split(SyncWindows.checkpointOf(left), firstParts)
      yield* ours(offer.add(numbered(divided, `${load.run_id}.`), { run_id: load.run_id, at }))
    }
  }).pipe(WorkQueue.provide(lease))
  return yield* Effect.raceAllFirst([
    work(options),
    Effect.andThen(load.workers, Effect.never),
    finish(partner_id, load.onProgress),
  ])
})

/** Cuts an interval without a lower bound where the history begins, so that the rest can be divided. */
const bounded = Effect.fnUntraced(function* ({ remaining, until }: Pick<Load, "remaining" | "until">) {
  const open = remaining.filter(({ gte }) => gte === undefined)
  if (open.length === 0) return { remaining }
  const seen: Array<FirstDay.Seen> = []
  const first = yield* FirstDay.find(yield* TransferPager.TransferPager, CreatedAt.lt(until), {
    until,
    onSeen: (transfers) => seen.push(...transfers),
  })
  const cut = remaining.flatMap((interval): Checkpoint.Checkpoint["remaining"] => {
    const { gte, lt = until } = interval
    if (gte !== undefined || Timestamp.compare(first, lt) >= 0) return [interval]
    return [{ lt: first }, { gte: first, lt }]
  })
  return { remaining: cut, given_up: seen }
})
