/** Reads a partner's transfers in order of creation, from a place on. What a query names is compared as it is stored. */
import type * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as StoredText from "@transferkit/domain/StoredText"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Rows from "./Rows.ts"
import * as SqlText from "./SqlText.ts"

/** The row to read on after. Its id is the column's. */
export interface Place {
  readonly id: string
  readonly created_ns: bigint
}

interface Row extends Place {
  readonly body: string
}

/** What to read. */
export interface Query {
  readonly view: "transfers" | "open_transfers"
  readonly partner_id: string
  readonly interval: CreatedAt.Interval
  /** As the service has it. */
  readonly external_id: string | undefined
  readonly after: Place | undefined
  readonly order: "oldest-first" | "newest-first"
  readonly limit: number
}

export const read = (
  sql: SqlClient.SqlClient,
  { view, partner_id, interval, external_id, after, order, limit }: Query,
) => {
  const within = SqlText.within(interval)
  const [later, direction] = order === "oldest-first" ? [">", ""] : ["<", " DESC"]
  const text = `SELECT id, created_ns, ${SqlText.body} FROM ${view} WHERE partner_id = ?${within.text}${
    external_id === undefined ? "" : " AND external_id = ?"
  }${after === undefined ? "" : ` AND (created_ns, id) ${later} (?, ?)`}
    ORDER BY created_ns${direction}, id${direction} LIMIT ${limit}`
  return Effect.flatMap(
    sql.unsafe<Row>(SqlText.place(sql, text), [
      partner_id,
      ...within.params,
      ...(external_id === undefined ? [] : [StoredText.escape(external_id)]),
      ...(after === undefined ? [] : [after.created_ns, after.id]),
    ]),
    Rows.withTransfers,
  )
}
