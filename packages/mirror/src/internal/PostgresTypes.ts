/** How the values of PostgreSQL are read. The driver asks for all of them in the binary format, which it changes in part. */
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Result from "effect/Result"
import * as StatementText from "./StatementText.ts"

/** What a function returns that returns nothing. The driver has no name for it. */
const voidType = 2278

/** The types whose values are read as they are: texts, numbers that keep their digits, and nothing at all. */
const exact: ReadonlySet<number> = new Set<number>([
  PgTypes.OID.bool,
  PgTypes.OID.int2,
  PgTypes.OID.int4,
  PgTypes.OID.int8,
  PgTypes.OID.oid,
  PgTypes.OID.float8,
  PgTypes.OID.numeric,
  PgTypes.OID.text,
  PgTypes.OID.varchar,
  PgTypes.OID.bpchar,
  PgTypes.OID.name,
  PgTypes.OID.json,
  voidType,
])

/** What the driver reads values by. */
export const registry = PgTypes.makeRegistry()

// JavaScript's numbers would lose digits of the text's.
registry.register(PgTypes.OID.json, {
  decode: (bytes) => Result.succeed(Buffer.from(bytes).toString()),
  encode: () => Result.fail(new PgTypes.CodecError({ message: "JSON is given as a text" })),
})

/** A column of a result. */
export interface Field {
  readonly name: string
  readonly dataTypeId: number
}

/** The columns whose values would be changed. */
export const changed = (fields: ReadonlyArray<Field>): ReadonlyArray<Field> =>
  fields.filter(({ dataTypeId }) => !exact.has(dataTypeId))

const rowsOf = (query: string) => `(\n${StatementText.withoutEnd(query)}\n) AS q`

/** A statement that has the columns of a query, and no row. */
export const described = (query: string): string => `SELECT * FROM ${rowsOf(query)} LIMIT 0`

/** A query whose values PostgreSQL writes as texts, as `psql` shows them, where they would be changed. */
export const written = (query: string, fields: ReadonlyArray<Field>): string =>
  `SELECT ${fields.map(columnOf).join(", ")} FROM ${rowsOf(query)}`

const columnOf = (field: Field): string => {
  const name = `"${field.name.replaceAll('"', '""')}"`
  const value = `q.${name}`
  if (exact.has(field.dataTypeId)) return value
  // Its shortest decimal is that of a wider number, too.
  if (field.dataTypeId === PgTypes.OID.float4) return `CAST(CAST(${value} AS text) AS float8) AS ${name}`
  // A cast of inet adds a mask. A row of nulls is not null here.
  return `CASE WHEN ${value} IS DISTINCT FROM NULL THEN pg_catalog.format('%s', ${value}) END AS ${name}`
}
