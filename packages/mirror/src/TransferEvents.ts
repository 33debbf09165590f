/** What syncs have found, in the order in which they found it: to print, or to hand to another program. */
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Rows from "./internal/Rows.ts"
import * as SyncTables from "./internal/SyncTables.ts"
import { TransferMirror } from "./TransferMirror.ts"

/** A change of a transfer, after the first load. */
export interface TransferEvent {
  readonly event: "created" | "changed" | "vanished" | "reappeared"
  readonly previous_status?: string
  /** When it was seen: RFC 3339 in UTC. */
  readonly seen_at: string
  /** As it was after the change; before it, if the transfer vanished. */
  readonly transfer: Transfer
}

/** An event and its position: `change_id` grows from event to event. */
export interface Positioned {
  readonly change_id: bigint
  readonly event: TransferEvent
}

interface Row {
  readonly change_id: bigint
  readonly event: TransferEvent["event"]
  readonly previous_status: string | null
  readonly seen_at: string
  readonly body: string
}

/** Events to read at once. */
const most = 500

/** The position up to which every event was delivered or has {@link failed}. */
const positionOf = (partner_id: string) =>
  Effect.map(SyncTables.state(partner_id, "delivered"), (text) => BigInt(text ?? 0))

/** The first events of a partner after a position that were not {@link delivered}; none after the last. */
export const undelivered = Effect.fn("TransferEvents.undelivered")(function* (partner_id: string, after = 0n) {
  const position = yield* positionOf(partner_id)
  const { run } = yield* TransferMirror
  // A version is kept with the change that ended it, so what a change led to is with the next one.
  const rows = yield* run(
    (sql) => sql<Row>`WITH due AS (
        SELECT change_id FROM failed_deliveries WHERE partner_id = ${partner_id} AND change_id > ${after}
        UNION ALL
        SELECT change_id FROM transfer_changes
        WHERE partner_id = ${partner_id} AND change_id > ${after > position ? after : position}
        ORDER BY change_id LIMIT ${most})
      SELECT c.change_id, c.event, c.previous_status, c.seen_at, COALESCE(
        CASE WHEN c.event = 'vanished' THEN c.body END,
        (SELECT n.body FROM transfer_changes n WHERE n.partner_id = c.partner_id AND n.id = c.id
          AND n.change_id > c.change_id AND n.body IS NOT NULL ORDER BY n.change_id LIMIT 1),
        t.body) AS body
      FROM due JOIN transfer_changes c ON c.change_id = due.change_id
        JOIN mirrored_transfers t ON t.partner_id = c.partner_id AND t.id = c.id
      ORDER BY c.change_id`,
  )
  return rows.map(({ change_id, event, previous_status, seen_at, body }): Positioned => ({
    change_id,
    event: {
      event,
      ...(previous_status === null ? {} : { previous_status }),
      seen_at,
      transfer: Rows.toTransfer(body),
    },
  }))
})

/** Records that these events of a partner were delivered, and with them all before the last that have not {@link failed}. */
export const delivered = Effect.fn("TransferEvents.delivered")(
  (partner_id: string, change_ids: ReadonlyArray<bigint>) =>
    record(
      partner_id,
      change_ids.at(-1) ?? 0n,
      (sql) =>
        sql`DELETE FROM failed_deliveries WHERE partner_id = ${partner_id} AND ${sql.in("change_id", change_ids)}`,
    ),
)

/** Records that the delivery of an event failed: it stays {@link undelivered}, and later ones can be delivered. */
export const failed = Effect.fn("TransferEvents.failed")((partner_id: string, change_id: bigint) =>
  record(
    partner_id,
    change_id,
    (sql) =>
      sql`INSERT INTO failed_deliveries (partner_id, change_id) VALUES (${partner_id}, ${change_id}) ON CONFLICT DO NOTHING`,
  ),
)

/** Changes the failed deliveries, and moves the position up to an event. */
const record = Effect.fnUntraced(function* <A>(
  partner_id: string,
  change_id: bigint,
  change: (sql: SqlClient.SqlClient) => Effect.Effect<A, SqlError>,
) {
  const position = yield* positionOf(partner_id)
  const { run } = yield* TransferMirror
  const state = { partner_id, name: "delivered", value: change_id.toString() }
  yield* run((sql) =>
    sql.withTransaction(
      Effect.andThen(
        change(sql),
        Rows.upsert(sql, "sync_state", ["partner_id", "name"], change_id > position ? [state] : []),
      ),
    ),
  )
})
