/**
 * The clock of a mirror: the database's, and never back. Each instant is later than all before it, whoever took them,
 * because it is stored with what it stamps. SQLite has no clock but the machine's.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** Instants are kept to the millisecond. */
const step = 1000

/** The database's clock in microseconds since 1970. */
const now = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () => Effect.succeed(sql.literal("CAST(extract(epoch FROM statement_timestamp()) * 1000000 AS BIGINT)")),
    orElse: () => Effect.map(Clock.currentTimeMillis, (millis) => sql.literal(`${Math.trunc(millis) * 1000}`)),
  })

const textOf = (micros: bigint): string => new Date(Number(micros / 1000n)).toISOString()

/**
 * The next instant: RFC 3339 in UTC, to the millisecond. The transaction that takes it makes others wait for theirs, so
 * that instants have the order of commits.
 */
export const stamp = Effect.fnUntraced(function* (sql: SqlClient.SqlClient): Effect.fn.Return<string, SqlError> {
  const micros = yield* now(sql)
  const later = sql.literal(`last_us + ${step}`)
  const next = sql.onDialectOrElse({
    pg: () => sql`GREATEST(${later}, ${micros})`,
    orElse: () => sql`MAX(${later}, ${micros})`,
  })
  const [row] = yield* sql<{ readonly last_us: bigint }>`UPDATE mirror_clock SET last_us = ${next} RETURNING last_us`
  return textOf(row?.last_us ?? 0n)
})

/** The last instant that was taken: all that the mirror holds was stamped by then, and all that follows is later. */
export const last = Effect.fnUntraced(function* (sql: SqlClient.SqlClient): Effect.fn.Return<string, SqlError> {
  const [row] = yield* sql<{ readonly last_us: bigint }>`SELECT last_us FROM mirror_clock`
  return textOf(row?.last_us ?? 0n)
})

/** How far the database's clock is behind the last instant, in milliseconds: it was set back, or was ahead before. */
export const behind = Effect.fnUntraced(function* (sql: SqlClient.SqlClient): Effect.fn.Return<number, SqlError> {
  const micros = yield* now(sql)
  const [row] = yield* sql<{ readonly behind: bigint }>`SELECT last_us - ${micros} AS behind FROM mirror_clock`
  return Math.max(0, Math.trunc(Number(row?.behind ?? 0n) / 1000))
})
