/**
 * The schema of PostgreSQL in which a mirror's names are looked up, whatever the search_path of a role, a database or an
 * address says, and whatever others have left in the session of a pooler: a table of the same name in an earlier schema
 * would answer in place of the mirror's.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { MirrorError } from "../MirrorError.ts"
import * as Migrations from "./schema/Migrations.ts"

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * The statement that looks names up in one schema until the transaction ends. PostgreSQL's own come first, and temporary
 * tables, which would otherwise come before all, last. Without a schema nothing is found.
 */
export const statement = (schema: string | undefined): string =>
  `SET LOCAL search_path TO ${schema === undefined ? "''" : `${quoted(schema)}, pg_temp`}`

/** Whatever the default of a database or a role is: a stricter level fails what waits for another transaction. */
const begin = "BEGIN ISOLATION LEVEL READ COMMITTED"

/** A client of the same sessions. Each of its statements, and each transaction, looks names up in one schema. */
export const pinned = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, schema: string | undefined) {
  const { transactionService } = sql
  const current = Effect.serviceOption(transactionService)
  const set = sql.unsafe(statement(schema)).raw
  // A savepoint keeps what its transaction has set.
  const withTransaction: SqlClient.SqlClient["withTransaction"] = (body) =>
    Effect.flatMap(current, (around) =>
      sql
        .withTransaction(Option.isSome(around) ? body : Effect.andThen(set, body))
        .pipe(Effect.provideService(SqlClient.BeginTransaction, begin)),
    )
  const client = yield* SqlClient.make({
    driver: sql.driver,
    compiler: PgClient.makeCompiler(),
    spanAttributes: [["db.system.name", "postgresql"]],
    transactionService,
    acquirer: Effect.die(new Error("statements of a mirror are not streamed")),
    borrower: (use) => withTransaction(Effect.flatMap(current, (own) => use(Option.getOrThrow(own)[0]))),
  })
  return Object.assign(client, { withTransaction })
})

interface Schema {
  readonly name: string
  readonly holds: boolean
  /** Whether every role may create functions in it. */
  readonly isOpen: boolean
  /** Tables of a mirror of which policies may hide rows. */
  readonly filtered: string | null
}

const tables = Migrations.files.pg.flatMap(({ text }) =>
  [...text.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name = ""]) => name),
)

/** The schemas that a role, a database or an address names, in their order, and whether each holds a mirror. */
const named = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  // Not what another client of a pooler has set.
  yield* sql.unsafe("SET LOCAL search_path TO DEFAULT").raw
  const names = yield* sql<{
    readonly name: string
  }>`SELECT pg_catalog.unnest(pg_catalog.current_schemas(false)) AS name`
  yield* sql.unsafe(statement("pg_catalog")).raw
  const schemas = yield* sql<Schema>`SELECT nspname AS name, has_schema_privilege('public', oid, 'CREATE') AS "isOpen",
    EXISTS (SELECT FROM pg_class WHERE relnamespace = pg_namespace.oid AND relname = 'mirror_migrations') AS holds,
    (SELECT string_agg(relname, ' and ' ORDER BY relname) FROM pg_class
      WHERE relnamespace = pg_namespace.oid AND relrowsecurity AND ${sql.in("relname", tables)}) AS filtered
    FROM pg_namespace`
  return names.flatMap(({ name }) => (name.startsWith("pg_") ? [] : schemas.filter((schema) => schema.name === name)))
})

/** A name as a value in `options`, where a space ends it. */
const optionOf = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : quoted(name).replace(/[\s\\]/g, "\\$&")

/** What to open. */
export interface Options {
  /** Its address, for errors. */
  readonly mirror: string
  readonly readOnly: boolean
}

/**
 * The schema of a mirror: that which holds one, or the first, in which one is made. Fails if several do, for who writes if
 * another comes first, in which new tables would be expected, if everybody's functions would be looked up there, and if
 * policies may hide rows.
 */
export const schemaOf = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { mirror, readOnly }: Options,
): Effect.fn.Return<string | undefined, SqlError | MirrorError> {
  const schemas = yield* sql.withTransaction(named(sql))
  const [first] = schemas
  const holding = schemas.filter(({ holds }) => holds)
  const [chosen = first] = holding
  if (chosen === undefined) return undefined
  const { name, isOpen, filtered } = chosen
  const reject = (reason: string) => new MirrorError({ kind: "usage", mirror, reason })
  if (holding.length > 1 || (!readOnly && chosen !== first)) {
    const found =
      holding.length > 1
        ? `${holding.map((one) => one.name).join(" and ")}, which hold a mirror each`
        : `${first?.name} before ${name}, which holds the mirror`
    return yield* reject(
      `its search_path names the schemas ${found}: name one, as in ?options=-c%20search_path%3D${encodeURIComponent(optionOf(name))}`,
    )
  }
  if (isOpen) {
    return yield* reject(
      `every role may create functions and operators in the schema ${name}, which would run with your rights: REVOKE CREATE ON SCHEMA ${quoted(name)} FROM PUBLIC`,
    )
  }
  if (filtered !== null) {
    return yield* reject(
      `row-level security is on for ${filtered}, so rows may be hidden, and answers wrong: ALTER TABLE … DISABLE ROW LEVEL SECURITY, and grant rights on tables and views instead`,
    )
  }
  return name
})
