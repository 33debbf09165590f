/** Pieces of SQL that are written by hand, because they are built once for many rows. */
import type * as CreatedAt from "@transferkit/domain/CreatedAt"
import type * as SqlClient from "effect/sql/SqlClient"
import type * as Statement from "effect/sql/Statement"

/** The text with the placeholders of the dialect in place of `?`. */
export const place = (sql: SqlClient.SqlClient, text: string): string =>
  sql.onDialectOrElse({
    pg: () => {
      let number = 0
      return text.replace(/\?/g, () => `$${++number}`)
    },
    orElse: () => text,
  })

/** A transfer's body; NULL if it is longer than 32 MiB, the longest line of an export, so that it is never in memory. */
export const body = `CASE WHEN octet_length(body) <= ${32 * 1024 * 1024} THEN body END AS body`

/** The values of a JSON array that is a parameter. */
export const listed = (sql: SqlClient.SqlClient): string =>
  sql.onDialectOrElse({
    pg: () => "SELECT json_array_elements_text(CAST(? AS json))",
    orElse: () => "SELECT value FROM json_each(?)",
  })

/** The elements of a JSON list as rows, and the text at a place of the list that an element is. */
export const elements = {
  pg: {
    of: (json: string) => `json_array_elements(${json}) AS of_field(value)`,
    at: (index: number) => `(value ->> ${index})`,
  },
  sqlite: {
    of: (json: string) => `json_each(${json})`,
    at: (index: number) => `json_extract(value, '$[${index}]')`,
  },
} as const

/** The widest that a 64-bit column can compare with. */
const clamp = (instant: bigint): bigint =>
  BigInt.asIntN(64, instant) === instant ? instant : instant < 0n ? -(2n ** 63n) : 2n ** 63n - 1n

/** The condition that a row was created in an interval, to append to another one. */
export const within = ({
  first,
  end,
}: CreatedAt.Interval): { readonly text: string; readonly params: ReadonlyArray<bigint> } => ({
  text: `${first === undefined ? "" : " AND created_ns >= ?"}${end === undefined ? "" : " AND created_ns < ?"}`,
  params: [first, end].filter((bound) => bound !== undefined).map(clamp),
})

/** The instant by the database's clock, in microseconds since 1970: the clock of a worker's machine may be wrong. */
export const nowMicros = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () => sql.literal("CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)"),
    orElse: () => sql.literal("CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)"),
  })

/** Microseconds since 1970 as RFC 3339, which ends with the year 9999. Undefined if a row has another instant, or none. */
export const instantOf = (micros: unknown): string | undefined => {
  const millis = typeof micros === "bigint" ? Number(micros / 1000n) : Number.NaN
  return Math.abs(millis) < 253_402_300_800_000 ? new Date(millis).toISOString() : undefined
}

/** The larger of two numbers. */
export const larger = (sql: SqlClient.SqlClient, a: Statement.Fragment, b: Statement.Fragment) =>
  sql.onDialectOrElse({ pg: () => sql`GREATEST(${a}, ${b})`, orElse: () => sql`MAX(${a}, ${b})` })

/** The smaller of two numbers. */
export const smaller = (sql: SqlClient.SqlClient, a: Statement.Fragment, b: Statement.Fragment) =>
  sql.onDialectOrElse({ pg: () => sql`LEAST(${a}, ${b})`, orElse: () => sql`MIN(${a}, ${b})` })
