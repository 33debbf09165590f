/**
 * `effect/sql` over Node's own SQLite. The published adapters do not fit Effect 4.1. Integers are read as bigints, and
 * every connection has the exact aggregate `decimal_sum`.
 */
import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as SqliteConnection from "./internal/SqliteConnection.ts"
import type * as QueryAnswer from "./QueryAnswer.ts"

/** What to open, and how. */
export interface Options {
  /** The path of the file, or `:memory:`. */
  readonly file: string
  /**
   * Rejects every change. The file has to be there.
   * @default false
   */
  readonly readOnly?: boolean
}

/** A client, and how users ask: with statements that may only read. */
export interface Opened {
  readonly sql: SqlClient.SqlClient
  readonly ask: (text: string) => Effect.Effect<QueryAnswer.QueryAnswer, SqlError>
}

/**
 * A client on one connection. Its statements wait for each other, and for a transaction that is open.
 *
 * @example
 * const asked = Effect.flatMap(SqliteClient.open({ file: ":memory:" }), ({ ask }) => ask("SELECT 1 AS one"))
 * (await Effect.runPromise(Effect.scoped(asked))).columns // => ["one"]
 */
export const open = Effect.fnUntraced(function* ({
  file,
  readOnly = false,
}: Options): Effect.fn.Return<Opened, SqlError, Scope.Scope> {
  const connected = yield* Effect.acquireRelease(SqliteConnection.open(file, readOnly), ({ db }) =>
    Effect.sync(() => db.close()),
  )
  const connection = SqliteConnection.make(connected)
  const sql = yield* SqlClient.make({
    driver: "node-sqlite",
    compiler: Statement.makeCompilerSqlite(),
    spanAttributes: [["db.system.name", "sqlite"]],
    ...SqlClient.makeSqliteAcquirers({
      connection: Effect.succeed(connection),
      semaphore: Semaphore.makeUnsafe(1),
      isTransaction: () => connected.db.isTransaction,
    }),
    // A transaction that reads first and then writes could meet another writer half-way, which no waiting resolves.
    beginTransaction: readOnly ? "BEGIN" : SqliteConnection.beginToWrite,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
  }).pipe(Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make))
  const opened: Opened = { sql, ask: (text) => SqliteConnection.ask(connected, text) }
  return opened
})
