/**
 * The store of a mirror: the transfers of one or more partners as they were last seen, every change of them, and where
 * the sync of each partner stands.
 */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Dialect from "@transferkit/domain/Dialect"
import type * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as SqlClient from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import * as FileIdentity from "./internal/FileIdentity.ts"
import * as Lease from "./internal/Lease.ts"
import * as MirrorClock from "./internal/MirrorClock.ts"
import * as ReadOnly from "./internal/ReadOnly.ts"
import * as Rows from "./internal/Rows.ts"
import * as Schema from "./internal/schema/Schema.ts"
import * as Views from "./internal/schema/Views.ts"
import * as SqlFailure from "./internal/SqlFailure.ts"
import * as SqlText from "./internal/SqlText.ts"
import * as Totals from "./internal/Totals.ts"
import type * as Vanishing from "./internal/Vanishing.ts"
import { parse, type MirrorAddress } from "./MirrorAddress.ts"
import { MirrorError } from "./MirrorError.ts"
import * as SqliteClient from "./SqliteClient.ts"
import * as TransferHistory from "./TransferHistory.ts"

/** A transfer that is new, different, gone or back. */
export interface TransferEvent {
  readonly event: "created" | "changed" | "vanished" | "reappeared"
  readonly previous_status?: string
  readonly transfer: Transfer
}

/** Everything the service has in some intervals, as it was read. */
export interface Reading {
  readonly partner_id: string
  /** The creation times that were read to the end. */
  readonly window: CreatedAt.CreatedAt
  readonly transfers: ReadonlyArray<Transfer>
  /**
   * When it was seen: RFC 3339 in UTC, to the millisecond. One that is not after what it changes is replaced.
   * @default the mirror's clock
   */
  readonly seen_at?: string | undefined
  readonly run_id: bigint
  /** State to save in the same transaction. */
  readonly state?: Readonly<Record<string, string>>
  /**
   * Whether new transfers become part of the history, as those of a first load do not. The totals of a first load are
   * computed after it.
   * @default true
   */
  readonly logsCreated?: boolean
  /** Transfers created before this instant, in nanoseconds since 1970, are never new: the mirror begins there. */
  readonly floor?: bigint | undefined
  /**
   * Whether transfers that were not read have vanished. Not after a first look: a page may miss a row that moves while
   * pages are read.
   * @default false
   */
  readonly isConfirmed?: boolean
}

/** What was different. */
export interface Applied {
  readonly events: ReadonlyArray<TransferEvent>
  /** Transfers that were not read, unless that was confirmed. */
  readonly missing: ReadonlyArray<Vanishing.Missing>
}

/** How to open a mirror. */
export interface Options {
  /**
   * Never change it. It has to be there.
   * @default false
   */
  readonly readOnly?: boolean
  /**
   * Whether there are exact sums, for which an amount must not be too long. Without, amounts of any length are accepted,
   * and the views and totals that would add them are missing.
   * @default true
   */
  readonly sums?: boolean
  /** Show the transfers as they had been seen at this instant. Implies `readOnly`. */
  readonly asOf?: Timestamp.Timestamp | undefined
}

/** How to run a statement of a user. */
export interface QueryOptions {
  /**
   * PostgreSQL ends a statement that takes longer.
   * @default 5 minutes
   */
  readonly timeout?: Duration.Duration
  /**
   * Accept a role of PostgreSQL that can write files or run programs, which no transaction prevents.
   * @default false
   */
  readonly allowSuperuser?: boolean
}

export class TransferMirror extends Context.Service<
  TransferMirror,
  {
    /** Its address, without a password. */
    readonly address: string
    readonly sql: SqlClient.SqlClient
    /** See {@link Options}. */
    readonly sums: boolean
    /** The partners that it has transfers or a sync of. */
    readonly partners: Effect.Effect<ReadonlyArray<string>, MirrorError>
    /** Makes the mirror the same as the service in the intervals that were read. */
    readonly apply: (reading: Reading) => Effect.Effect<Applied, MirrorError>
    /** Transfers by `id` or `external_id`, with their history. */
    readonly find: (id: string) => Effect.Effect<ReadonlyArray<TransferHistory.TransferHistory>, MirrorError>
    /**
     * Runs one statement that cannot change anything: in PostgreSQL in a read-only transaction that is rolled back, in
     * SQLite with nothing but reads allowed.
     */
    readonly query: (text: string, options?: QueryOptions) => Effect.Effect<ReadOnly.Rows, MirrorError>
    /** Runs SQL, with the errors of a mirror. */
    readonly run: <A>(use: (sql: SqlClient.SqlClient) => Effect.Effect<A, SqlError>) => Effect.Effect<A, MirrorError>
    /** Makes one transaction of all that an effect writes. */
    readonly transaction: <A, E, R>(
      body: Effect.Effect<A, E, R>,
    ) => Effect.Effect<A, Exclude<E, SqlError> | MirrorError, R>
  }
>()("@transferkit/mirror/TransferMirror") {
  /** The mirror at an address such as `sqlite:transfers.db` or `postgres://me@db.example/transfers`. */
  static readonly layer = (address: string, options: Options = {}): Layer.Layer<TransferMirror, MirrorError> =>
    Layer.effect(
      TransferMirror,
      Effect.gen(function* () {
        const parsed = yield* Effect.fromResult(parse(address))
        return yield* SqlFailure.translate(parsed.text)(
          Effect.flatMap(connect(parsed, options), (connected) => make(connected, parsed, options)),
        )
      }),
    )
}

/** A client, and how users ask over a connection of their own. */
interface Connected {
  readonly sql: SqlClient.SqlClient
  readonly ask: (question: ReadOnly.Question) => Effect.Effect<ReadOnly.Rows, SqlError | MirrorError>
}

const connect = Effect.fnUntraced(function* (address: MirrorAddress, options: Options) {
  const readOnly = options.readOnly === true || options.asOf !== undefined
  if (address._tag === "Sqlite") {
    const { sql, ask } = yield* SqliteClient.open({ file: address.file, readOnly })
    const connected: Connected = { sql, ask: ({ text }) => ask(text) }
    return connected
  }

  // Optional, and of no use to those who have a file.
  const PostgresClient = yield* Effect.tryPromise({
    try: () => import("./PostgresClient.ts"),
    catch: () =>
      new MirrorError({
        kind: "usage",
        mirror: address.text,
        reason: "PostgreSQL needs the package @effect/sql-pg: install it",
      }),
  })
  const connected: Connected = {
    sql: yield* PostgresClient.make({ address }),
    ask: (question) =>
      Effect.scoped(
        Effect.flatMap(PostgresClient.make({ address, isOneConnection: true }), (sql) => ReadOnly.ask(sql, question)),
      ),
  }
  return connected
})

/** A mirror that is there, or made. */
const migrated = (sql: SqlClient.SqlClient, options: Views.Options) =>
  Effect.catchTag(Schema.migrate(sql, options), "MigrationError", ({ cause, message }) =>
    isSqlError(cause) ? Effect.fail(cause) : Effect.succeed(message),
  )

const make = Effect.fnUntraced(function* (
  { sql, ask }: Connected,
  address: MirrorAddress,
  { readOnly = false, sums = true, asOf }: Options,
) {
  const deployment = yield* Dialect.Dialect
  const mirror = address.text
  const dialect = Schema.dialectOf(sql)
  const instant = asOf === undefined ? undefined : Rows.instantText(asOf)
  const reason = yield* readOnly || instant !== undefined ? Schema.check(sql) : migrated(sql, { sums })
  if (reason !== undefined) return yield* new MirrorError({ kind: "usage", mirror, reason })
  const views = instant === undefined ? [] : Views.temporary(dialect, instant)
  // In PostgreSQL they live as long as a transaction: a pooler gives each another session.
  if (dialect === "sqlite") for (const statement of views) yield* sql.unsafe(statement).raw
  const isReader = dialect === "pg" && (readOnly || instant !== undefined)
  const run: TransferMirror["Service"]["run"] = (use) =>
    SqlFailure.translate(mirror)(isReader ? ReadOnly.run(sql, views, use) : use(sql))
  const isSameFile = yield* FileIdentity.make(address)
  const transaction: TransferMirror["Service"]["transaction"] = (body) =>
    SqlFailure.translate(mirror)(Effect.andThen(isSameFile, sql.withTransaction(body)))
  const service: TransferMirror["Service"] = {
    address: mirror,
    sql,
    sums,
    run,
    transaction,
    query: Effect.fn("TransferMirror.query")((text, { timeout = Duration.minutes(5), allowSuperuser = false } = {}) =>
      SqlFailure.translate(mirror)(ask({ text, views, timeout, allowSuperuser })),
    ),
    partners: run((client) =>
      Effect.map(
        client<{
          readonly partner_id: string
        }>`SELECT partner_id FROM sync_state UNION SELECT partner_id FROM sync_runs ORDER BY 1`,
        (rows) => rows.map(({ partner_id }) => partner_id),
      ),
    ),
    apply: Effect.fn("TransferMirror.apply")(function* (reading) {
      const reason = reading.transfers
        .map((transfer) => Rows.rejection(dialect, transfer, { sums }))
        .find((found) => found !== undefined)
      if (reason !== undefined) return yield* new MirrorError({ kind: "rejected", mirror, reason })
      const apply = applyTo(sql, { reading, sums, isOpen: (status) => Dialect.isOpen(deployment, status) })
      return yield* transaction(Effect.andThen(Lease.check(sql, reading.partner_id, mirror), apply))
    }),
    find: Effect.fn("TransferMirror.find")((id: string) => run((client) => TransferHistory.find(client, id, instant))),
  }
  return service
})

interface Known extends Rows.Stored, Vanishing.Missing {
  readonly created_ns: bigint
  readonly body: string
  readonly vanished_at: string | null
}

interface Applying {
  readonly reading: Reading
  readonly sums: boolean
  readonly isOpen: (status: string) => boolean
}

const applyTo = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { reading, sums, isOpen }: Applying) {
  const { partner_id, window, transfers, run_id, logsCreated = true, floor, isConfirmed = false } = reading
  const known = yield* knownRows(sql, { partner_id, window, transfers })
  const seen_at = yield* seenAfter(sql, known.values(), reading.seen_at)
  const events: Array<TransferEvent> = []
  const upserts: Array<Rows.Row> = []
  const changes: Array<Rows.Row> = []
  const totals = logsCreated && sums ? new Totals.Changes(partner_id) : undefined
  const change = (before: Rows.Stored, event: TransferEvent, more: Rows.Row) => {
    events.push(event)
    changes.push({
      partner_id,
      id: event.transfer.id,
      run_id,
      event: event.event,
      seen_at,
      previous_status: event.previous_status ?? null,
      status: event.event === "vanished" ? null : event.transfer.status,
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
    const before = known.get(transfer.id)
    known.delete(transfer.id)
    const body = JSON.stringify(transfer)
    const row = (first_seen_at: string) =>
      Rows.ofTransfer(Schema.dialectOf(sql), { partner_id, transfer, body, first_seen_at, seen_at, isOpen })
    const put = (fresh: Rows.Row & Rows.Stored) => {
      upserts.push(fresh)
      totals?.add(transfer, fresh.created_day, 1)
    }
    if (before === undefined) {
      const fresh = row(seen_at)
      put(fresh)
      if (floor !== undefined && fresh.created_ns < floor) continue
      if (logsCreated) change(fresh, { event: "created", transfer }, {})
      else events.push({ event: "created", transfer })
    } else if (before.vanished_at !== null) {
      change(before, { event: "reappeared", transfer }, {})
      put(row(before.first_seen_at))
    } else if (before.body !== body) {
      const changed = TransferHistory.difference(before.body, body)
      // The same fields in another order are the same transfer.
      if (Object.keys(changed).length === 0) continue
      const event = { event: "changed" as const, previous_status: before.status, transfer }
      change(before, event, { changed: JSON.stringify(changed), body: before.body })
      totals?.add(Rows.toTransfer(before.body), before.created_day, -1)
      put(row(before.first_seen_at))
    }
  }
  const unread = [...known.values()].filter((row) => row.vanished_at === null)
  const gone = isConfirmed ? unread : []
  for (const row of gone) {
    const transfer = Rows.toTransfer(row.body)
    change(row, { event: "vanished", previous_status: row.status, transfer }, { body: row.body })
    totals?.add(transfer, row.created_day, -1)
  }
  yield* Rows.upsert(sql, "mirrored_transfers", ["partner_id", "id"], upserts)
  yield* Rows.upsert(sql, "transfer_changes", [], changes)
  for (const { id } of gone) {
    yield* sql`UPDATE mirrored_transfers SET vanished_at = ${seen_at}, seen_at = ${seen_at} WHERE partner_id = ${partner_id} AND id = ${id}`
  }
  if (totals !== undefined) yield* Totals.save(sql, totals)
  const state = Object.entries({ ...reading.state, ...(totals ? {} : { [Totals.state]: "incomplete" }) }).map(
    ([name, value]) => ({ partner_id, name, value }),
  )
  yield* Rows.upsert(sql, "sync_state", ["partner_id", "name"], state)
  return { events, missing: isConfirmed ? [] : unread }
})

/** PostgreSQL walks the key for each id. By `IN` it walks all rows of a partner whose table was not analysed yet. */
const byId = (sql: SqlClient.SqlClient, columns: string): string =>
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

/** The rows of the intervals, and those of the transfers: one that moved in time is elsewhere. */
const knownRows = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { partner_id, window, transfers }: Pick<Reading, "partner_id" | "window" | "transfers">,
) {
  const columns = "id, external_id, body, status, created_ns, created_day, is_open, first_seen_at, seen_at, vanished_at"
  const known = new Map<string, Known>()
  for (const interval of CreatedAt.intervals(window)) {
    const { text, params } = SqlText.within(interval)
    const rows = yield* sql.unsafe<Known>(
      SqlText.place(sql, `SELECT ${columns} FROM mirrored_transfers WHERE partner_id = ?${text} ORDER BY created_ns`),
      [partner_id, ...params],
    )
    for (const row of rows) known.set(row.id, row)
  }
  const others = transfers.filter(({ id }) => !known.has(id)).map(({ id }) => id)
  if (others.length === 0) return known
  const rows = yield* sql.unsafe<Known>(SqlText.place(sql, byId(sql, columns)), [JSON.stringify(others), partner_id])
  for (const row of rows) known.set(row.id, row)
  return known
})

/** Whether an address names a mirror. */
export const isAddress = (text: string): boolean => Result.isSuccess(parse(text))
