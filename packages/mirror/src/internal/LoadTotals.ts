/**
 * The totals of a first load that one process makes from its beginning to its end, added up on the way, so that its
 * transfers are not read again for them. If it ends early, the one that resumes it computes them from the transfers.
 */
import * as Effect from "effect/Effect"
import type { TransferEvent } from "../MirrorReading.ts"
import { TransferMirror } from "../TransferMirror.ts"
import * as PartnerRows from "./PartnerRows.ts"
import * as Rows from "./Rows.ts"
import * as SyncTables from "./SyncTables.ts"
import * as Totals from "./Totals.ts"

/** Days and statuses to hold in memory. A load reads one time after the other, so few of those that it saves change again. */
const mostHeld = 2000

export const make = Effect.fnUntraced(function* (partner_id: string) {
  const { sums } = yield* TransferMirror
  let isWhole = sums
  let changes = new Totals.Changes()
  return {
    /** Adds what was found. */
    add: Effect.fnUntraced(function* (events: ReadonlyArray<TransferEvent>) {
      // What a transfer that changed already has added before is not known here.
      isWhole &&= events.every(({ event }) => event === "created")
      if (!isWhole) return
      for (const { transfer } of events) changes.add(transfer, Rows.dayOf(transfer), 1)
      if (changes.size < mostHeld) return
      // Queries read them only once they are complete.
      const held = changes
      yield* PartnerRows.write(partner_id, (sql) => Totals.save(sql, partner_id, held))
      changes = new Totals.Changes()
    }),
    /** Makes them complete, unless something was found twice. */
    complete: Effect.suspend(() =>
      isWhole ? SyncTables.saveTotals(partner_id, (sql) => Totals.save(sql, partner_id, changes)) : Effect.void,
    ),
  }
})
