/**
 * What a mirror has beside its tables and can be made anew at any time: computed columns, functions and views. Each is
 * kept with a hash of its text, and replaced where that differs. Rights that were granted on a view are granted again.
 */
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Dialect } from "../Columns.ts"
import * as Columns from "../Columns.ts"
import * as Rows from "../Rows.ts"
import * as Views from "./Views.ts"

/** Something that can be made anew. */
export interface MirrorObject {
  readonly name: string
  readonly hash: string
  readonly put: (sql: SqlClient.SqlClient) => Effect.Effect<void, SqlError>
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex")

const run = (sql: SqlClient.SqlClient, statements: ReadonlyArray<string>): Effect.Effect<void, SqlError> =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement).raw, { discard: true })

/** SQLite computes most columns from the JSON of a transfer. */
const columns: ReadonlyArray<MirrorObject> = Columns.derived
  .filter((column) => !Columns.storedOf("sqlite").includes(column))
  .map(({ name, of }) => {
    const text = `ALTER TABLE mirrored_transfers ADD COLUMN ${name} TEXT AS (${of.sqlite}) VIRTUAL`
    return {
      name: `column ${name}`,
      hash: hashOf(text),
      put: Effect.fnUntraced(function* (sql) {
        const known = yield* sql`SELECT 1 FROM pragma_table_xinfo('mirrored_transfers') WHERE name = ${name}`
        if (known.length > 0) yield* run(sql, [`ALTER TABLE mirrored_transfers DROP COLUMN ${name}`])
        yield* run(sql, [text])
      }),
    }
  })

/** SQLite's connections bring `decimal_sum` along. A sum of nothing is NULL, as that of `SUM` is. */
const decimalSum = [
  "CREATE OR REPLACE AGGREGATE decimal_sum (NUMERIC) (SFUNC = numeric_add, STYPE = NUMERIC, FINALFUNC = trim_scale)",
  "CREATE OR REPLACE FUNCTION decimal_add (NUMERIC, TEXT) RETURNS NUMERIC LANGUAGE SQL IMMUTABLE AS 'SELECT CASE WHEN $2 IS NULL THEN $1 ELSE COALESCE($1, 0) + CAST($2 AS NUMERIC) END'",
  "CREATE OR REPLACE AGGREGATE decimal_sum (TEXT) (SFUNC = decimal_add, STYPE = NUMERIC, FINALFUNC = trim_scale)",
]

const functions: ReadonlyArray<MirrorObject> = [
  { name: "function decimal_sum", hash: hashOf(decimalSum.join(";\n")), put: (sql) => run(sql, decimalSum) },
]

/** What views build on, by dialect. */
const others = { sqlite: columns, pg: functions } as const satisfies Record<Dialect, ReadonlyArray<MirrorObject>>

const views = (dialect: Dialect, options: Views.Options): MirrorObject => {
  const made = Views.stored(dialect, options)
  const create = (how: string) => made.map(({ name, select }) => `${how} VIEW ${name} AS ${select}`)
  const names = made.map(({ name }) => name)
  const replace = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
    const granted = yield* grants(sql, names)
    yield* drop(sql)
    yield* run(sql, [...create("CREATE"), ...granted])
  })
  return {
    name: "views",
    hash: hashOf(create("CREATE").join(";\n")),
    put: (sql) =>
      sql.onDialectOrElse({
        // Views of others may use ours, which therefore stay where they are, unless their columns change.
        pg: () => sql.withTransaction(run(sql, create("CREATE OR REPLACE"))).pipe(Effect.catch(() => replace(sql))),
        orElse: () => replace(sql),
      }),
  }
}

const drop = (sql: SqlClient.SqlClient) =>
  run(
    sql,
    Views.stored("sqlite", { sums: true })
      .toReversed()
      .map(({ name }) => `DROP VIEW IF EXISTS ${name}`),
  )

/** The statements that grant again what others may do with the views. */
const grants = (
  sql: SqlClient.SqlClient,
  names: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<string>, SqlError> =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.map(
        sql<{ readonly statement: string }>`SELECT format('GRANT %s ON %I TO %s%s', acl.privilege_type, class.relname,
            CASE acl.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(acl.grantee)) END,
            CASE WHEN acl.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END) AS statement
          FROM pg_class AS class, aclexplode(class.relacl) AS acl
          WHERE class.relkind = 'v' AND class.relnamespace = CAST(current_schema() AS regnamespace)
            AND acl.grantee <> class.relowner AND ${sql.in("class.relname", names)}`,
        (rows) => rows.map(({ statement }) => statement),
      ),
    orElse: () => Effect.succeed([]),
  })

/** All of them, in the order in which they build on each other. */
export const all = (dialect: Dialect, options: Views.Options): ReadonlyArray<MirrorObject> => [
  ...others[dialect],
  views(dialect, options),
]

/** Those that the mirror has with another text, or not at all. */
export const stale = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  objects: ReadonlyArray<MirrorObject>,
): Effect.fn.Return<ReadonlyArray<MirrorObject>, SqlError> {
  const rows = yield* sql<{ readonly name: string; readonly hash: string }>`SELECT name, hash FROM mirror_objects`
  const known = new Map(rows.map(({ name, hash }) => [name, hash]))
  return objects.filter(({ name, hash }) => known.get(name) !== hash)
})

/** Makes anew what is stale, in a transaction of the caller. */
export const refresh = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  objects: ReadonlyArray<MirrorObject>,
): Effect.fn.Return<void, SqlError> {
  const old = yield* stale(sql, objects)
  if (old.length === 0) return
  // A column that a view uses cannot be dropped.
  const isOfColumns = old.some((one) => columns.includes(one))
  if (isOfColumns) yield* drop(sql)
  const made = isOfColumns ? [...new Set([...old, ...objects.slice(-1)])] : old
  for (const one of made) yield* one.put(sql)
  const rows = made.map(({ name, hash }) => ({ name, hash }))
  yield* Rows.upsert(sql, "mirror_objects", ["name"], rows)
})
