/** The tables `sync_state` and `sync_runs`, and what a sync queries of the transfers. */
import * as Crypto from "node:crypto"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { IdSet } from "@transferkit/domain/IdSet"
import * as JsonBounds from "@transferkit/domain/JsonBounds"
import * as RefreshPlan from "@transferkit/domain/RefreshPlan"
import * as StoredText from "@transferkit/domain/StoredText"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Effect from "effect/Effect"
import { TransferMirror } from "../TransferMirror.ts"
import * as Driver from "./Driver.ts"
import * as MirrorClock from "./MirrorClock.ts"
import * as PartnerRows from "./PartnerRows.ts"
import * as Rows from "./Rows.ts"
import * as Indexes from "./schema/Indexes.ts"
import * as Schema from "./schema/Schema.ts"
import * as SqlFailure from "./SqlFailure.ts"
import * as SqlText from "./SqlText.ts"
import * as Totals from "./Totals.ts"

/** What a run has done. */
export interface Counts {
  pages: number
  transfers: number
  created: number
  changed: number
  vanished: number
}

/** A value of a partner's state. */
export const state = Effect.fnUntraced(function* (partner_id: string, name: string) {
  const { run } = Driver.of(yield* TransferMirror)
  const [row] = yield* run(
    (sql) =>
      sql<{
        readonly value: unknown
      }>`SELECT value FROM sync_state WHERE partner_id = ${partner_id} AND name = ${name}`,
  )
  const value = row?.value
  if (value === undefined) return value
  if (typeof value !== "string") return yield* damaged(partner_id, name, "has a value that is no text")
  return JsonBounds.isExceeded(value) ? yield* damaged(partner_id, name, "has a value that is too large") : value
})

/** An error that names a value of a partner's state that was edited by hand. */
export const damaged = Effect.fnUntraced(function* (partner_id: string, name: string, reason: string) {
  const { run } = Driver.of(yield* TransferMirror)
  return yield* run(() => Effect.fail(SqlFailure.damaged("sync_state", { partner_id, name }, `${reason}: restore it`)))
})

/** A value of a partner's state that is a number. */
export const whole = Effect.fnUntraced(function* (partner_id: string, name: string) {
  const text = yield* state(partner_id, name)
  if (text === undefined) return undefined
  const number = /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined
  // Columns of both databases have 64 bits.
  if (number !== undefined && BigInt.asIntN(64, number) === number) return number
  return yield* damaged(partner_id, name, "has a value that is no number of 64 bits")
})

export const setState = Effect.fnUntraced(function* (partner_id: string, values: Readonly<Record<string, string>>) {
  const rows = Object.entries(values).map(([name, value]) => ({ partner_id, name, value }))
  yield* PartnerRows.write(partner_id, (sql) => Rows.upsert(sql, "sync_state", ["partner_id", "name"], rows))
})

export const removeState = (partner_id: string, name: string) =>
  PartnerRows.write(
    partner_id,
    (sql) => sql`DELETE FROM sync_state WHERE partner_id = ${partner_id} AND name = ${name}`,
  )

/**
 * Makes the totals complete after a first load, which has added each transfer to them. Those of a mirror that was written
 * without totals, or whose state was deleted, are computed from its transfers.
 */
export const completeTotals = Effect.fnUntraced(function* (partner_id: string) {
  const { sums } = yield* TransferMirror
  const before = yield* state(partner_id, Totals.state)
  if (before === "complete" || !sums) return
  const complete = { partner_id, name: Totals.state, value: "complete" }
  yield* PartnerRows.write(partner_id, (sql) =>
    Effect.andThen(
      before === Totals.loading ? Effect.void : Totals.rebuild(sql, partner_id),
      Rows.upsert(sql, "sync_state", ["partner_id", "name"], [complete]),
    ),
  )
})

/** Makes the indexes that a first load does without. A role that may not goes on without them. */
export const completeIndexes = Effect.gen(function* () {
  const { run } = Driver.of(yield* TransferMirror)
  yield* Effect.ignore(run((sql) => Indexes.complete(sql, Schema.dialectOf(sql))))
})

/** The creation up to which the last whole run has read everything. */
export const watermark = (partner_id: string) => whole(partner_id, "watermark")

/** The creation before which nothing is read, if the mirror does not begin with the first transfer. */
export const floor = (partner_id: string) => whole(partner_id, "floor")

/** All creation times that the mirror has. */
export const sinceFloor = (partner_id: string) =>
  Effect.map(floor(partner_id), (begins) =>
    begins === undefined ? CreatedAt.all : CreatedAt.gte(Timestamp.fromEpochNanoseconds(begins)),
  )

/** The latest creation up to an instant. */
export const latestCreation = Effect.fnUntraced(function* (partner_id: string, until: bigint) {
  const { run } = Driver.of(yield* TransferMirror)
  const [row] = yield* run(
    (sql) =>
      sql<{
        readonly latest: bigint | null
      }>`SELECT MAX(created_ns) AS latest FROM mirrored_transfers WHERE partner_id = ${partner_id} AND created_ns <= ${until}`,
  )
  return row?.latest ?? undefined
})

/** Whether there is any transfer of a partner, vanished ones too. */
export const hasTransfers = Effect.fnUntraced(function* (partner_id: string) {
  const { run } = Driver.of(yield* TransferMirror)
  const rows = yield* run(
    (sql) => sql`SELECT 1 AS one FROM mirrored_transfers WHERE partner_id = ${partner_id} LIMIT 1`,
  )
  return rows.length > 0
})

/** The ids of all transfers that have not vanished. */
export const ids = Effect.fnUntraced(function* (partner_id: string) {
  const { run } = Driver.of(yield* TransferMirror)
  const found = new IdSet()
  for (let after = ""; ;) {
    const rows = yield* run(
      (sql) =>
        sql<{ readonly id: string }>`SELECT id FROM mirrored_transfers
          WHERE partner_id = ${partner_id} AND id > ${after} AND vanished_at IS NULL ORDER BY id LIMIT ${mostIds}`,
    )
    for (const { id } of rows) found.add(StoredText.unescape(id))
    const last = rows.at(-1)
    if (last === undefined || rows.length < mostIds) return found
    after = last.id
  }
})

/** Ids of a query. */
const mostIds = 10_000

export const countOpen = Effect.fnUntraced(function* (partner_id: string) {
  const { run } = Driver.of(yield* TransferMirror)
  const [row] = yield* run(
    (sql) =>
      sql<{
        readonly open: bigint
      }>`SELECT COUNT(*) AS open FROM mirrored_transfers WHERE partner_id = ${partner_id} AND is_open = 1 AND vanished_at IS NULL`,
  )
  return Number(row?.open ?? 0)
})

/**
 * The seconds of some creation times in which a transfer was created that may still change or has vanished since an
 * instant, in order. Transfers between them are counted along the index, which takes a tenth of the time of ranking all
 * of them.
 */
export const openSeconds = Effect.fnUntraced(function* (
  partner_id: string,
  created_at: CreatedAt.CreatedAt,
  vanishedSince: string,
) {
  const intervals = CreatedAt.intervals(created_at)
  if (intervals.length === 0) return []
  const { run } = Driver.of(yield* TransferMirror)
  const { text, params } = SqlText.within({ first: intervals[0]?.first, end: intervals.at(-1)?.end })
  // SQL divides towards zero, so the rest of an instant before 1970 would be negative.
  const second = "(created_ns - ((created_ns % 1000000000 + 1000000000) % 1000000000)) / 1000000000"
  const count = (from: string, to: string) =>
    `(SELECT COUNT(*) FROM mirrored_transfers AS t WHERE t.partner_id = ? AND t.created_ns >= ${from} * 1000000000 AND t.created_ns < ${to} * 1000000000)`
  const rows = yield* run((sql) =>
    sql.unsafe<{ readonly second: bigint; readonly transfers: bigint; readonly gap: bigint }>(
      SqlText.place(
        sql,
        `WITH seconds AS (SELECT DISTINCT ${second} AS second FROM mirrored_transfers WHERE partner_id = ?
          AND (is_open = 1 OR vanished_at IS NOT NULL) AND (is_open = 1 AND vanished_at IS NULL OR vanished_at >= ?)${text}),
        places AS (SELECT second, LAG(second) OVER (ORDER BY second) AS previous FROM seconds)
        SELECT second, ${count("second", "(second + 1)")} AS transfers, ${count("(previous + 1)", "second")} AS gap
        FROM places ORDER BY second`,
      ),
      [partner_id, vanishedSince, ...params, partner_id, partner_id],
    ),
  )
  let before = 0
  const seconds = rows.map((row): RefreshPlan.Second => {
    const transfers = Number(row.transfers)
    before += Number(row.gap)
    const place = { second: Number(row.second), transfers, before }
    before += transfers
    return place
  })
  if (intervals.length === 1) return seconds
  return seconds.filter(({ second }) => {
    const whole = RefreshPlan.createdAt({ from: second, to: second + 1, pages: 1 })
    return !CreatedAt.isEmpty(CreatedAt.and(whole, created_at))
  })
})

/**
 * When the last complete pass of a partner began, or the load whose readings it counts. By an instant of the history: the
 * last that had ended by then. A pass that began in the future did so by a clock that was ahead, so when it read is not
 * known: an earlier one counts.
 */
export const lastPass = Effect.fnUntraced(function* (partner_id: string, by?: Timestamp.Timestamp) {
  const { run } = Driver.of(yield* TransferMirror)
  const ended = by === undefined ? "9999" : Rows.instantText(by)
  const latest = Effect.fnUntraced(function* (until?: Timestamp.Timestamp) {
    const [row] = yield* run(
      (sql) =>
        sql<{
          readonly started_at: string
        }>`SELECT started_at FROM sync_runs WHERE partner_id = ${partner_id} AND kind = 'pass' AND outcome = 'complete'
          AND ended_at <= ${ended}${until === undefined ? sql.literal("") : sql` AND started_at <= ${Rows.instantText(until)}`}
          ORDER BY run_id DESC LIMIT 1`,
    )
    if (row === undefined) return undefined
    const { started_at } = row
    return yield* Effect.fromResult(Timestamp.parse(started_at)).pipe(
      Effect.catch(() => {
        const reason = "has a started_at that is no instant: restore it"
        return run(() => Effect.fail(SqlFailure.damaged("sync_runs", { partner_id, started_at }, reason)))
      }),
    )
  })
  const now = yield* MirrorClock.latestNow
  const last = yield* latest()
  return last === undefined || Timestamp.compare(last, now) <= 0 ? last : yield* latest(now)
})

/**
 * Records that a run has begun; `since` if it counts from there. It starts by what the clock says, and ends by an instant
 * of the history: a clock that was ahead has moved the history, but not when later runs have read.
 */
export const startRun = (partner_id: string, kind: string, since?: string) =>
  PartnerRows.write(
    partner_id,
    Effect.fnUntraced(function* (sql) {
      const { stamp: began, clock } = yield* MirrorClock.take(sql)
      const started_at = since ?? clock
      const [row] = yield* sql<{
        readonly run_id: bigint
      }>`INSERT INTO sync_runs (partner_id, kind, started_at, outcome, pages, transfers, created, changed, vanished)
        VALUES (${partner_id}, ${kind}, ${started_at}, 'running', 0, 0, 0, 0, 0) RETURNING run_id`
      return { run_id: row?.run_id ?? 0n, began, clock, started_at }
    }),
  )

/** Records how a run has ended. */
export const endRun = (
  partner_id: string,
  run_id: bigint,
  { outcome, counts }: { readonly outcome: string; readonly counts: Counts },
) =>
  PartnerRows.write(
    partner_id,
    Effect.fnUntraced(function* (sql) {
      const ended_at = yield* MirrorClock.stamp(sql)
      const { pages, transfers, created, changed, vanished } = counts
      const state_id = outcome === "complete" ? Crypto.randomUUID() : null
      yield* sql`UPDATE sync_runs SET ended_at = ${ended_at}, outcome = ${outcome}, pages = ${pages}, transfers = ${transfers},
        created = ${created}, changed = ${changed}, vanished = ${vanished}, state_id = ${state_id} WHERE run_id = ${run_id}`
    }),
  )
