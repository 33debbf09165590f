/**
 * Reads PostgreSQL in transactions that cannot write and are always rolled back, whatever a pooler does with the
 * settings of a session. The views of an instant live in them.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import type * as QueryAnswer from "../QueryAnswer.ts"
import * as ColumnNames from "./ColumnNames.ts"
import * as PostgresTypes from "./PostgresTypes.ts"
import * as PrivilegedRole from "./PrivilegedRole.ts"
import * as TransactionWord from "./TransactionWord.ts"

/** Ends a transaction, whose result is elsewhere: Effect hashes what a failure holds, and a trace prints it. */
const rolledBack = { _tag: "RolledBack" } as const

/** The statements that create views for a transaction: found before the stored ones, as nothing else that is temporary. */
const creating = (views: ReadonlyArray<string>): ReadonlyArray<string> =>
  views.length === 0
    ? []
    : ["DISCARD TEMP", "SELECT set_config('search_path', 'pg_temp, ' || quote_ident(current_schema()), true)", ...views]

/** Runs a read in a transaction of its own. `views` are created in it, before it turns read-only. */
export const run = <A>(
  sql: SqlClient.SqlClient,
  views: ReadonlyArray<string>,
  use: (sql: SqlClient.SqlClient) => Effect.Effect<A, SqlError>,
): Effect.Effect<A, SqlError> =>
  Effect.suspend(() => {
    let result: [A] | undefined
    const reading = Effect.gen(function* () {
      // The role may be read-only by default, which creates no view.
      if (views.length > 0) yield* sql.unsafe("SET TRANSACTION READ WRITE").raw
      for (const statement of creating(views)) yield* sql.unsafe(statement).raw
      yield* sql.unsafe("SET TRANSACTION READ ONLY").raw
      result = [yield* use(sql)]
      return yield* Effect.fail(rolledBack)
    })
    return Effect.catchTag(sql.withTransaction(reading), "RolledBack", (end) =>
      result === undefined ? Effect.die(end) : Effect.succeed(result[0]),
    )
  })

/** The driver's, which also has the names of the columns: of a row, the last of a name is left. */
interface Result {
  readonly fields: ReadonlyArray<PostgresTypes.Field>
  readonly rows: QueryAnswer.Rows
}

/** What a user asks, and how. */
export interface Question {
  readonly text: string
  readonly views: ReadonlyArray<string>
  readonly timeout: Duration.Duration
  readonly allowSuperuser: boolean
}

const rejected = (message: string) =>
  new SqlError({ reason: new UnknownError({ cause: new Error(message), message, operation: "query" }) })

/** The database sends more for a query than is held. */
export const tooLarge = rejected(
  "the result is too large: PostgreSQL may send 256 MiB for it. Ask for fewer rows or columns, or parts of the values with substr",
)

/**
 * The database looks each second whether its client is there: one that was killed has cancelled nothing. PostgreSQL has it
 * since 14, and rejects it on systems that cannot tell.
 */
const noticing = (one: (statement: string) => Effect.Effect<unknown, SqlError>) =>
  one("SAVEPOINT noticing").pipe(
    Effect.andThen(
      one(
        "SELECT pg_catalog.set_config(name, '1s', true) FROM pg_catalog.pg_settings WHERE name = 'client_connection_check_interval'",
      ).pipe(Effect.catch(() => one("ROLLBACK TO noticing"))),
    ),
    Effect.andThen(one("RELEASE noticing")),
  )

/** The columns of a statement, if it can stand in another one: SHOW and EXPLAIN cannot, nor what is wrong. */
const describing = (run: (statement: string) => Effect.Effect<Result, SqlError>, text: string) =>
  run("SAVEPOINT describing").pipe(
    Effect.andThen(run(PostgresTypes.described(text))),
    Effect.map(({ fields }) => fields),
    Effect.catch(() => Effect.as(run("ROLLBACK TO describing"), undefined)),
  )

const distinct = (fields: ReadonlyArray<PostgresTypes.Field>) => {
  const twice = ColumnNames.fault(fields.map(({ name }) => name))
  return twice === undefined ? Effect.void : Effect.fail(rejected(twice))
}

/**
 * Runs one statement of a user on a connection that is closed afterwards, after one that says where names are looked up.
 * A statement that ends the transaction is rejected, and so is a role that could write outside of it, or become one that
 * could.
 */
export const ask = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { text, views, timeout, allowSuperuser }: Question,
  searchPath: string,
) {
  const word = TransactionWord.of(text)
  if (word !== undefined) {
    return yield* Effect.fail(
      rejected(
        `${word} is not a query: give one that reads, such as SELECT. Its transaction is begun and ended for it`,
      ),
    )
  }
  const connection = yield* sql.reserve
  const one = (statement: string) => connection.executeUnprepared(statement, [], undefined)
  yield* one(`BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ${views.length > 0 ? "WRITE" : "ONLY"}`)
  yield* one(searchPath)
  const [role] = yield* one(`SELECT session_user AS name, ${PrivilegedRole.condition} AS is_privileged`)
  if (role?.["is_privileged"] === true && !allowSuperuser) {
    return yield* Effect.fail(
      rejected(
        `the role ${String(role["name"])} can write files and run programs of the database's machine, which a read-only transaction does not prevent: connect as a role made by sql/reader-role.sql, or pass --allow-superuser`,
      ),
    )
  }
  for (const statement of creating(views)) yield* one(statement)
  yield* one(`SET LOCAL statement_timeout = ${Math.ceil(Duration.toMillis(timeout))}`)
  yield* noticing(one)
  yield* one("SET TRANSACTION READ ONLY")
  // After the first query a transaction cannot be made writable again.
  yield* one("SELECT 1")
  const run = (statement: string) => Effect.map(connection.executeRaw(statement, []), (result) => result as Result)
  const described = yield* describing(run, text)
  if (described !== undefined) yield* distinct(described)
  const isChanged = described !== undefined && PostgresTypes.changed(described).length > 0
  const { fields, rows } = yield* run(isChanged ? PostgresTypes.written(text, described) : text)
  yield* distinct(fields)
  const [changed] = PostgresTypes.changed(fields)
  if (changed !== undefined) {
    return yield* Effect.fail(
      rejected(`the column ${ColumnNames.shown(changed.name)} is of a type that only a SELECT shows: give one`),
    )
  }
  const [setting] = yield* one("SHOW transaction_read_only")
  if (setting?.["transaction_read_only"] !== "on") {
    return yield* Effect.fail(
      rejected("the statement ended the read-only transaction: give a query, without COMMIT or ROLLBACK"),
    )
  }
  // A pooler gives the session to others, and such locks outlive their transaction.
  yield* one("SELECT pg_catalog.pg_advisory_unlock_all()")
  yield* one("ROLLBACK")
  const answer: QueryAnswer.QueryAnswer = { columns: fields.map(({ name }) => name), rows }
  return answer
}, Effect.scoped)
