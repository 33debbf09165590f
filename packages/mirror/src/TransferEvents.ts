/** Changes that syncs have found and that are not delivered yet: to print them, or to hand them to another program. */
import * as StoredText from "@transferkit/domain/StoredText"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import * as Driver from "./internal/Driver.ts"
import * as PartnerRows from "./internal/PartnerRows.ts"
import * as PendingDeliveries from "./internal/PendingDeliveries.ts"
import * as Rows from "./internal/Rows.ts"
import * as SqlText from "./internal/SqlText.ts"
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

/** What is delivered of an event, at least. */
export type DeliveredEvent = Pick<TransferEvent, "event" | "transfer">

/** An event and its place among those that are pending. */
export interface Positioned {
  /** The id of its transfer, as the mirror stores it. */
  readonly id: string
  readonly change_id: bigint
  readonly created_ns: bigint
  readonly event: TransferEvent
}

interface Row {
  readonly id: string
  readonly change_id: bigint
  readonly created_ns: bigint
  readonly event: TransferEvent["event"]
  readonly previous_status: string | null
  readonly seen_at: string
  readonly body: string
}

/** Events to read at once. */
const most = 500

/**
 * The first events of a partner that were not {@link delivered}, or those that follow another event. They are in the order
 * in which their transfers were created; those of one transfer are together, in the order in which they were seen.
 *
 * @example
 * await run(TransferEvents.pending("demo")) // => []
 */
export const pending = Effect.fn("TransferEvents.pending")(function* (partner_id: string, after?: Positioned) {
  const { run } = Driver.of(yield* TransferMirror)
  if (after === undefined) yield* PendingDeliveries.queue(partner_id)
  const rows = yield* run((sql) => {
    const query = sql.unsafe<Row>(
      SqlText.place(sql, PendingDeliveries.text(after === undefined ? "first" : "after", most)),
      [partner_id, ...(after === undefined ? [] : [after.created_ns, after.id, after.change_id])],
    )
    return Effect.flatMap(query, Rows.withTransfers)
  })
  return rows.map(({ id, change_id, created_ns, event, previous_status, seen_at, transfer }): Positioned => ({
    id,
    change_id,
    created_ns,
    event: {
      event,
      ...(previous_status === null ? {} : { previous_status: StoredText.unescape(previous_status) }),
      seen_at,
      transfer,
    },
  }))
})

/**
 * Records that these events of a partner were delivered.
 *
 * @example
 * await run(TransferEvents.delivered("demo", [])) // => undefined
 */
export const delivered = Effect.fn("TransferEvents.delivered")(function* (
  partner_id: string,
  change_ids: ReadonlyArray<bigint>,
) {
  if (change_ids.length === 0) return
  yield* PartnerRows.write(
    partner_id,
    (sql) =>
      sql`DELETE FROM pending_deliveries WHERE partner_id = ${partner_id} AND ${sql.in("change_id", change_ids)}`,
  )
})
