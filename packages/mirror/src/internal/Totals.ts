/**
 * The table `transfer_totals`: what the transfers of a day and a status add up to, kept with every change, so that a
 * summary reads some thousand rows instead of every transfer.
 */
import * as StoredText from "@transferkit/domain/StoredText"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Dialect } from "./Columns.ts"
import * as DayTotals from "./DayTotals.ts"
import * as Rows from "./Rows.ts"
import * as Schema from "./schema/Schema.ts"
import * as SqlFailure from "./SqlFailure.ts"
import * as SqlText from "./SqlText.ts"

/** The name in `sync_state` that says whether the table has the totals of all transfers. */
export const state = "totals"

/** Its value while a load that began without transfers adds each to them. */
export const loading = "loading"

const table = "transfer_totals"

/** A row of the table. */
export interface Row {
  readonly created_day: string
  readonly status: string
  readonly totals: string
}

/** What a row has. One that was edited by hand fails with an error that names it. */
export const storedOf = ({ created_day, status, totals }: Row): Effect.Effect<DayTotals.Stored, SqlError> =>
  Option.match(DayTotals.decode(totals), {
    onSome: Effect.succeed,
    onNone: () =>
      Effect.fail(SqlFailure.damaged(table, { created_day, status }, "has totals that cannot be read: restore it")),
  })

interface Group {
  readonly created_day: string
  readonly status: string
  readonly totals: DayTotals.DayTotals
}

/** Collects what transfers add to the totals, or take from them. */
export class Changes {
  readonly #groups = new Map<string, Group>()

  add(transfer: Transfer, created_day: string, sign: 1 | -1): void {
    const status = StoredText.escape(transfer.status)
    const name = nameOf({ created_day, status })
    let group = this.#groups.get(name)
    if (group === undefined) {
      group = { created_day, status, totals: new DayTotals.DayTotals() }
      this.#groups.set(name, group)
    }
    group.totals.add(transfer, sign)
  }

  /** The days and statuses, in one order, so that transactions that run at once cannot wait for each other. */
  get groups(): ReadonlyArray<Group> {
    return [...this.#groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
  }
}

const nameOf = ({ created_day, status }: Pick<Group, "created_day" | "status">): string => `${created_day}\0${status}`

const key = ["partner_id", "created_day", "status"]

/** How rows are found. SQLite would look at every row of a partner for each of them if it chose which table comes first. */
export const lookup = (dialect: Dialect): string => {
  const { of, at } = SqlText.elements[dialect]
  return `SELECT created_day, status, totals FROM ${of(dialect === "pg" ? "CAST(? AS json)" : "?")} CROSS JOIN ${table}
    WHERE partner_id = ? AND created_day = ${at(0)} AND status = ${at(1)}
    ORDER BY created_day, status`
}

/** The rows that are there, locked until the end of the transaction. Transactions lock them in one order, so none deadlock. */
const rowsOf = (sql: SqlClient.SqlClient, partner_id: string, groups: ReadonlyArray<Group>) => {
  const dialect = Schema.dialectOf(sql)
  const lock = dialect === "pg" ? ` FOR UPDATE OF ${table}` : ""
  return sql.unsafe<Row>(SqlText.place(sql, `${lookup(dialect)}${lock}`), [
    JSON.stringify(groups.map(({ created_day, status }) => [created_day, status])),
    partner_id,
  ])
}

/** Adds changes to the table, in a transaction. */
export const save = (
  sql: SqlClient.SqlClient,
  partner_id: string,
  { groups }: Changes,
): Effect.Effect<void, SqlError> =>
  groups.length === 0
    ? Effect.void
    : // Another transaction may have made one of the new rows meanwhile.
      Effect.retry(sql.withTransaction(put(sql, partner_id, groups)), { times: 5, while: SqlFailure.isThere })

const put = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  partner_id: string,
  groups: ReadonlyArray<Group>,
): Effect.fn.Return<void, SqlError> {
  const before = new Map<string, DayTotals.Stored>()
  for (const row of yield* rowsOf(sql, partner_id, groups)) before.set(nameOf(row), yield* storedOf(row))
  const rows = groups.map((group) => {
    const { created_day, status, totals } = group
    const stored = before.get(nameOf(group))
    return { isNew: stored === undefined, row: { partner_id, created_day, status, totals: totals.jsonWith(stored) } }
  })
  const of = (kind: boolean) => rows.filter(({ isNew }) => isNew === kind).map(({ row }) => row)
  yield* Rows.upsert(sql, table, [], of(true))
  yield* Rows.upsert(sql, table, key, of(false))
})

/** Transfers to read at once. */
const batchSize = 5000

interface Body {
  readonly id: string
  readonly created_ns: bigint
  readonly created_day: string
  readonly body: string
}

/** Computes the totals of a partner from its transfers. */
export const rebuild = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, partner_id: string) {
  yield* sql.unsafe(SqlText.place(sql, `DELETE FROM ${table} WHERE partner_id = ?`), [partner_id]).raw
  const text = (place: string) =>
    SqlText.place(
      sql,
      `SELECT id, created_ns, created_day, ${SqlText.body} FROM mirrored_transfers
      WHERE partner_id = ? AND vanished_at IS NULL${place} ORDER BY created_ns, id LIMIT ${batchSize}`,
    )
  let after: Body | undefined
  for (;;) {
    const place = after === undefined ? [] : [after.created_ns, after.id]
    const rows: ReadonlyArray<Body> = yield* sql.unsafe<Body>(
      text(after === undefined ? "" : " AND (created_ns, id) > (?, ?)"),
      [partner_id, ...place],
    )
    const changes = new Changes()
    for (const { transfer, created_day } of yield* Rows.withTransfers(rows)) changes.add(transfer, created_day, 1)
    yield* save(sql, partner_id, changes)
    if (rows.length < batchSize) return
    after = rows.at(-1)
  }
})
