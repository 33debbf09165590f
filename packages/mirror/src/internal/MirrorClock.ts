/**
 * The clock of a mirror: the database's, and never back. Each instant is later than all before it, whoever took them,
 * because it is stored with what it stamps. SQLite has no clock but the machine's.
 */
import * as Coverage from "@transferkit/domain/Coverage"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as SqlFailure from "./SqlFailure.ts"
import * as SqlText from "./SqlText.ts"

/** Instants are kept to the millisecond. */
const step = 1000

/** The latest that it can be now, by the clock of this machine. */
export const latestNow = Effect.map(Clock.currentTimeMillis, (millis) =>
  Timestamp.fromDate(new Date(millis + Coverage.tolerated)),
)

/** The database's clock in microseconds since 1970. */
const now = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () => Effect.succeed(sql.literal("CAST(extract(epoch FROM statement_timestamp()) * 1000000 AS BIGINT)")),
    orElse: () => Effect.map(Clock.currentTimeMillis, (millis) => sql.literal(`${Math.trunc(millis) * 1000}`)),
  })

interface Row {
  readonly last_us: bigint
}

interface Reading extends Row {
  readonly now_us: bigint
}

const instantOf = (row: Row | undefined): Effect.Effect<string, SqlError> => textOf(row?.last_us)

const textOf = (micros = 0n): Effect.Effect<string, SqlError> => {
  const text = SqlText.instantOf(micros)
  return text === undefined
    ? Effect.fail(
        SqlFailure.damaged("mirror_clock", { singleton: "1" }, "has a last_us that is no instant: restore it"),
      )
    : Effect.succeed(text)
}

/** What a transaction takes of the clock: RFC 3339 in UTC, to the millisecond. */
export interface Taken {
  /** The next instant of the history. */
  readonly stamp: string
  /** What the clock says. It is earlier than the stamp if the clock is behind the history. */
  readonly clock: string
}

/**
 * Takes the next instant. The transaction that takes it makes others wait for theirs, so that instants have the order of
 * commits.
 */
export const take = Effect.fnUntraced(function* (sql: SqlClient.SqlClient): Effect.fn.Return<Taken, SqlError> {
  const micros = yield* now(sql)
  // An instant that somebody has edited may be the last of all.
  const before = SqlText.smaller(sql, sql`last_us`, sql.literal(`${2n ** 62n}`))
  const later = sql`${before} + ${sql.literal(String(step))}`
  const next = SqlText.larger(sql, later, micros)
  const [row] = yield* sql<Reading>`UPDATE mirror_clock SET last_us = ${next} RETURNING last_us, ${micros} AS now_us`
  return { stamp: yield* instantOf(row), clock: yield* textOf(row?.now_us) }
})

/** The next instant of the history. */
export const stamp = (sql: SqlClient.SqlClient): Effect.Effect<string, SqlError> =>
  Effect.map(take(sql), (taken) => taken.stamp)

/** The last instant that was taken: all that the mirror holds was stamped by then, and all that follows is later. */
export const last = Effect.fnUntraced(function* (sql: SqlClient.SqlClient): Effect.fn.Return<string, SqlError> {
  const [row] = yield* sql<Row>`SELECT last_us FROM mirror_clock`
  return yield* instantOf(row)
})

/** How far the database's clock is behind the last instant, in milliseconds: it was set back, or was ahead before. */
export const behind = Effect.fnUntraced(function* (sql: SqlClient.SqlClient): Effect.fn.Return<number, SqlError> {
  const micros = yield* now(sql)
  const [row] = yield* sql<Reading>`SELECT last_us, ${micros} AS now_us FROM mirror_clock`
  yield* instantOf(row)
  return Math.max(0, Math.trunc(Number((row?.last_us ?? 0n) - (row?.now_us ?? 0n)) / 1000))
})
