/** Reads an interval with a scan, and applies what it finds in transactions of a size that suits the run. */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import type { MirrorError } from "../MirrorError.ts"
import type { TransferEvent, TransferMirror } from "../TransferMirror.ts"
import type * as SyncRun from "./SyncRun.ts"

/**
 * Transfers of a load to a transaction, at the most: larger ones write fewer pages of the indexes. What is not written
 * when a load is killed is read again, so it is never more than a tenth of what was read.
 */
const mostHeld = 2000

/** What to read, and how. */
export interface Options {
  readonly created_at: CreatedAt.CreatedAt
  readonly concurrency: number
  readonly resume?: Checkpoint.Checkpoint
  /** State to save with each transaction. */
  readonly state?: (checkpoint: Checkpoint.Checkpoint) => Readonly<Record<string, string>>
  /** Told what was different in each transaction. */
  readonly onFound?: (events: ReadonlyArray<TransferEvent>) => Effect.Effect<void, MirrorError, TransferMirror>
  /** Told after every interval, with the transfers that are still to come, by a guess. */
  readonly onProgress: (transfers: number, expected: number) => Effect.Effect<void>
}

export const scan = Effect.fnUntraced(function* (
  run: SyncRun.SyncRun,
  { created_at, concurrency, resume, state, onFound = () => Effect.void, onProgress }: Options,
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
    pager.scan({ created_at }, { report, concurrency, ...(resume === undefined ? {} : { resume }) }),
    Effect.fnUntraced(function* ({ results, checkpoint, expected, ...read }) {
      window = CreatedAt.or(window, read.window)
      for (const transfer of results) held.set(transfer.id, transfer)
      const isEnough = held.size >= Math.min(mostHeld, checkpoint.transfers / 10)
      if (run.kind !== "backfill" || isEnough || Checkpoint.isComplete(checkpoint)) yield* apply(checkpoint)
      yield* onProgress(checkpoint.transfers, expected)
    }),
  )
})
