/** Where a first load stands, in the mirror's state. */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Effect from "effect/Effect"
import * as S from "effect/Schema"
import * as Doubts from "./Doubts.ts"
import * as PartnerRows from "./PartnerRows.ts"
import * as Rows from "./Rows.ts"
import * as SyncTables from "./SyncTables.ts"
import * as SyncWindows from "./SyncWindows.ts"
import * as Totals from "./Totals.ts"

const Position = S.fromJsonString(
  S.Struct({
    started_at: Timestamp.Schema,
    until: Timestamp.Schema,
    checkpoint: S.optionalKey(Checkpoint.Schema),
  }),
)

/** Without a checkpoint nothing was read, or it is read by windows. */
export interface LoadPosition {
  readonly started_at: Timestamp.Timestamp
  readonly until: Timestamp.Timestamp
  readonly checkpoint?: Checkpoint.Checkpoint
}

// Written out, because the types of the schema name what only the domain can import.
const decode: (text: unknown) => Effect.Effect<LoadPosition, S.SchemaError> = S.decodeUnknownEffect(Position)

/** As the mirror's state holds it. */
export const encode: (position: LoadPosition) => string = S.encodeSync(Position)

/** The position of a partner's load, if it has begun. */
export const read = Effect.fnUntraced(function* (partner_id: string) {
  const saved = yield* SyncTables.state(partner_id, "backfill")
  if (saved === undefined) return undefined
  return yield* decode(saved).pipe(
    Effect.catch(() => SyncTables.damaged(partner_id, "backfill", "has a value that is no position of a load")),
  )
})

/** The same of a load that can go on. One with doubts cannot: it may have read any second without a transfer. */
export const resumable = Effect.fnUntraced(function* (partner_id: string) {
  return CreatedAt.isEmpty(yield* Doubts.read(partner_id)) ? yield* read(partner_id) : undefined
})

/** What a partner has of an earlier load, besides its windows. */
const earlier = ["pending_deliveries", "transfer_changes", "transfer_totals", "mirrored_transfers"] as const

/**
 * Begins a load with nothing before it. What an earlier one has read may be gone from the service, and a load would have to
 * remember what it did not find until its end, whichever process reaches that.
 */
export const begin = (partner_id: string, position: LoadPosition) =>
  PartnerRows.write(
    partner_id,
    Effect.fnUntraced(function* (sql) {
      // First: a worker that reads one finds that it has lost it.
      yield* SyncWindows.removeAll(sql, partner_id)
      for (const table of earlier) yield* sql`DELETE FROM ${sql(table)} WHERE partner_id = ${partner_id}`
      // They vouch for what is removed.
      yield* sql`DELETE FROM sync_runs WHERE partner_id = ${partner_id} AND outcome = 'complete'`
      yield* sql`DELETE FROM sync_state WHERE partner_id = ${partner_id} AND name = ${Doubts.state}`
      const state = { backfill: encode(position), [Totals.state]: Totals.loading }
      const rows = Object.entries(state).map(([name, value]) => ({ partner_id, name, value }))
      yield* Rows.upsert(sql, "sync_state", ["partner_id", "name"], rows)
    }),
  )
