/** Records a run of a sync in the mirror: when it began and ended, what became of it, and what it did. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as SyncRun from "./SyncRun.ts"
import * as SyncTables from "./SyncTables.ts"

export interface Recorded {
  readonly run_id: bigint
  readonly began: string
  /** The same, or from when on it counts. */
  readonly started_at: string
}

export interface Options {
  readonly partner_id: string
  readonly kind: SyncRun.Kind
  /** A run that takes up what an earlier one has read counts from there. */
  readonly since?: string | undefined
}

/** Runs and records it, whatever becomes of it. The result is what it did, and what `body` returned. */
export const recorded = Effect.fnUntraced(function* <A, E, R>(
  { partner_id, kind, since }: Options,
  body: (run: SyncRun.SyncRun, recorded: Recorded) => Effect.Effect<A, E, R>,
) {
  const recorded = yield* SyncTables.startRun(partner_id, kind, since)
  const { run_id } = recorded
  const run = yield* SyncRun.make({ partner_id, run_id, kind })
  const { counts } = run
  const result = yield* Effect.onExit(body(run, recorded), (exit) =>
    Effect.ignore(
      SyncTables.endRun(partner_id, run_id, { outcome: Exit.isSuccess(exit) ? "complete" : "incomplete", counts }),
    ),
  )
  const watermark = yield* SyncTables.watermark(partner_id)
  const report = {
    kind,
    ...counts,
    open: yield* SyncTables.countOpen(partner_id),
    watermark: watermark === undefined ? undefined : Timestamp.fromEpochNanoseconds(watermark),
  }
  return [report, result] as const
})
