/** Pieces of SQL that are written by hand, because they are built once for many rows. */
import type * as CreatedAt from "@transferkit/domain/CreatedAt"
import type * as SqlClient from "effect/sql/SqlClient"

/** The text with the placeholders of the dialect in place of `?`. */
export const place = (sql: SqlClient.SqlClient, text: string): string =>
  sql.onDialectOrElse({
    pg: () => {
      let number = 0
      return text.replace(/\?/g, () => `$${++number}`)
    },
    orElse: () => text,
  })

/** The values of a JSON array that is a parameter. */
export const listed = (sql: SqlClient.SqlClient): string =>
  sql.onDialectOrElse({
    pg: () => "SELECT json_array_elements_text(CAST(? AS json))",
    orElse: () => "SELECT value FROM json_each(?)",
  })

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
