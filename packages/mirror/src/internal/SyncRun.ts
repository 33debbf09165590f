/** A run of a sync: applies what was read to the mirror, counts it, and searches once more for what was not found. */
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import type { TransferPager } from "@transferkit/domain/TransferPager"
import type { TransferPagerError } from "@transferkit/domain/TransferPagerError"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { MirrorError } from "../MirrorError.ts"
import type { Applied, Reading, TransferEvent } from "../MirrorReading.ts"
import { TransferMirror } from "../TransferMirror.ts"
import type * as Lateness from "./Lateness.ts"
import * as SyncTables from "./SyncTables.ts"
import * as Vanishing from "./Vanishing.ts"

/** The first load, a pass over what may have changed, or a reading of everything to compare. */
export type Kind = "backfill" | "pass" | "verify"

/** What was read from the service. */
export type Portion = Pick<Reading, "window" | "transfers" | "state" | "baseline" | "isFirst">

export type Failure = MirrorError | TransferApiError | TransferPagerError

/** A run under way. */
export interface SyncRun {
  readonly partner_id: string
  readonly kind: Kind
  readonly counts: SyncTables.Counts
  /** What a verification has found so far; of other runs, nothing is kept. */
  readonly found: ReadonlyArray<TransferEvent>
  /** Applies what was read, and returns what was different. */
  readonly apply: (
    reading: Portion,
    pages: number,
  ) => Effect.Effect<ReadonlyArray<TransferEvent>, MirrorError, TransferMirror>
  /**
   * Searches once more for what was not found, and marks what has vanished: after everything was read, and before the
   * position advances. Fails if so many cannot have vanished.
   */
  readonly confirm: (options?: {
    /** Accepts that this many have vanished, and is 0 once it was needed. */
    readonly allowVanished?: Ref.Ref<number> | undefined
  }) => Effect.Effect<void, Failure, TransferMirror | TransferPager>
}

export interface Options {
  readonly partner_id: string
  readonly run_id: bigint
  readonly kind: Kind
  /**
   * The instant of what is applied next.
   * @default that of the transaction
   */
  readonly stamp?: Effect.Effect<string | undefined, MirrorError>
  /** What the lateness of new transfers is measured against, unless a portion has its own. */
  readonly baseline?: Lateness.Baseline | undefined
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
  stamp = Effect.undefined,
  baseline,
  guard = (apply) => apply,
}: Options) {
  const mirror = yield* TransferMirror
  const floor = yield* SyncTables.floor(partner_id)
  const counts = { pages: 0, transfers: 0, created: 0, changed: 0, vanished: 0 }
  const found: Array<TransferEvent> = []
  const apply = Effect.fnUntraced(function* (reading: Portion, pages: number, missed?: ReadonlySet<string>) {
    const seen_at = yield* stamp
    const applied = yield* guard(
      mirror.apply({
        baseline,
        ...reading,
        partner_id,
        run_id,
        seen_at,
        logsCreated: kind !== "backfill",
        floor,
        missed,
      }),
      { pages, transfers: missed === undefined ? reading.transfers.length : 0 },
    )
    counts.pages += pages
    for (const event of applied?.events ?? []) {
      counts[countOf[event.event]]++
      if (kind === "verify") found.push(event)
    }
    return applied ?? { events: [], missing: [] }
  })
  const missing: Array<Vanishing.Missing> = []
  const again = Effect.fnUntraced(function* (window: Portion["window"], missed: ReadonlySet<string>) {
    const second = yield* Vanishing.readAll(window)
    const applied = yield* apply(second, second.pages)
    // What the second reading alone lacks may have been read before: the brake has not seen it.
    const twice = applied.missing.filter(({ id }) => missed.has(id))
    if (twice.length === 0) return
    const moved = yield* Vanishing.readMoved(twice)
    const transfers = [...second.transfers, ...moved.transfers]
    yield* apply({ window, transfers }, moved.pages, missed)
  })
  const run: SyncRun = {
    partner_id,
    kind,
    counts,
    found,
    apply: Effect.fnUntraced(function* (reading, pages) {
      const applied = yield* apply(reading, pages)
      counts.transfers += reading.transfers.length
      for (const one of applied.missing) missing.push(one)
      return applied.events
    }),
    confirm: Effect.fnUntraced(function* ({ allowVanished } = {}) {
      const allowed = allowVanished === undefined ? 0 : yield* Ref.get(allowVanished)
      const reason = Vanishing.objection(missing.length, counts.transfers + missing.length)
      if (reason !== undefined && missing.length > allowed) {
        return yield* new MirrorError({ kind: "brake", mirror: mirror.address, reason })
      }
      const lost = missing.splice(0)
      const missed = new Set(lost.map(({ id }) => id))
      const windows = Vanishing.windowsOf(lost.map(({ created_ns }) => created_ns))
      yield* Effect.forEach(windows, (window) => again(window, missed), { discard: true })
      // Not before: a sync that loses its database here begins again, and needs it again.
      if (reason !== undefined && allowVanished !== undefined) yield* Ref.set(allowVanished, 0)
    }),
  }
  return run
})

const countOf = {
  created: "created",
  reappeared: "created",
  changed: "changed",
  vanished: "vanished",
} as const satisfies Record<TransferEvent["event"], keyof SyncTables.Counts>
