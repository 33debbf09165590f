/**
 * The statuses by which a partner's mirror says whether a transfer may still change: those that the settlement of its last
 * sync has as settled or failed. Every row says it by the same ones, whichever process has written it.
 */
import * as Dialect from "@transferkit/domain/Dialect"
import * as JsonBounds from "@transferkit/domain/JsonBounds"
import * as StoredText from "@transferkit/domain/StoredText"
import * as Effect from "effect/Effect"
import * as S from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Rows from "./Rows.ts"
import * as SqlFailure from "./SqlFailure.ts"
import * as SqlText from "./SqlText.ts"

/** The name in `sync_state`. */
const state = "final_statuses"

/** That of those which were final before, and whose transfers no pass has read again since. */
const former = "former_final_statuses"

/** The state after a pass: it has read again whatever may still change. */
export const passed: Readonly<Record<string, string>> = { [former]: "[]" }

/** Statuses, each once and in order. */
export type Statuses = ReadonlyArray<string>

const decode: (text: unknown) => Effect.Effect<Statuses, S.SchemaError> = S.decodeUnknownEffect(
  S.fromJsonString(S.Array(S.String)),
)

/** Those of a settlement. */
export const of = ({ settledStatuses, failedStatuses }: Dialect.Settlement): Statuses =>
  [...new Set([...settledStatuses, ...failedStatuses])].sort()

const listOf = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  partner_id: string,
  { name, lock = "" }: { readonly name: string; readonly lock?: string },
): Effect.fn.Return<Statuses | undefined, SqlError> {
  const [row] = yield* sql<{
    readonly value: unknown
  }>`SELECT value FROM sync_state WHERE partner_id = ${partner_id} AND name = ${name}${sql.literal(lock)}`
  if (row === undefined) return undefined
  const damaged = SqlFailure.damaged("sync_state", { partner_id, name }, "has a value that is no list: restore it")
  if (typeof row.value !== "string" || JsonBounds.isExceeded(row.value)) return yield* Effect.fail(damaged)
  return yield* Effect.mapError(decode(row.value), () => damaged)
})

/** Those of a mirror, if it was synced, and the former ones. */
export const read = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, partner_id: string) {
  const final = yield* listOf(sql, partner_id, { name: state })
  return { final, former: (yield* listOf(sql, partner_id, { name: former })) ?? [] }
})

/**
 * Whether a status may still change, for what a transaction writes: by the mirror, or else by the settlement. The mirror's
 * statuses stay until the transaction ends.
 */
export const isOpen = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, partner_id: string) {
  const lock = sql.onDialectOrElse({ pg: () => " FOR SHARE", orElse: () => "" })
  const final = (yield* listOf(sql, partner_id, { name: state, lock })) ?? of(yield* Dialect.Dialect)
  return (status: string) => !final.includes(status)
})

/** Gives a mirror other statuses, and makes its rows follow them, in a transaction. */
export const replace = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  partner_id: string,
  final: Statuses,
): Effect.fn.Return<void, SqlError> {
  const before = yield* read(sql, partner_id)
  const were = [...(before.final ?? []), ...before.former].filter((status) => !final.includes(status))
  const states = { [state]: final, [former]: [...new Set(were)].sort() }
  const rows = Object.entries(states).map(([name, list]) => ({ partner_id, name, value: JSON.stringify(list) }))
  // First, so that what a worker writes meanwhile waits for it, or is there.
  yield* Rows.upsert(sql, "sync_state", ["partner_id", "name"], rows)
  const follow = (table: string, column: string, status: string) =>
    sql.unsafe(
      SqlText.place(
        sql,
        `UPDATE ${table} SET ${column} = 1 - ${column} WHERE partner_id = ?
          AND ${column} <> CASE WHEN ${status} IN (${SqlText.listed(sql)}) THEN 0 ELSE 1 END`,
      ),
      [partner_id, JSON.stringify(final.map(StoredText.escape))],
    ).raw
  yield* follow("mirrored_transfers", "is_open", "status")
  yield* follow("transfer_changes", "was_open", "COALESCE(previous_status, status)")
})
