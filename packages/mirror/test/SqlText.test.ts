/** The pieces of SQL that differ between the databases. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { expect, test } from "vitest"
import * as SqlText from "../src/internal/SqlText.ts"
import { statementsOf } from "./Statements.ts"

const both = async (use: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) => {
  const effect = Effect.flatMap(SqlClient.SqlClient, use)
  return [...(await statementsOf("sqlite", effect)), ...(await statementsOf("pg", effect))]
}

test("placeholders are numbered from one in PostgreSQL only", async () => {
  expect(await both((sql) => sql.unsafe(SqlText.place(sql, "SELECT ?, ?"), [1, 2]))).toEqual([
    "SELECT ?, ?",
    "SELECT $1, $2",
  ])
})

test("a list is a JSON array in both", async () => {
  expect(await both((sql) => sql.unsafe(SqlText.listed(sql), ["[]"]))).toEqual([
    "SELECT value FROM json_each(?)",
    "SELECT json_array_elements_text(CAST(? AS json))",
  ])
})

test("an interval is a condition for each of its bounds, as far as a column of 64 bits reaches", () => {
  expect(SqlText.within({ first: undefined, end: undefined })).toEqual({ text: "", params: [] })
  expect(SqlText.within({ first: 1n, end: undefined })).toEqual({ text: " AND created_ns >= ?", params: [1n] })
  expect(SqlText.within({ first: undefined, end: 2n })).toEqual({ text: " AND created_ns < ?", params: [2n] })
  const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n]
  const both = " AND created_ns >= ? AND created_ns < ?"
  expect(SqlText.within({ first: least, end: most })).toEqual({ text: both, params: [least, most] })
  expect(SqlText.within({ first: least - 1n, end: most + 1n })).toEqual({ text: both, params: [least, most] })
})

test("the larger and the smaller of two numbers, and the database's clock, are what each database calls them", async () => {
  const of = (sql: SqlClient.SqlClient) => [sql.literal("a"), sql.literal("b")] as const
  expect(await both((sql) => sql`${SqlText.larger(sql, ...of(sql))}`)).toEqual(["MAX(a, b)", "GREATEST(a, b)"])
  expect(await both((sql) => sql`${SqlText.smaller(sql, ...of(sql))}`)).toEqual(["MIN(a, b)", "LEAST(a, b)"])
  expect(await both((sql) => sql`SELECT ${SqlText.nowMicros(sql)}`)).toEqual([
    expect.stringContaining("julianday('now')"),
    expect.stringContaining("clock_timestamp()"),
  ])
})
