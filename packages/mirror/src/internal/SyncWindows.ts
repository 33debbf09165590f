/** The table `sync_windows`: the parts of a first load, and which worker reads which. */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as StoredText from "@transferkit/domain/StoredText"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { MirrorError } from "../MirrorError.ts"
import { TransferMirror } from "../TransferMirror.ts"
import * as Driver from "./Driver.ts"
import * as Rows from "./Rows.ts"

export type State = "waiting" | "running" | "done" | "failed"

/** A window as whoever holds it sees it. */
export interface Claimed {
  readonly run_id: bigint
  readonly remaining: string
  readonly attempts: bigint
}

/** A right to write a window, until another worker claims it. */
export interface Claim {
  readonly partner_id: string
  readonly window_id: string
  readonly claim: string
}

/** An error that names a row that was edited by hand. */
const damaged = (partner_id: string, window_id: string, reason: string) =>
  Effect.flatMap(TransferMirror, ({ address }) => {
    const row = `the row of sync_windows with partner_id ${JSON.stringify(partner_id)} and window_id ${JSON.stringify(window_id)}`
    return new MirrorError({ kind: "rejected", mirror: address, reason: `${row} ${reason}` })
  })

/** What is left of a window by its row. */
export const leftOf = (
  partner_id: string,
  { window_id, remaining }: { readonly window_id: string; readonly remaining: string },
): Effect.Effect<Checkpoint.Checkpoint, MirrorError, TransferMirror> =>
  Result.match(Checkpoint.fromJson(remaining), {
    onSuccess: (checkpoint): Effect.Effect<Checkpoint.Checkpoint, MirrorError, TransferMirror> =>
      Effect.succeed(checkpoint),
    onFailure: ({ reason }) =>
      damaged(partner_id, window_id, `has a remaining that cannot be read, because ${reason}: restore it`),
  })

/** What is to be read, and what came and was not received where it belongs. */
export type Left = Pick<Checkpoint.Checkpoint, "remaining" | "strays" | "given_up">

/** The same as a checkpoint of no query: that of a window is what is left of it. */
export const checkpointOf = ({ remaining, strays, given_up }: Left): Checkpoint.Checkpoint => ({
  version: 2,
  query: "",
  transfers: 0,
  remaining,
  ...(strays && { strays }),
  ...(given_up && { given_up }),
})

export const nothing: Left = { remaining: [] }

/** As it is stored. */
export const textOf = (left: Left): string => JSON.stringify(checkpointOf(left))

export interface Part {
  readonly window_id: string
  readonly left: Left
}

/** Adds windows that wait. */
export const add = Effect.fnUntraced(function* (
  parts: ReadonlyArray<Part>,
  { partner_id, run_id, at }: { readonly partner_id: string; readonly run_id: bigint; readonly at: string },
) {
  const { run } = Driver.of(yield* TransferMirror)
  const rows = parts.map(({ window_id, left }) => ({
    partner_id,
    window_id,
    run_id,
    state: "waiting",
    remaining: textOf(left),
    attempts: 0n,
    pages: 0n,
    transfers: 0n,
    updated_at: at,
  }))
  yield* run((sql) => Rows.upsert(sql, "sync_windows", ["partner_id", "window_id"], rows))
})

/**
 * Removes the windows of a partner, in a transaction. A statement of PostgreSQL waits for a worker that divides a window,
 * but does not see the parts, so the next one removes them. When none is left to remove, none is left to divide.
 */
export const removeAll = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  partner_id: string,
): Effect.fn.Return<void, SqlError> {
  for (let removed = 1; removed > 0;) {
    const rows = yield* sql`DELETE FROM sync_windows WHERE partner_id = ${partner_id} RETURNING 1 AS one`
    removed = rows.length
  }
})

/** Whether a worker that has nothing to read finds a window. */
export const isAnyWaiting = Effect.fnUntraced(function* (partner_id: string) {
  const { run } = Driver.of(yield* TransferMirror)
  const rows = yield* run(
    (sql) => sql`SELECT 1 AS one FROM sync_windows WHERE partner_id = ${partner_id} AND state = 'waiting' LIMIT 1`,
  )
  return rows.length > 0
})

/** Takes a window from whoever had it. Nothing if it is done, or failed. */
export const claim = Effect.fnUntraced(function* (
  { partner_id, window_id, claim }: Claim,
  { worker, at }: { readonly worker: string; readonly at: string },
) {
  const { run } = Driver.of(yield* TransferMirror)
  const [row] = yield* run(
    (sql) =>
      sql<Claimed>`UPDATE sync_windows SET state = 'running', claim = ${claim}, worker = ${worker},
        attempts = attempts + 1, claimed_at = COALESCE(claimed_at, ${at}), updated_at = ${at}
        WHERE partner_id = ${partner_id} AND window_id = ${window_id} AND state IN ('waiting', 'running')
        RETURNING run_id, remaining, attempts`,
  )
  return row
})

/**
 * Records what was read of a window, in the transaction that writes it. False if another worker has claimed it since,
 * which may have happened while this process was paused: then what it read may be older than what is there.
 */
export const progress = Effect.fnUntraced(function* (
  { partner_id, window_id, claim }: Claim,
  read: {
    readonly left: Left
    readonly pages: number
    readonly transfers: number
    readonly at: string
  },
) {
  const { run } = Driver.of(yield* TransferMirror)
  const state: State = read.left.remaining.length === 0 ? "done" : "running"
  const rows = yield* run(
    (sql) =>
      sql`UPDATE sync_windows SET state = ${state}, remaining = ${textOf(read.left)}, attempts = 0,
        pages = pages + ${read.pages}, transfers = transfers + ${read.transfers}, updated_at = ${read.at}
        WHERE partner_id = ${partner_id} AND window_id = ${window_id} AND claim = ${claim} AND state IN ('running', 'done')
        RETURNING window_id`,
  )
  return rows.length > 0
})

/** Marks a window as failed. The service may have written its reason. */
export const fail = Effect.fnUntraced(function* ({ partner_id, window_id, claim }: Claim, error: string, at: string) {
  const { run } = Driver.of(yield* TransferMirror)
  yield* run(
    (sql) =>
      sql`UPDATE sync_windows SET state = 'failed', error = ${StoredText.escape(error)}, updated_at = ${at}
        WHERE partner_id = ${partner_id} AND window_id = ${window_id} AND claim = ${claim}`,
  )
})

/** Makes windows that failed wait again, and returns them. */
export const reopen = Effect.fnUntraced(function* (partner_id: string, at: string) {
  const { run } = Driver.of(yield* TransferMirror)
  const rows = yield* run(
    (sql) =>
      sql<{
        readonly window_id: string
      }>`UPDATE sync_windows SET state = 'waiting', attempts = 0, error = NULL, updated_at = ${at}
        WHERE partner_id = ${partner_id} AND state = 'failed' RETURNING window_id`,
  )
  return rows.map(({ window_id }) => window_id)
})

const unreadOf = (left: Checkpoint.Checkpoint): CreatedAt.CreatedAt =>
  CreatedAt.or(Checkpoint.remaining(left), Checkpoint.due(left))

/** The creation times that no worker reads now, nor has read. */
export const unclaimed = Effect.fnUntraced(function* (partner_id: string) {
  const { run } = Driver.of(yield* TransferMirror)
  const rows = yield* run(
    (sql) =>
      sql<{
        readonly window_id: string
        readonly remaining: string
      }>`SELECT window_id, remaining FROM sync_windows WHERE partner_id = ${partner_id} AND state IN ('waiting', 'failed')`,
  )
  const left = yield* Effect.forEach(rows, (row) => leftOf(partner_id, row))
  return Checkpoint.remaining(checkpointOf({ remaining: left.flatMap(({ remaining }) => remaining) }))
})

/** The creation times that no worker has read to the end; undefined if the load is not spread over windows. */
export const unread = Effect.fnUntraced(function* (partner_id: string) {
  const { run } = Driver.of(yield* TransferMirror)
  const rows = yield* run(
    (sql) =>
      sql<{
        readonly state: string
        readonly window_id: string
        readonly remaining: string
      }>`SELECT state, window_id, remaining FROM sync_windows WHERE partner_id = ${partner_id}`,
  )
  if (rows.length === 0) return undefined
  const waiting = rows.filter(({ state }) => state !== "done")
  const left = yield* Effect.forEach(waiting, (row) => leftOf(partner_id, row))
  return left.reduce((all, one) => CreatedAt.or(all, unreadOf(one)), CreatedAt.none)
})

/** Windows and what was read of them, by state. */
export interface Totals {
  readonly windows: { readonly [S in State]: number }
  readonly pages: number
  readonly transfers: number
  /** What was read of windows that are not done. */
  readonly begun: number
  /** Those that are done and had a transfer. */
  readonly filled: number
}

/**
 * An estimate of the share that is done: each window has as many transfers as those that are done, whether a worker reads
 * it or not. Absent before one is done.
 */
export const share = ({ windows: { waiting, running }, transfers, begun, filled }: Totals): number | undefined => {
  if (filled === 0) return undefined
  const left = Math.max(0, ((transfers - begun) / filled) * (waiting + running) - begun)
  return transfers / (transfers + left)
}

export const totals = Effect.fnUntraced(function* (partner_id: string) {
  const { run } = Driver.of(yield* TransferMirror)
  const rows = yield* run(
    (sql) =>
      sql<{
        readonly state: string
        readonly first: string
        readonly windows: bigint
        readonly filled: bigint
        readonly pages: bigint
        readonly transfers: bigint
      }>`SELECT state, MIN(window_id) AS first, COUNT(*) AS windows, COUNT(CASE WHEN transfers > 0 THEN 1 END) AS filled, CAST(SUM(pages) AS BIGINT) AS pages, CAST(SUM(transfers) AS BIGINT) AS transfers
        FROM sync_windows WHERE partner_id = ${partner_id} GROUP BY state`,
  )
  const windows = { waiting: 0, running: 0, done: 0, failed: 0 }
  for (const { state, first, windows: count } of rows) {
    if (!isState(state)) {
      const states = Object.keys(windows).join(", ")
      return yield* damaged(partner_id, first, `has the state ${JSON.stringify(state)}, which is none of ${states}`)
    }
    windows[state] = Number(count)
  }
  const sum = (name: "pages" | "transfers") => rows.reduce((total, row) => total + Number(row[name]), 0)
  const done = rows.find(({ state }) => state === "done")
  const transfers = sum("transfers")
  const found: Totals = {
    windows,
    pages: sum("pages"),
    transfers,
    begun: transfers - Number(done?.transfers ?? 0),
    filled: Number(done?.filled ?? 0),
  }
  return found
})

const isState = (text: string): text is State => ["waiting", "running", "done", "failed"].includes(text)

/** An item that failed is taken again within ten seconds. What is further ahead was edited, or the clock was set back. */
const soon = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () => sql.literal("NOW() + INTERVAL '60 seconds'"),
    orElse: () => sql.literal("datetime(CURRENT_TIMESTAMP, '60 seconds')"),
  })

/** Fails if no item of the queue leads a worker to a window that is still to be read: all would wait for it forever. */
export const checkQueued = Effect.fnUntraced(function* (partner_id: string, queue: string) {
  const { run } = Driver.of(yield* TransferMirror)
  const rows = yield* run(
    (sql) =>
      sql<{
        readonly kind: string
        readonly text: string
        readonly id: string
      }>`SELECT 'window' AS kind, window_id AS text,
        '' AS id FROM sync_windows WHERE partner_id = ${partner_id} AND state IN ('waiting', 'running')
        UNION ALL SELECT CASE WHEN visible_at <= ${soon(sql)} AND (acquired_at IS NULL OR acquired_at <= ${soon(sql)})
          THEN 'item' ELSE 'hidden' END, element, id FROM sync_queue WHERE queue_name = ${queue} AND state = 'pending'`,
  )
  const of = (kind: string) => rows.filter((row) => row.kind === kind)
  const queued = new Set(of("item").map(({ text }) => text))
  const lost = of("window").find(({ text: window_id }) => !queued.has(JSON.stringify({ window_id })))?.text
  if (lost === undefined) return
  const hidden = of("hidden").find(({ text }) => text === JSON.stringify({ window_id: lost }))
  yield* hidden === undefined
    ? damaged(partner_id, lost, "is in no item of sync_queue: set its state to 'failed', and the next sync reads it")
    : unreachable(queue, hidden.id)
})

/** An error that names an item that no worker sees. */
const unreachable = (queue: string, id: string) =>
  Effect.flatMap(TransferMirror, ({ address }) => {
    const row = `the row of sync_queue with queue_name ${JSON.stringify(queue)} and id ${JSON.stringify(id)}`
    const fault = "has a visible_at or an acquired_at that is no instant, or is in the future by the database's clock"
    const advice = "set its visible_at to CURRENT_TIMESTAMP and its acquired_at to NULL"
    return new MirrorError({ kind: "rejected", mirror: address, reason: `${row} ${fault}: ${advice}` })
  })

/** Why the first window that failed did. */
export const firstError = Effect.fnUntraced(function* (partner_id: string) {
  const { run } = Driver.of(yield* TransferMirror)
  const [row] = yield* run(
    (sql) =>
      sql<{
        readonly error: string
      }>`SELECT error FROM sync_windows WHERE partner_id = ${partner_id} AND state = 'failed' ORDER BY updated_at LIMIT 1`,
  )
  return StoredText.unescape(row?.error ?? "")
})

interface WorkerRow {
  readonly partner_id: string
  readonly worker: string | null
  readonly done: bigint
  readonly running: bigint
  readonly waiting: bigint
  readonly failed: bigint
  readonly transfers: bigint
  readonly first_at: string | null
  readonly seen_at: string
  readonly error: string | null
}

/** The windows of each worker. */
export const byWorker = Effect.gen(function* () {
  const { run } = Driver.of(yield* TransferMirror)
  const count = (state: State) => `COUNT(CASE WHEN state = '${state}' THEN 1 END) AS ${state}`
  return yield* run((sql) =>
    sql.unsafe<WorkerRow>(
      `SELECT partner_id, worker, ${count("done")}, ${count("running")}, ${count("waiting")}, ${count("failed")},
        CAST(SUM(transfers) AS BIGINT) AS transfers, MIN(claimed_at) AS first_at, MAX(updated_at) AS seen_at, MIN(error) AS error
      FROM sync_windows GROUP BY partner_id, worker ORDER BY partner_id, worker`,
    ),
  )
})
