/** A run of a sync: what was read is applied to the mirror, counted, and what was not found is looked for once more. */
import type * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as RefreshPlan from "@transferkit/domain/RefreshPlan"
import * as SearchRequest from "@transferkit/domain/SearchRequest"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import * as TransferPager from "@transferkit/domain/TransferPager"
import type { TransferPagerError } from "@transferkit/domain/TransferPagerError"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import type { MirrorError } from "../MirrorError.ts"
import { type Applied, type Reading, type TransferEvent, TransferMirror } from "../TransferMirror.ts"
import * as SyncTables from "./SyncTables.ts"

/** The first load, a pass over what may have changed, or a reading of everything to compare. */
export type Kind = "backfill" | "pass" | "verify"

/** What was read of the service. */
export type Portion = Pick<Reading, "window" | "transfers" | "state">

export type Failure = MirrorError | TransferApiError | TransferPagerError

/** A run under way. */
export interface SyncRun {
  readonly kind: Kind
  readonly counts: SyncTables.Counts
  /** Applies what was read, and returns what was different. */
  readonly apply: (
    reading: Portion,
    pages: number,
  ) => Effect.Effect<ReadonlyArray<TransferEvent>, Failure, TransferMirror | TransferPager.TransferPager>
}

export interface Options {
  readonly partner_id: string
  readonly run_id: bigint
  readonly kind: Kind
  /** The instant of what is applied next. */
  readonly stamp: Effect.Effect<string>
  /** Runs each transaction: within a larger one, or not at all. */
  readonly guard?: Guard
}

export type Guard = (
  apply: Effect.Effect<Applied, MirrorError>,
  read: { readonly pages: number; readonly transfers: number },
) => Effect.Effect<Applied | undefined, MirrorError, TransferMirror>

export const make = Effect.fnUntraced(function* ({
  partner_id,
  run_id,
  kind,
  stamp,
  guard = (apply) => apply,
}: Options) {
  const mirror = yield* TransferMirror
  const floor = yield* SyncTables.floor(partner_id)
  const counts = { pages: 0, transfers: 0, created: 0, changed: 0, vanished: 0 }
  const apply = Effect.fnUntraced(function* (reading: Portion, pages: number, isConfirmed: boolean) {
    const seen_at = yield* stamp
    const applied = yield* guard(
      mirror.apply({ ...reading, partner_id, run_id, seen_at, logsCreated: kind !== "backfill", floor, isConfirmed }),
      { pages, transfers: isConfirmed ? 0 : reading.transfers.length },
    )
    counts.pages += pages
    for (const { event } of applied?.events ?? []) counts[countOf[event]]++
    return applied ?? { events: [], missing: [] }
  })
  const run: SyncRun = {
    kind,
    counts,
    apply: Effect.fnUntraced(function* (reading, pages) {
      const { events, missing } = yield* apply(reading, pages, false)
      const found = [...events]
      counts.transfers += reading.transfers.length
      for (const request of RefreshPlan.plan(secondsOf(missing))) {
        const { pages: read, ...again } = yield* readAll(RefreshPlan.createdAt(request))
        found.push(...(yield* apply(again, read, true)).events)
      }
      return found
    }),
  }
  return run
})

/** Everything that the service has of these creation times. */
export const readAll = Effect.fnUntraced(function* (window: CreatedAt.CreatedAt) {
  const pager = yield* TransferPager.TransferPager
  const report = yield* Ref.make(TransferPager.emptyReport)
  const pages = yield* Stream.runCollect(pager.pages({ created_at: window }, { report, prefetch: 0 }))
  return { window, transfers: pages.flat(), pages: (yield* Ref.get(report)).tally.pages }
})

/** A transfer that was not read is looked for by itself, so every second is a request. The instants are in order. */
const secondsOf = (instants: ReadonlyArray<bigint>): ReadonlyArray<RefreshPlan.Second> =>
  [...new Set(instants.map((instant) => Timestamp.epochSeconds(Timestamp.fromEpochNanoseconds(instant))))].map(
    (at, index) => ({ second: at, transfers: 1, before: index * SearchRequest.maxLimit }),
  )

const countOf = {
  created: "created",
  reappeared: "created",
  changed: "changed",
  vanished: "vanished",
} as const satisfies Record<TransferEvent["event"], keyof SyncTables.Counts>
