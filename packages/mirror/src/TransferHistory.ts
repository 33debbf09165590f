/** A transfer with all that is known of its past: what changed, and when it was seen. */
import * as CanonicalJson from "@transferkit/domain/CanonicalJson"
import * as JsonValue from "@transferkit/domain/JsonValue"
import * as StoredText from "@transferkit/domain/StoredText"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Rows from "./internal/Rows.ts"
import * as SqlFailure from "./internal/SqlFailure.ts"
import * as SqlText from "./internal/SqlText.ts"

/** A field before and after a change. A side is absent if the transfer did not have the field. */
export interface Values {
  readonly from?: unknown
  readonly to?: unknown
}

/** One change of a transfer. */
export interface Change {
  readonly event: "changed" | "vanished" | "reappeared"
  /** When the mirror saw it: the service does not tell when it happened. */
  readonly seen_at: string
  readonly changed: Readonly<Record<string, Values>>
}

/** See the file. Changes are in the order in which they were seen. */
export interface TransferHistory {
  readonly partner_id: string
  /** As it was seen last. */
  readonly transfer: Transfer
  readonly first_seen_at: string
  readonly vanished_at: string | undefined
  readonly changes: ReadonlyArray<Change>
}

/**
 * The fields that differ between two transfers, given as JSON.
 *
 * @example
 * TransferHistory.difference('{"status":"approved"}', '{"status":"complete"}') // => { status: { from: "approved", to: "complete" } }
 */
export const difference = (before: string, after: string): Readonly<Record<string, Values>> => {
  const [from, to] = [before, after].map((body): Readonly<Record<string, unknown>> => Object(JsonValue.parse(body)))
  const names = new Set([...Object.keys(from ?? {}), ...Object.keys(to ?? {})])
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const values = [from?.[name], to?.[name]]
      if (CanonicalJson.stringify(values[0]) === CanonicalJson.stringify(values[1])) return []
      const [old, fresh] = values
      return [[name, { ...(old === undefined ? {} : { from: old }), ...(fresh === undefined ? {} : { to: fresh }) }]]
    }),
  )
}

interface Found {
  readonly partner_id: string
  readonly id: string
  readonly body: string
  readonly first_seen_at: string
  readonly vanished_at: string | null
}

interface FoundChange {
  readonly event: Change["event"]
  readonly seen_at: string
  readonly changed: string
}

/**
 * Transfers by `id` or `external_id`: as they are now, vanished ones included, or as they were at an instant.
 *
 * @example
 * // The service of a mirror has it, with its own client.
 * await run(Effect.flatMap(TransferMirror, ({ find }) => find("no-such-id"))) // => []
 */
export const find = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, id: string, asOf?: string) {
  const rowsBy = (column: string) =>
    asOf === undefined
      ? sql.literal(
          `SELECT partner_id, id, ${SqlText.body}, first_seen_at, vanished_at FROM mirrored_transfers WHERE ${column} = `,
        )
      : sql.literal(
          `SELECT partner_id, id, ${SqlText.body}, first_seen_at, NULL AS vanished_at FROM transfers WHERE ${column} = `,
        )
  const stored = StoredText.escape(id)
  const found = yield* sql<Found>`${rowsBy("id")}${stored} UNION ${rowsBy("external_id")}${stored} ORDER BY 1, 2`
  const rows = yield* Rows.withTransfers(found)
  return yield* Effect.forEach(rows, (row) =>
    Effect.flatMap(
      sql<FoundChange>`SELECT event, seen_at, changed FROM transfer_changes WHERE partner_id = ${row.partner_id} AND id = ${row.id}
        AND event <> 'created' AND seen_at <= ${asOf ?? "9999"} ORDER BY change_id`,
      Effect.fnUntraced(function* (found) {
        const history: TransferHistory = {
          partner_id: row.partner_id,
          transfer: row.transfer,
          first_seen_at: row.first_seen_at,
          vanished_at: row.vanished_at ?? undefined,
          changes: yield* Effect.forEach(found, (change) => changeOf(row.id, change)),
        }
        return history
      }),
    ),
  )
})

const changeOf = (id: string, { event, seen_at, changed }: FoundChange): Effect.Effect<Change, SqlError> =>
  Effect.try({
    try: () => ({ event, seen_at, changed: Object(JsonValue.parse(StoredText.unescapeJson(changed))) }),
    catch: () => SqlFailure.damaged("transfer_changes", { id, seen_at }, "has a changed that is no JSON: restore it"),
  })
