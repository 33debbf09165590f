/**
 * The share of a scan's requests that is done. A scan does not know how far back a history goes before it is there, so it
 * expects too little first, then too much. Once the first day is known, what is left is as dense as what was read.
 */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import type * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as SearchRequest from "@transferkit/domain/SearchRequest"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { TransferPager } from "@transferkit/domain/TransferPager"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type * as Scope from "effect/Scope"
import * as FirstDay from "./FirstDay.ts"

/** When the transfers of a history were created. */
interface History {
  readonly from: Timestamp.Timestamp
  readonly until: Timestamp.Timestamp
}

/** How far a scan is. */
interface Progress {
  /** Absent before its first day is known. */
  readonly history: History | undefined
  readonly checkpoint: Checkpoint.Checkpoint
  /** Those that it has requested. */
  readonly pages: number
}

/** Requests that a scan takes for a page: windows end with half of one, and some are read again. */
const perPage = 1.2

/** What is scanned, and until when. */
export interface Options {
  readonly created_at: CreatedAt.CreatedAt
  /** When the last transfers may have been created. */
  readonly ends: Timestamp.Timestamp
  readonly onSeen: FirstDay.Options["onSeen"]
}

/** Requests after which a scan is long enough to ask where the history begins, which takes a dozen. */
const longEnough = 200

/** Computes the share after each interval. It looks up the first day meanwhile; if that fails, the share stays unknown. */
export const make = Effect.fnUntraced(function* (
  pager: TransferPager["Service"],
  { created_at, ends: until, onSeen }: Options,
): Effect.fn.Return<
  (checkpoint: Checkpoint.Checkpoint, pages: number) => Effect.Effect<number | undefined>,
  never,
  Scope.Scope
> {
  const history = yield* Ref.make<History | undefined>(undefined)
  const isLong = yield* Deferred.make<void>()
  yield* Deferred.await(isLong).pipe(
    Effect.andThen(FirstDay.find(pager, created_at, { until, onSeen })),
    Effect.flatMap((from) => Ref.set(history, { from, until })),
    Effect.ignore,
    Effect.forkScoped,
  )
  return Effect.fnUntraced(function* (checkpoint: Checkpoint.Checkpoint, pages: number) {
    if (pages >= longEnough && !Checkpoint.isComplete(checkpoint)) yield* Deferred.succeed(isLong, undefined)
    return of({ history: yield* Ref.get(history), checkpoint, pages })
  })
})

/** By a guess; absent while there is nothing to guess by. */
const of = ({ history, checkpoint, pages }: Progress): number | undefined => {
  if (Checkpoint.isComplete(checkpoint)) return 1
  if (history === undefined) return undefined
  const { remaining, transfers } = checkpoint
  const left = secondsIn(remaining, history)
  const read = secondsIn([{}], history) - left
  return read <= 0 ? undefined : pages / (pages + (perPage * (transfers / read) * left) / SearchRequest.maxLimit)
}

/** How long the intervals last within a history. */
const secondsIn = (intervals: Checkpoint.Checkpoint["remaining"], { from, until }: History): number =>
  intervals.reduce((sum, { gte = from, lt = until }) => {
    const [first, end] = [
      Math.max(Timestamp.epochSeconds(gte), Timestamp.epochSeconds(from)),
      Math.min(Timestamp.epochSeconds(lt), Timestamp.epochSeconds(until)),
    ]
    return sum + Math.max(0, end - first)
  }, 0)
