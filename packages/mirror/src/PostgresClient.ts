/** `effect/sql` over PostgreSQL. Loaded only for a mirror there, because its package is optional. */
import { promises as files } from "node:fs"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Echoes from "./internal/Echoes.ts"
import * as PostgresPassword from "./internal/PostgresPassword.ts"
import * as PostgresTypes from "./internal/PostgresTypes.ts"
import * as ReadOnly from "./internal/ReadOnly.ts"
import * as ResultSize from "./internal/ResultSize.ts"
import * as SearchPath from "./internal/SearchPath.ts"
import * as Sockets from "./internal/Sockets.ts"
import type { MirrorAddress } from "./MirrorAddress.ts"
import { MirrorError } from "./MirrorError.ts"
import type * as QueryAnswer from "./QueryAnswer.ts"

type Address = Extract<MirrorAddress, { readonly _tag: "Postgres" }>

/** What to open, and how. */
export interface Options {
  readonly address: Address
  /**
   * The mirror has to be there.
   * @default false
   */
  readonly readOnly?: boolean
}

/** A client, and how users ask: with statements that may only read. */
export interface Opened {
  readonly sql: SqlClient.SqlClient
  readonly ask: (question: ReadOnly.Question) => Effect.Effect<QueryAnswer.QueryAnswer, SqlError | MirrorError>
  /** Runs what uses the client: an interruption ends it soon, and no span of it shows a secret. */
  readonly within: <A, E, R>(use: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/**
 * A client that looks names up in the schema of the mirror. Whoever asks has a connection of their own.
 *
 * @example
 * const address = Result.getOrThrow(MirrorAddress.parse("postgres://me@db.example/transfers?sslrootcert=missing.pem"))
 * const error = await Effect.runPromise(Effect.scoped(Effect.flip(PostgresClient.open({ address }))))
 * error.reason // => "sslrootcert: missing.pem cannot be read"
 */
export const open = Effect.fnUntraced(function* ({
  address,
  readOnly = false,
}: Options): Effect.fn.Return<Opened, SqlError | MirrorError, Scope.Scope> {
  const url = new URL(Redacted.value(address.url))
  const sockets = Sockets.make(url)
  const redact = yield* Echoes.redacting(address)
  const within: Opened["within"] = (use) => sockets.promptly(Echoes.masked(redact, use))
  const client = yield* connect(address, sockets, (config) => PgClient.make({ ...config, maxConnections: 4 }))
  const schema = yield* within(SearchPath.schemaOf(client, { mirror: address.text, readOnly }))
  const opened: Opened = {
    sql: yield* withReactivity(SearchPath.pinned(client, schema)),
    ask: (question) => {
      const own = Sockets.make(url)
      return connect(address, own, PgClient.makeClient).pipe(
        Effect.flatMap((sql) => ReadOnly.ask(sql, question, SearchPath.statement(schema))),
        own.atMost(ResultSize.mostBytes, ReadOnly.tooLarge),
        Effect.scoped,
        (asked) => own.promptly(Echoes.masked(redact, asked)),
      )
    },
    within,
  }
  return opened
})

const withReactivity = <A, E, R>(client: Effect.Effect<A, E, R>) =>
  Effect.provideServiceEffect(client, Reactivity.Reactivity, Reactivity.make)

const connect = Effect.fnUntraced(function* (
  address: Address,
  sockets: Sockets.Sockets,
  make: typeof PgClient.makeClient,
) {
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
    ...Option.match(yield* PostgresPassword.given(new URL(Redacted.value(url))), {
      onNone: () => ({}),
      onSome: (password) => ({ password }),
    }),
    applicationName: "transfers",
    stream: sockets.open,
    types: PostgresTypes.registry,
    ...(encryption === "none" ? { ssl: false } : {}),
    ...(encryption === "verified" ? { ssl: ca === undefined ? true : { ca } } : {}),
  }
  return yield* withReactivity(make(config))
})
