/** `effect/sql` over PostgreSQL. Loaded only for a mirror there, because its package is optional. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** How to connect. */
export interface Options {
  readonly url: Redacted.Redacted
  /** Rejects every change. */
  readonly readOnly: boolean
  /** All statements in one session, which has views of its own. */
  readonly isOneConnection: boolean
}

/** A client. */
export const make = ({
  url,
  readOnly,
  isOneConnection,
}: Options): Effect.Effect<SqlClient.SqlClient, SqlError, Scope.Scope> => {
  const config = {
    url,
    applicationName: "transfers",
    // A session with views of its own turns read-only once it has them.
    ...(readOnly && !isOneConnection ? { startupParameters: { default_transaction_read_only: "on" } } : {}),
  }
  const client = isOneConnection ? PgClient.makeClient(config) : PgClient.make({ ...config, maxConnections: 4 })
  return Effect.provideServiceEffect(client, Reactivity.Reactivity, Reactivity.make)
}
