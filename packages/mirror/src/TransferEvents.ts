/** What syncs have found, in the order in which they found it: to print, or to hand to another program. */
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
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

/** The first events of a partner that were not {@link delivered}; none after the last. */
export const undelivered = Effect.fn("TransferEvents.undelivered")(function* (partner_id: string) {
  const position = BigInt((yield* SyncTables.state(partner_id, "delivered")) ?? 0)
  const { run } = yield* TransferMirror
  // A version is kept with the change that ended it, so what a change led to is with the next one.
  const rows = yield* run(
    (sql) => sql<Row>`SELECT c.change_id, c.event, c.previous_status, c.seen_at, COALESCE(
        CASE WHEN c.event = 'vanished' THEN c.body END,
        (SELECT n.body FROM transfer_changes n WHERE n.partner_id = c.partner_id AND n.id = c.id
          AND n.change_id > c.change_id AND n.body IS NOT NULL ORDER BY n.change_id LIMIT 1),
        t.body) AS body
      FROM transfer_changes c JOIN mirrored_transfers t ON t.partner_id = c.partner_id AND t.id = c.id
      WHERE c.partner_id = ${partner_id} AND c.change_id > ${position} ORDER BY c.change_id LIMIT ${most}`,
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

/** Records that the events of a partner up to this one were delivered. */
export const delivered = Effect.fn("TransferEvents.delivered")((partner_id: string, change_id: bigint) =>
  SyncTables.setState(partner_id, { delivered: change_id.toString() }),
)
