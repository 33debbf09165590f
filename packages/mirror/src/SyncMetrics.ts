/** What is measured of a sync: these are the numbers to alert on. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Result from "effect/Result"
import * as MirrorStatus from "./MirrorStatus.ts"
import type * as MirrorSync from "./MirrorSync.ts"

const passes = Metric.counter("transfers_sync_passes", {
  description: "Passes of a sync, by outcome: complete, or the error that ended it",
  incremental: true,
})

const changes = Metric.counter("transfers_sync_changes", {
  description: "Transfers that a sync found new, changed or vanished",
  incremental: true,
})

const undelivered = Metric.counter("transfers_sync_undelivered", {
  description: "Runs of the command of --exec that failed; each is retried",
  incremental: true,
})

const synced = Metric.gauge("transfers_mirror_synced_timestamp_seconds", {
  description: "When the last complete pass ended",
})

const watermarkAge = Metric.gauge("transfers_mirror_watermark_age_seconds", {
  description: "Time since the creation up to which the mirror is complete, at the last pass",
})

const open = Metric.gauge("transfers_mirror_open", { description: "Transfers that may still change" })

const oldestOpenAge = Metric.gauge("transfers_mirror_oldest_open_age_seconds", {
  description: "Time since the creation of the oldest transfer that may still change, at the last pass; 0 without one",
})

/**
 * Measures the pass of a partner, which ended `at` an instant. `failed` is how many commands for its events failed.
 *
 * @example
 * const at = Timestamp.parseUnsafe("2025-01-01T00:00:00Z")
 * await run(SyncMetrics.record("demo", Result.succeed([]), { at, failed: 0 }))
 * const found = await run(Metric.snapshot)
 * found.find(({ id }) => id === "transfers_sync_passes").state.count // => 1
 */
export const record = Effect.fnUntraced(function* <E extends { readonly _tag: string }>(
  partner: string,
  result: Result.Result<ReadonlyArray<MirrorSync.Report>, E>,
  { at, failed }: { readonly at: Timestamp.Timestamp; readonly failed: number },
) {
  const outcome = Result.isFailure(result) ? result.failure._tag : "complete"
  yield* Metric.update(Metric.withAttributes(passes, { partner, outcome }), 1)
  yield* Metric.update(Metric.withAttributes(undelivered, { partner }), failed)
  const set = (gauge: typeof open, value: number) => Metric.update(Metric.withAttributes(gauge, { partner }), value)
  const age = (instant: bigint): number =>
    Math.max(0, Duration.toSeconds(Duration.nanos(at.epochNanoseconds - instant)))
  if (Result.isFailure(result)) {
    // What a service contradicted itself about is no longer complete. The database may be why the pass failed.
    const until = yield* Effect.orElseSucceed(MirrorStatus.completeUntil(partner), () => undefined)
    if (until !== undefined) yield* set(watermarkAge, age(until.epochNanoseconds))
    return
  }
  for (const kind of ["created", "changed", "vanished"] as const) {
    const found = result.success.reduce((sum, report) => sum + (report.kind === "backfill" ? 0 : report[kind]), 0)
    yield* Metric.update(Metric.withAttributes(changes, { partner, kind }), found)
  }
  const { transfers, oldest } = yield* MirrorStatus.open(partner)
  const until = yield* MirrorStatus.completeUntil(partner)
  yield* set(synced, Timestamp.toDate(at).getTime() / 1000)
  yield* set(open, transfers)
  yield* set(oldestOpenAge, age(oldest?.epochNanoseconds ?? at.epochNanoseconds))
  // Nothing is complete if everything is in doubt: a gauge that stayed as it was would say that it is.
  yield* set(watermarkAge, age(until?.epochNanoseconds ?? 0n))
})
