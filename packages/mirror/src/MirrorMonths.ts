/** A mirror by month of creation, for data sets of files in which only the months that changed are rewritten. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Driver from "./internal/Driver.ts"
import * as Rows from "./internal/Rows.ts"
import * as SqlText from "./internal/SqlText.ts"
import { MirrorError } from "./MirrorError.ts"
import { TransferMirror } from "./TransferMirror.ts"

/** A transfer as it was last seen, even if it has vanished. The instants are RFC 3339 in UTC. */
export interface MonthRow {
  readonly transfer: Transfer
  readonly first_seen_at: string
  readonly seen_at: string
  readonly vanished_at: string | undefined
}

/** The state in which a complete run has left the history of a partner. */
export interface State {
  /** No other state of any mirror has it. */
  readonly id: string
  /** The number of the last change until then. It only grows. */
  readonly position: bigint
}

/**
 * The state that the last complete run has left. Fails if there was none.
 *
 * @example
 * (await run(MirrorMonths.state("demo"))).position // => 0n
 */
export const state = Effect.fn("MirrorMonths.state")(function* (partner_id: string) {
  const mirror = yield* TransferMirror
  const { run } = Driver.of(mirror)
  const [row] = yield* run(
    (sql) =>
      sql<{ readonly id: string; readonly position: bigint }>`SELECT state_id AS id, COALESCE((SELECT MAX(change_id)
        FROM transfer_changes c WHERE c.partner_id = r.partner_id AND c.run_id <= r.run_id), 0) AS position
        FROM sync_runs r WHERE partner_id = ${partner_id} AND state_id IS NOT NULL ORDER BY run_id DESC LIMIT 1`,
  )
  if (row !== undefined) return row satisfies State
  const reason = "no sync of it was complete: sync it first"
  return yield* new MirrorError({ kind: "usage", mirror: mirror.address, reason })
})

/**
 * Whether the history of a partner goes on from a state. That of another mirror does not, nor that of a copy or a backup
 * that was made before.
 *
 * @example
 * await run(Effect.flatMap(MirrorMonths.state("demo"), ({ id }) => MirrorMonths.follows("demo", id))) // => true
 * await run(MirrorMonths.follows("demo", "another")) // => false
 */
export const follows = Effect.fn("MirrorMonths.follows")(function* (partner_id: string, state_id: string) {
  const { run } = Driver.of(yield* TransferMirror)
  const rows = yield* run(
    (sql) => sql`SELECT 1 AS one FROM sync_runs WHERE partner_id = ${partner_id} AND state_id = ${state_id}`,
  )
  return rows.length > 0
})

/**
 * The months, such as `2024-09`, with a transfer that changed since a position; without one, all that have a transfer.
 *
 * @example
 * await run(MirrorMonths.changed("demo", 0n)) // => []
 * (await run(MirrorMonths.changed("demo"))).includes("2024-09") // => true
 */
export const changed = Effect.fn("MirrorMonths.changed")(function* (partner_id: string, since: bigint | undefined) {
  const { run } = Driver.of(yield* TransferMirror)
  const rows = yield* run((sql) =>
    since === undefined
      ? sql<{ readonly month: string }>`SELECT DISTINCT substr(created_day, 1, 7) AS month FROM mirrored_transfers
          WHERE partner_id = ${partner_id} ORDER BY month`
      : // One that moved in time was in another month before.
        sql<{ readonly month: string }>`SELECT substr(c.created_day, 1, 7) AS month FROM transfer_changes c
          WHERE c.partner_id = ${partner_id} AND c.change_id > ${since}
          UNION SELECT substr(t.created_day, 1, 7) FROM transfer_changes c
          JOIN mirrored_transfers t ON t.partner_id = c.partner_id AND t.id = c.id
          WHERE c.partner_id = ${partner_id} AND c.change_id > ${since} ORDER BY month`,
  )
  return rows.map(({ month }) => month)
})

/** Rows to read at once. */
const batchSize = 1000

interface Row {
  readonly id: string
  readonly created_ns: bigint
  readonly body: string
  readonly first_seen_at: string
  readonly seen_at: string
  readonly vanished_at: string | null
}

const startOf = (month: string): bigint => Timestamp.parseUnsafe(`${month}-01T00:00:00Z`).epochNanoseconds

const monthAfter = (month: string): string => {
  const [year, number] = month.split("-").map(Number)
  return new Date(Date.UTC(year ?? 0, number ?? 0, 1)).toISOString().slice(0, 7)
}

/**
 * The transfers that were created in a month of UTC, by creation and then by id, in batches.
 *
 * @example
 * const [batch] = await run(Stream.runCollect(MirrorMonths.rows("demo", "2024-09")))
 * batch.every(({ transfer }) => transfer.created_at.text.startsWith("2024-09")) // => true
 */
export const rows = (
  partner_id: string,
  month: string,
): Stream.Stream<ReadonlyArray<MonthRow>, MirrorError, TransferMirror> =>
  Stream.unfold<Row | undefined, ReadonlyArray<MonthRow>, MirrorError, TransferMirror>(
    undefined,
    Effect.fnUntraced(function* (after) {
      const { run } = Driver.of(yield* TransferMirror)
      const place = after === undefined ? "" : " AND (created_ns, id) > (?, ?)"
      const found = yield* run((sql) => {
        const query = sql.unsafe<Row>(
          SqlText.place(
            sql,
            `SELECT id, created_ns, ${SqlText.body}, first_seen_at, seen_at, vanished_at FROM mirrored_transfers
            WHERE partner_id = ? AND created_ns >= ? AND created_ns < ?${place} ORDER BY created_ns, id LIMIT ${batchSize}`,
          ),
          [
            partner_id,
            startOf(month),
            startOf(monthAfter(month)),
            ...(after === undefined ? [] : [after.created_ns, after.id]),
          ],
        )
        return Effect.flatMap(query, Rows.withTransfers)
      })
      const last = found.at(-1)
      if (last === undefined) return undefined
      const batch = found.map(({ transfer, first_seen_at, seen_at, vanished_at }): MonthRow => ({
        transfer,
        first_seen_at,
        seen_at,
        vanished_at: vanished_at ?? undefined,
      }))
      return [batch, last] as const
    }),
  )
