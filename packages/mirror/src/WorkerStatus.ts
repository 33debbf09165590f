/** The progress of first loads that are spread over processes, by partner and worker. */
import * as StoredText from "@transferkit/domain/StoredText"
import * as Effect from "effect/Effect"
import * as SyncWindows from "./internal/SyncWindows.ts"

/** The windows that a worker has or had. Those that wait have no worker yet. */
export interface Status {
  readonly partner_id: string
  readonly worker: string | undefined
  readonly done: number
  readonly running: number
  readonly waiting: number
  readonly failed: number
  readonly transfers: number
  /** Transfers per second since it claimed its first window. */
  readonly per_second: number
  /** When it last wrote: RFC 3339 in UTC. */
  readonly seen_at: string
  /** Why one of its windows failed. */
  readonly error: string | undefined
}

/** The columns of a table of statuses. */
export const names = [
  "partner_id",
  "worker",
  "done",
  "running",
  "waiting",
  "failed",
  "transfers",
  "per_second",
  "seen_at",
] as const satisfies ReadonlyArray<keyof Status>

/**
 * The status of each worker of a mirror.
 *
 * @example
 * await run(WorkerStatus.read()) // => []
 */
export const read = Effect.fn("WorkerStatus.read")(function* () {
  const rows = yield* SyncWindows.byWorker
  return rows.map(({ worker, first_at, seen_at, error, partner_id, ...row }): Status => {
    const seconds = first_at === null ? 0 : (Date.parse(seen_at) - Date.parse(first_at)) / 1000
    const transfers = Number(row.transfers)
    return {
      partner_id,
      worker: worker ?? undefined,
      done: Number(row.done),
      running: Number(row.running),
      waiting: Number(row.waiting),
      failed: Number(row.failed),
      transfers,
      per_second: seconds > 0 ? Math.round(transfers / seconds) : 0,
      seen_at,
      error: error === null ? undefined : StoredText.unescape(error),
    }
  })
})
