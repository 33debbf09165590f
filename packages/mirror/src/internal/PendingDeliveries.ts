/** The table `pending_deliveries`: the changes that were not delivered yet, in the order of their delivery. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as PartnerRows from "./PartnerRows.ts"
import * as Rows from "./Rows.ts"
import * as SyncTables from "./SyncTables.ts"

/** The name in `sync_state` of the last change that is or was pending. */
const position = "delivered"

/**
 * The first changes of a partner, or the first after a place, with what each led to. A version is kept with the change
 * that ended it, so what a change led to is with the next one.
 */
export const text = (
  place: "first" | "after",
  most: number,
): string => `SELECT c.id, c.change_id, d.created_ns, c.event,
      c.previous_status, c.seen_at, COALESCE(
        CASE WHEN c.event = 'vanished' THEN c.body END,
        (SELECT n.body FROM transfer_changes n WHERE n.partner_id = c.partner_id AND n.id = c.id
          AND n.change_id > c.change_id AND n.body IS NOT NULL ORDER BY n.change_id LIMIT 1),
        t.body) AS body
      FROM pending_deliveries d JOIN transfer_changes c ON c.change_id = d.change_id
        JOIN mirrored_transfers t ON t.partner_id = c.partner_id AND t.id = c.id
      WHERE d.partner_id = ?${place === "first" ? "" : " AND (d.created_ns, d.id, d.change_id) > (?, ?, ?)"}
      ORDER BY d.created_ns, d.id, d.change_id LIMIT ${most}`

/** Makes the changes since the last call pending. */
export const queue = Effect.fnUntraced(function* (partner_id: string) {
  const before = (yield* SyncTables.whole(partner_id, position)) ?? 0n
  yield* PartnerRows.write(
    partner_id,
    Effect.fnUntraced(function* (sql) {
      const [row] = yield* sql<{
        readonly last: bigint | null
      }>`SELECT MAX(change_id) AS last FROM transfer_changes WHERE partner_id = ${partner_id} AND change_id > ${before}`
      const last = row?.last ?? before
      if (last > before) {
        yield* sql`INSERT INTO pending_deliveries (partner_id, created_ns, id, change_id)
          SELECT partner_id, created_ns, id, change_id FROM transfer_changes
          WHERE partner_id = ${partner_id} AND change_id > ${before} AND change_id <= ${last}`
        const state = { partner_id, name: position, value: last.toString() }
        yield* Rows.upsert(sql, "sync_state", ["partner_id", "name"], [state])
      }
      yield* keepTogether(sql, partner_id)
    }),
  )
})

/**
 * A change is stored with the creation time before it, which may move. All that are pending of a transfer get the earliest,
 * whenever they were queued: so they stay in their order.
 */
const keepTogether = (sql: SqlClient.SqlClient, partner_id: string): Effect.Effect<unknown, SqlError> =>
  sql`UPDATE pending_deliveries SET created_ns = moved.earliest
    FROM (SELECT id, MIN(created_ns) AS earliest FROM pending_deliveries WHERE partner_id = ${partner_id}
      GROUP BY id HAVING MIN(created_ns) < MAX(created_ns)) AS moved
    WHERE pending_deliveries.partner_id = ${partner_id} AND pending_deliveries.id = moved.id
      AND pending_deliveries.created_ns > moved.earliest`
