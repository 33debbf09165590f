/** The tables of a mirror: created and upgraded by whoever writes, and compared by whoever reads. */
import * as Effect from "effect/Effect"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Dialect } from "../Columns.ts"
import * as Genuine from "./Genuine.ts"
import * as Migrations from "./Migrations.ts"
import * as Objects from "./Objects.ts"
import type * as Views from "./Views.ts"

export const dialectOf = (sql: SqlClient.SqlClient): Dialect =>
  sql.onDialectOrElse({ pg: () => "pg" as const, orElse: () => "sqlite" as const })

const table = "mirror_migrations"

/** The statements of a file, without its comments. Each ends with a semicolon at the end of a line. */
export const statementsOf = (text: string): ReadonlyArray<string> =>
  text
    .replace(/^--.*\n/gm, "")
    .split(/;\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "")

/** The last migration of this program. */
export const version = (dialect: Dialect): number => Math.max(...Migrations.files[dialect].map(({ id }) => id))

/** The last migration of a mirror: 0 if it has no table yet. */
const versionOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient): Effect.fn.Return<number, SqlError> {
  const [found] = yield* sql.onDialectOrElse({
    pg: () => sql`SELECT 1 FROM pg_class WHERE oid = to_regclass(${table})`,
    orElse: () => sql`SELECT 1 FROM sqlite_schema WHERE name = ${table}`,
  })
  if (found === undefined) return 0
  const [row] = yield* sql<{
    readonly last: bigint | number | null
  }>`SELECT MAX(migration_id) AS last FROM ${sql(table)}`
  return Number(row?.last ?? 0)
})

/** Why a mirror cannot be used by this program. */
const mismatch = (found: number, known: number, { isReader }: { readonly isReader: boolean }): string | undefined => {
  if (found > known)
    return `it has version ${found}, and this program knows versions up to ${known}: update the program`
  if (!isReader || found === known) return undefined
  return found === 0
    ? "there is no mirror: make one with transfers sync"
    : `it has version ${found}, and this program reads version ${known}: run transfers sync, which upgrades it`
}

/** Before anything else is asked of it. The tables of PostgreSQL belong to whoever may change them. */
const faultOf = (sql: SqlClient.SqlClient, isReader: boolean) =>
  sql.onDialectOrElse({ pg: () => Effect.undefined, orElse: () => Genuine.fault(sql, { isReader }) })

/** Compares a mirror with what this program reads. The result says why it does not fit. */
export const check = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
): Effect.fn.Return<string | undefined, SqlError> {
  const found = yield* faultOf(sql, false)
  if (found !== undefined) return found
  const reason = mismatch(yield* versionOf(sql), version(dialectOf(sql)), { isReader: true })
  return reason ?? (yield* faultOf(sql, true))
})

/**
 * Creates or upgrades the tables, and makes anew what else has changed: all of it, or nothing. A mirror that is as it
 * should be is not locked. The result says why a mirror does not fit.
 */
export const migrate = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  options: Views.Options,
): Effect.fn.Return<string | undefined, SqlError | Migrator.MigrationError> {
  const dialect = dialectOf(sql)
  const known = version(dialect)
  const fault = yield* faultOf(sql, false)
  if (fault !== undefined) return fault
  const found = yield* versionOf(sql)
  const reason = mismatch(found, known, { isReader: false })
  if (reason !== undefined) return reason
  const objects = Objects.all(dialect, options)
  if (found === known && (yield* Objects.stale(sql, objects)).length === 0) return yield* faultOf(sql, true)
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* alone(sql)
      // Others may have upgraded it meanwhile. This also makes PostgreSQL look for tables that it did not find before.
      const newer = mismatch(yield* versionOf(sql), known, { isReader: false })
      if (newer !== undefined) return newer
      yield* catalogue(sql)
      yield* Effect.provideService(upgrade(dialect), SqlClient.SqlClient, sql)
      yield* Objects.refresh(sql, objects)
      return undefined
    }),
  )
})

/** The migrator's own table. If it cannot make that, it reports only that the transaction is aborted, and not why. */
const catalogue = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () => sql`CREATE TABLE IF NOT EXISTS ${sql(table)} (migration_id integer PRIMARY KEY,
      created_at timestamp with time zone NOT NULL DEFAULT now(), name text NOT NULL)`,
    orElse: () => Effect.void,
  })

const upgrade = (dialect: Dialect) =>
  Migrator.make({})({
    table,
    loader: Migrator.fromRecord(
      Object.fromEntries(
        Migrations.files[dialect].map(({ id, text }) => [
          `${id}_mirror`,
          Effect.flatMap(SqlClient.SqlClient, (sql) =>
            Effect.forEach(statementsOf(text), (statement) => sql.unsafe(statement).raw, { discard: true }),
          ),
        ]),
      ),
    ),
  })

/** Until the transaction ends. SQLite's transactions are alone anyway. */
const alone = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () => sql`SELECT pg_advisory_xact_lock(hashtextextended('transferkit mirror ' || current_schema(), 0))`,
    orElse: () => Effect.void,
  })
