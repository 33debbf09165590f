/**
 * Makes the rows of a mirror the same as what was read of the service: compares, and writes what is new, different, gone
 * or back, with its history and totals.
 */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as StoredText from "@transferkit/domain/StoredText"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Applied, Reading, TransferEvent } from "../MirrorReading.ts"
import * as TransferHistory from "../TransferHistory.ts"
import * as Lateness from "./Lateness.ts"
import * as MirrorClock from "./MirrorClock.ts"
import * as Rows from "./Rows.ts"
import * as Schema from "./schema/Schema.ts"
import * as SqlFailure from "./SqlFailure.ts"
import * as SqlText from "./SqlText.ts"
import * as Totals from "./Totals.ts"
import type * as Vanishing from "./Vanishing.ts"

interface Known extends Rows.Stored, Vanishing.Missing {
  readonly created_ns: bigint
  readonly body: string
  readonly vanished_at: string | null
}

/** What to apply, and how. */
export interface Options {
  readonly reading: Reading
  readonly sums: boolean
  /** Whether a status may still change. */
  readonly isOpen: (status: string) => boolean
}

/**
 * Applies what was read, in a transaction of the caller. What a load finds is new, but for a transfer that moved in time
 * or came twice. Its key is there then, so PostgreSQL inserts before it looks for keys. SQLite would copy each page that
 * it changes, to take an insertion back, which costs more than to look.
 */
export const apply = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, options: Options) {
  const { partner_id, window, transfers, isFirst = false, logsCreated = true } = options.reading
  const known = isFirst ? new Map<string, Known>() : yield* knownIn(sql, partner_id, window)
  const compared = Effect.gen(function* () {
    const others = transfers.map(({ id }) => StoredText.escape(id)).filter((id) => !known.has(id))
    for (const row of yield* knownById(sql, partner_id, others)) known.set(row.id, row)
    return yield* write(sql, options, known, key)
  })
  if (logsCreated || known.size > 0 || Schema.dialectOf(sql) === "sqlite") return yield* compared
  const inserted = sql.withTransaction(write(sql, options, known, []))
  return yield* Effect.catchIf(inserted, SqlFailure.isThere, () => compared)
})

const key = ["partner_id", "id"]

const write = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { reading, sums, isOpen }: Options,
  known: Map<string, Known>,
  replacing: ReadonlyArray<string>,
): Effect.fn.Return<Applied, SqlError> {
  const { partner_id, transfers, run_id, logsCreated = true, floor, missed } = reading
  const dialect = Schema.dialectOf(sql)
  const seen_at = yield* seenAfter(sql, known.values(), reading.seen_at)
  const events: Array<TransferEvent> = []
  const upserts: Array<Rows.TransferRow["values"]> = []
  const changes: Array<Rows.Row> = []
  const totals = sums ? new Totals.Changes() : undefined
  const change = (before: Rows.Stored, event: TransferEvent, more: Rows.Row) => {
    events.push(event)
    changes.push({
      partner_id,
      id: StoredText.escape(event.transfer.id),
      run_id,
      event: event.event,
      seen_at,
      previous_status: event.previous_status === undefined ? null : StoredText.escape(event.previous_status),
      status: event.event === "vanished" ? null : StoredText.escape(event.transfer.status),
      changed: "{}",
      since_at: before.seen_at,
      first_seen_at: before.first_seen_at,
      created_ns: before.created_ns,
      created_day: before.created_day,
      was_open: before.is_open,
      body: null,
      ...more,
    })
  }
  for (const transfer of transfers) {
    const id = StoredText.escape(transfer.id)
    const before = known.get(id)
    known.delete(id)
    const body = Rows.toBody(transfer)
    const row = (first_seen_at: string) =>
      Rows.ofTransfer(dialect, { partner_id, transfer, body, first_seen_at, seen_at, isOpen })
    const put = ({ stored, values }: Rows.TransferRow) => {
      upserts.push(values)
      totals?.add(transfer, stored.created_day, 1)
    }
    if (before === undefined) {
      const fresh = row(seen_at)
      put(fresh)
      if (floor !== undefined && fresh.stored.created_ns < floor) continue
      if (logsCreated) change(fresh.stored, { event: "created", transfer }, {})
      else events.push({ event: "created", transfer })
    } else if (before.vanished_at !== null) {
      change(before, { event: "reappeared", transfer }, {})
      put(row(before.first_seen_at))
    } else if (before.body !== body) {
      const [was] = yield* Rows.withTransfers([before])
      const changed = TransferHistory.difference(before.body, body)
      // The same fields in another order are the same transfer.
      if (Object.keys(changed).length === 0) continue
      const event = { event: "changed" as const, previous_status: StoredText.unescape(before.status), transfer }
      change(before, event, { changed: JSON.stringify(changed), body: before.body })
      if (was !== undefined) totals?.add(was.transfer, before.created_day, -1)
      put(row(before.first_seen_at))
    }
  }
  const unread = [...known.values()].filter((row) => row.vanished_at === null)
  const gone = unread.filter(({ id }) => missed?.has(id))
  for (const { transfer, ...row } of yield* Rows.withTransfers(gone)) {
    change(row, { event: "vanished", previous_status: StoredText.unescape(row.status), transfer }, { body: row.body })
    totals?.add(transfer, row.created_day, -1)
  }
  const columns = Rows.columnsOf(dialect)
  yield* Rows.upsertValues(sql, { table: "mirrored_transfers", columns, key: replacing }, upserts)
  yield* Rows.upsert(sql, "transfer_changes", [], changes)
  for (const { id } of gone) {
    yield* sql`UPDATE mirrored_transfers SET vanished_at = ${seen_at}, seen_at = ${seen_at} WHERE partner_id = ${partner_id} AND id = ${id}`
  }
  if (totals !== undefined) yield* Totals.save(sql, partner_id, totals)
  if (reading.baseline !== undefined) {
    const fresh = events.flatMap(({ event, transfer }) => (event === "created" ? [transfer] : []))
    yield* Lateness.save(sql, partner_id, fresh, { ...reading.baseline, seen_at })
  }
  const state = Object.entries({ ...reading.state, ...(totals ? {} : { [Totals.state]: "incomplete" }) }).map(
    ([name, value]) => ({ partner_id, name, value }),
  )
  yield* Rows.upsert(sql, "sync_state", ["partner_id", "name"], state)
  return { events, missing: missed === undefined ? unread : [] }
})

/** PostgreSQL walks the key for each id. By `IN` it walks all rows of a partner whose table was not analysed yet. */
const byId = (sql: SqlClient.SqlClient): string =>
  sql.onDialectOrElse({
    pg: () => `SELECT known.* FROM (${SqlText.listed(sql)} AS id) AS ids
      CROSS JOIN LATERAL (SELECT ${columns} FROM mirrored_transfers WHERE partner_id = ? AND id = ids.id LIMIT 1) AS known`,
    orElse: () => `WITH ids(id) AS (${SqlText.listed(sql)})
      SELECT ${columns} FROM mirrored_transfers WHERE partner_id = ? AND id IN (SELECT id FROM ids)`,
  })

/** History never runs backwards, though a worker takes its instant before its transaction. */
const seenAfter = (sql: SqlClient.SqlClient, known: Iterable<Known>, given: string | undefined) => {
  const isLate = given !== undefined && [...known].every(({ seen_at }) => seen_at < given)
  return isLate ? Effect.succeed(given) : MirrorClock.stamp(sql)
}

const columns = `id, external_id, ${SqlText.body}, status, created_ns, created_day, is_open, first_seen_at, seen_at, vanished_at`

/** The rows of the intervals. */
const knownIn = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  partner_id: string,
  window: CreatedAt.CreatedAt,
): Effect.fn.Return<Map<string, Known>, SqlError> {
  const known = new Map<string, Known>()
  for (const interval of CreatedAt.intervals(window)) {
    const { text, params } = SqlText.within(interval)
    const rows = yield* sql.unsafe<Known>(
      SqlText.place(sql, `SELECT ${columns} FROM mirrored_transfers WHERE partner_id = ?${text} ORDER BY created_ns`),
      [partner_id, ...params],
    )
    for (const row of rows) known.set(row.id, row)
  }
  return known
})

/** The rows of ids: those of transfers that moved in time are elsewhere. */
const knownById = (sql: SqlClient.SqlClient, partner_id: string, ids: ReadonlyArray<string>) =>
  ids.length === 0
    ? Effect.succeed([])
    : sql.unsafe<Known>(SqlText.place(sql, byId(sql)), [JSON.stringify(ids), partner_id])
