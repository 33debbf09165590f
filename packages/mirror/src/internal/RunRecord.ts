/** Records a run of a sync in the mirror: when it began and ended, its outcome, and what it did. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Attempts from "./Attempts.ts"
import * as CompleteUntil from "./CompleteUntil.ts"
import * as Doubts from "./Doubts.ts"
import type * as Lateness from "./Lateness.ts"
import * as SyncRun from "./SyncRun.ts"
import * as SyncTables from "./SyncTables.ts"

export interface Recorded {
  readonly run_id: bigint
  /** An instant of the history. */
  readonly began: string
  /** What the clock said then. */
  readonly clock: string
  /** The same, or what it said when that began from which the run counts. */
  readonly started_at: string
}

export interface Options {
  readonly partner_id: string
  readonly kind: SyncRun.Kind
  /** A run that takes up what an earlier one has read counts from there. */
  readonly since?: string | undefined
  /** What earlier attempts have done. It counts, too. */
  readonly attempts: Attempts.Attempts
  /** See SyncRun. */
  readonly baseline?: Lateness.Baseline | undefined
}

/** Runs `body` and records its outcome, and what a service that contradicts itself has put in doubt. The result is what it and earlier attempts did, and what `body` returned. */
export const recorded = Effect.fnUntraced(function* <A, E, R>(
  { partner_id, kind, since, attempts, baseline }: Options,
  body: (run: SyncRun.SyncRun, recorded: Recorded) => Effect.Effect<A, E, R>,
) {
  const recorded = yield* SyncTables.startRun(partner_id, kind, since)
  const { run_id } = recorded
  const run = yield* SyncRun.make({ partner_id, run_id, kind, baseline })
  const { counts } = run
  const reading = Effect.tapError(body(run, recorded), (error) => Doubts.record(partner_id, error))
  const result = yield* Effect.onExit(reading, (exit) =>
    Effect.andThen(
      Attempts.add(attempts, run),
      Effect.ignore(
        SyncTables.endRun(partner_id, run_id, { outcome: Exit.isSuccess(exit) ? "complete" : "incomplete", counts }),
      ),
    ),
  )
  return [yield* report(partner_id, kind, attempts), result] as const
})

/** What all attempts have done. */
export const report = Effect.fnUntraced(function* (
  partner_id: string,
  kind: SyncRun.Kind,
  attempts: Attempts.Attempts,
) {
  const { counts } = yield* Attempts.of(attempts, kind)
  return {
    kind,
    ...counts,
    open: yield* SyncTables.countOpen(partner_id),
    watermark: yield* CompleteUntil.read(partner_id, yield* SyncTables.lastPass(partner_id)),
  }
})
