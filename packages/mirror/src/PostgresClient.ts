/** `effect/sql` over PostgreSQL. Loaded only for a mirror there, because its package is optional. */
import { promises as files } from "node:fs"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
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

/** A password that the address lacks, as libpq takes it: nothing has to escape it for a URL. */
const passwordOf = Effect.fnUntraced(function* (url: URL) {
  if (url.password !== "" || url.searchParams.has("password")) return {}
  const given = yield* Effect.orElseSucceed(Config.option(Config.Redacted("PGPASSWORD")), () => Option.none())
  return Option.match(given, { onNone: () => ({}), onSome: (password) => ({ password }) })
})

/**
 * A client.
 *
 * @example
 * const address = Result.getOrThrow(MirrorAddress.parse("postgres://me@db.example/transfers?sslrootcert=missing.pem"))
 * const error = await Effect.runPromise(Effect.scoped(Effect.flip(PostgresClient.make({ address }))))
 * error.reason // => "sslrootcert: missing.pem cannot be read"
 */
export const make = Effect.fnUntraced(function* ({
  address,
  isOneConnection = false,
}: Options): Effect.fn.Return<SqlClient.SqlClient, SqlError | MirrorError, Scope.Scope> {
  const { url, prepare, encryption, sslrootcert, text } = address
  const ca =
    sslrootcert === undefined
      ? undefined
      : yield* Effect.tryPromise({
          // Not at once: a pipe without a writer would block what ends the program.
          try: (signal) => files.readFile(sslrootcert, { encoding: "utf8", signal }),
          catch: () =>
            new MirrorError({ kind: "usage", mirror: text, reason: `sslrootcert: ${sslrootcert} cannot be read` }),
        })
  const config = {
    url,
    prepare,
    ...(yield* passwordOf(new URL(Redacted.value(url)))),
    applicationName: "transfers",
    ...(encryption === "none" ? { ssl: false } : {}),
    ...(encryption === "verified" ? { ssl: ca === undefined ? true : { ca } } : {}),
  }
  const client = isOneConnection ? PgClient.makeClient(config) : PgClient.make({ ...config, maxConnections: 4 })
  return yield* Effect.provideServiceEffect(client, Reactivity.Reactivity, Reactivity.make)
})
