/** `effect/sql` over PostgreSQL. Loaded only for a mirror there, because its package is optional. */
import { readFileSync } from "node:fs"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Scope from "effect/Scope"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { MirrorAddress } from "./MirrorAddress.ts"
import { MirrorError } from "./MirrorError.ts"

/** How to connect. */
export interface Options {
  readonly address: Extract<MirrorAddress, { readonly _tag: "Postgres" }>
  /**
   * All statements in one session.
   * @default false
   */
  readonly isOneConnection?: boolean
}

/** A client. */
export const make = Effect.fnUntraced(function* ({
  address,
  isOneConnection = false,
}: Options): Effect.fn.Return<SqlClient.SqlClient, SqlError | MirrorError, Scope.Scope> {
  const { url, prepare, encryption, sslrootcert, text } = address
  const ca =
    sslrootcert === undefined
      ? undefined
      : yield* Effect.try({
          try: () => readFileSync(sslrootcert, "utf8"),
          catch: () =>
            new MirrorError({ kind: "usage", mirror: text, reason: `sslrootcert: ${sslrootcert} cannot be read` }),
        })
  const config = {
    url,
    prepare,
    applicationName: "transfers",
    ...(encryption === "none" ? { ssl: false } : {}),
    ...(encryption === "verified" ? { ssl: ca === undefined ? true : { ca } } : {}),
  }
  const client = isOneConnection ? PgClient.makeClient(config) : PgClient.make({ ...config, maxConnections: 4 })
  return yield* Effect.provideServiceEffect(client, Reactivity.Reactivity, Reactivity.make)
})
