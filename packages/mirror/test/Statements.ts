/** A client that keeps the statements it is given, in the SQL of either database, and finds no row. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import * as Statement from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import type { Dialect } from "../src/internal/Columns.ts"

/** Runs an effect, and returns what it asked of a database. */
export const statementsOf = async (
  dialect: Dialect,
  effect: Effect.Effect<unknown, unknown, SqlClient.SqlClient>,
): Promise<ReadonlyArray<string>> => {
  const statements: Array<string> = []
  const execute: Connection["execute"] = (sql) =>
    Effect.sync(() => {
      statements.push(sql)
      return []
    })
  const connection: Connection = {
    execute,
    executeUnprepared: execute,
    executeRaw: (sql, params) => execute(sql, params, undefined),
    executeValues: (sql, params) => Effect.as(execute(sql, params, undefined), []),
    executeValuesUnprepared: (sql, params) => Effect.as(execute(sql, params, undefined), []),
    executeStream: () => Stream.empty,
  }
  const client = SqlClient.make({
    driver: "recorder",
    compiler: dialect === "pg" ? PgClient.makeCompiler() : Statement.makeCompilerSqlite(),
    spanAttributes: [],
    acquirer: Effect.succeed(connection),
    transactionAcquirer: Effect.succeed(connection),
  })
  await Effect.runPromise(
    effect.pipe(
      Effect.provideServiceEffect(SqlClient.SqlClient, client),
      Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make),
      Effect.scoped,
    ),
  )
  return statements
}
