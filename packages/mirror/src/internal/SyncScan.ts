/** Reads intervals with a scan, and applies what it finds in transactions of a size that suits the run. */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { IdSet } from "@transferkit/domain/IdSet"
import type * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import type { TransferMirror } from "../TransferMirror.ts"
import type * as FirstDay from "./FirstDay.ts"
import type * as Lateness from "./Lateness.ts"
import * as ScanShare from "./ScanShare.ts"
import type * as SyncRun from "./SyncRun.ts"
import * as SyncTables from "./SyncTables.ts"

/**
 * The most transfers of a load per transaction: larger ones write fewer pages of the indexes. What is not written when a
 * load is killed is read again, so it is never more than a tenth of what was read.
 */
const mostHeld = 2000

/** The most text beyond that of ordinary transfers that waits for a transaction, in characters. */
export const mostExcess = 16 * 1024 * 1024

/** What to read, and how. */
export interface Options {
  readonly created_at: CreatedAt.CreatedAt
  readonly concurrency: number
  readonly resume?: Checkpoint.Checkpoint
  /** State to save with each transaction. */
  readonly state?: (checkpoint: Checkpoint.Checkpoint) => Readonly<Record<string, string>>
  /** Whether the mirror has no transfer of these creation times. */
  readonly isFirst?: boolean
  /** What the lateness of new transfers is measured against. */
  readonly baseline?: Lateness.Baseline | undefined
  /** When the last transfers may have been created. Without it, no share is estimated. */
  readonly ends?: Timestamp.Timestamp
  /** Runs after every interval, with the transfers so far and an estimate of the share of requests that are done. */
  readonly onProgress: (transfers: number, share: number | undefined) => Effect.Effect<void>
  /** Runs at the end if the service sent transfers that were not asked for, with their number. */
  readonly onOutside: (transfers: number) => Effect.Effect<void>
}

export const scan: (
  run: SyncRun.SyncRun,
  options: Options,
) => Effect.Effect<void, SyncRun.Failure, TransferMirror | TransferPager.TransferPager | TransferApi> =
  Effect.fnUntraced(function* (
    run,
    { created_at, concurrency, resume, state, isFirst = false, baseline, ends, onProgress, onOutside },
  ) {
    if (CreatedAt.isEmpty(created_at)) return
    const pager = yield* ends === undefined ? TransferPager.TransferPager : limited(concurrency)
    const report = yield* Ref.make(TransferPager.emptyReport)
    let pages = 0
    let excess = 0
    let window = CreatedAt.none
    // A transfer whose creation time changes meanwhile may be in two windows: the last response wins.
    const held = new Map<string, Transfer>()
    const seen: Array<FirstDay.Seen> = []
    const onSeen = (transfers: ReadonlyArray<FirstDay.Seen>) => void seen.push(...transfers)
    const share =
      ends === undefined ? () => Effect.undefined : yield* ScanShare.make(pager, { created_at, ends, onSeen })
    const apply = Effect.fnUntraced(function* (checkpoint: Checkpoint.Checkpoint) {
      const { tally } = yield* Ref.get(report)
      const reading = {
        window,
        transfers: [...held.values()],
        isFirst,
        ...(state && { state: state(checkpoint) }),
        ...(baseline && { baseline }),
      }
      window = CreatedAt.none
      held.clear()
      excess = 0
      yield* run.apply(reading, tally.pages - pages)
      pages = tally.pages
    })
    // What came before the checkpoint and is not in the mirror has to be found.
    const earlier = resume === undefined ? {} : { resume }
    const delivered = resume === undefined ? new IdSet() : yield* SyncTables.ids(run.partner_id)
    yield* Stream.runForEach(
      pager.scan({ created_at }, { report, concurrency, moved: "deliver", delivered, ...earlier }),
      Effect.fnUntraced(function* ({ results, checkpoint, ...read }) {
        window = CreatedAt.or(window, read.window)
        for (const transfer of results) held.set(transfer.id, transfer)
        excess += read.excess
        const isEnough = excess > mostExcess || held.size >= Math.min(mostHeld, checkpoint.transfers / 10)
        if (run.kind !== "backfill" || isEnough || Checkpoint.isComplete(checkpoint)) yield* apply(checkpoint)
        const { tally } = yield* Ref.get(report)
        yield* onProgress(checkpoint.transfers, yield* share(checkpoint, tally.pages))
      }),
    )
    const { outside } = (yield* Ref.get(report)).tally
    if (outside > 0) yield* onOutside(outside)
    const given_up = seen.filter(({ id }) => !delivered.has(id))
    if (given_up.length === 0) return
    const query = Checkpoint.fingerprint({ created_at })
    const left: Checkpoint.Checkpoint = { version: 2, query, transfers: 0, remaining: [], given_up }
    yield* scan(run, { created_at, concurrency, resume: left, onProgress: () => Effect.void, onOutside })
  }, Effect.scoped)

/** A pager for several scans, which together have at most this many requests in flight. */
const limited = Effect.fnUntraced(function* (concurrency: number) {
  const api = yield* TransferApi
  const { withPermit } = yield* Semaphore.make(concurrency)
  const search: typeof api.search = (request) => withPermit(api.search(request))
  return yield* Effect.provideService(TransferPager.make, TransferApi, { ...api, search })
})
