/** Indexes that are made after a first load: at once, which is cheaper than with each of its transfers. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Dialect } from "../Columns.ts"

/** An index. */
export interface Index {
  readonly name: string
  readonly statement: string
}

/** What transfers are looked up by, with the index of each. */
const columns = {
  transfers_by_external_id: "external_id",
  transfers_by_wallet: "wallet_address",
  transfers_by_hash: "network_transaction_id",
}

const byDay: Index = {
  name: "transfers_by_day",
  statement: "CREATE INDEX transfers_by_day ON mirrored_transfers (partner_id, created_day)",
}

export const of = (dialect: Dialect): ReadonlyArray<Index> => [
  byDay,
  ...Object.entries(columns).map(([name, column]) => ({
    name,
    statement:
      dialect === "pg"
        ? `CREATE INDEX ${name} ON mirrored_transfers USING hash (${column})`
        : `CREATE INDEX ${name} ON mirrored_transfers (${column}) WHERE ${column} IS NOT NULL`,
  })),
]

/** Makes those that are missing. */
export const complete = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  dialect: Dialect,
): Effect.fn.Return<void, SqlError> {
  for (const { name, statement } of of(dialect)) {
    const [found] = yield* sql.onDialectOrElse({
      pg: () => sql`SELECT 1 FROM pg_class WHERE oid = to_regclass(${name})`,
      orElse: () => sql`SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ${name}`,
    })
    if (found === undefined) yield* sql.unsafe(statement).raw
  }
})
