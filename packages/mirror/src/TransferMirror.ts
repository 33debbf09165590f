/**
 * The store of a mirror: the transfers of one or more partners as they were last seen, every change of them, and where
 * the sync of each partner stands.
 */
import type * as Timestamp from "@transferkit/domain/Timestamp"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import type * as SqlClient from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import * as Application from "./internal/Application.ts"
import * as Driver from "./internal/Driver.ts"
import * as Echoes from "./internal/Echoes.ts"
import * as FileIdentity from "./internal/FileIdentity.ts"
import * as FinalStatuses from "./internal/FinalStatuses.ts"
import * as Lease from "./internal/Lease.ts"
import * as QueryMistake from "./internal/QueryMistake.ts"
import * as ReadOnly from "./internal/ReadOnly.ts"
import * as Rows from "./internal/Rows.ts"
import * as Schema from "./internal/schema/Schema.ts"
import * as Views from "./internal/schema/Views.ts"
import * as SqlFailure from "./internal/SqlFailure.ts"
import * as SqlPlace from "./internal/SqlPlace.ts"
import { parse, type MirrorAddress } from "./MirrorAddress.ts"
import { MirrorError } from "./MirrorError.ts"
import type { Applied, Reading } from "./MirrorReading.ts"
import type * as QueryAnswer from "./QueryAnswer.ts"
import * as SqliteClient from "./SqliteClient.ts"
import * as TransferHistory from "./TransferHistory.ts"

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
    readonly query: (text: string, options?: QueryOptions) => Effect.Effect<QueryAnswer.QueryAnswer, MirrorError>
    /** Succeeds when the database answers. */
    readonly ping: Effect.Effect<void, MirrorError>
  }
>()("@transferkit/mirror/TransferMirror") {
  /** The mirror at an address such as `sqlite:transfers.db` or `postgres://me@db.example/transfers`. */
  static readonly layer = (address: string, options: Options = {}): Layer.Layer<TransferMirror, MirrorError> =>
    Layer.effect(
      TransferMirror,
      Effect.gen(function* () {
        const parsed = yield* Effect.fromResult(parse(address))
        return yield* SqlFailure.translate(
          parsed.text,
          yield* Echoes.redacting(parsed),
        )(Effect.flatMap(connect(parsed, options), (connected) => make(connected, parsed, options)))
      }),
    )
}

/** A client, and how users ask over a connection of their own. */
interface Connected {
  readonly sql: SqlClient.SqlClient
  readonly ask: (question: ReadOnly.Question) => Effect.Effect<QueryAnswer.QueryAnswer, SqlError | MirrorError>
  /** Runs what uses the client. */
  readonly within: <A, E, R>(use: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

const connect = Effect.fnUntraced(function* (address: MirrorAddress, options: Options) {
  const readOnly = options.readOnly === true || options.asOf !== undefined
  if (address._tag === "Sqlite") {
    yield* FileIdentity.check(address, readOnly)
    const { sql, ask } = yield* SqliteClient.open({ file: address.file, readOnly })
    const connected: Connected = { sql, ask: ({ text }) => ask(text), within: identity }
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
  const connected: Connected = yield* PostgresClient.open({ address, readOnly })
  return connected
})

/** A mirror that is there, or made. */
const migrated = (sql: SqlClient.SqlClient, options: Views.Options) =>
  Effect.catchTag(Schema.migrate(sql, options), "MigrationError", ({ cause, message }) =>
    isSqlError(cause) ? Effect.fail(cause) : Effect.succeed(message),
  )

const make = Effect.fnUntraced(function* (
  { sql, ask, within }: Connected,
  address: MirrorAddress,
  { readOnly = false, sums = true, asOf }: Options,
) {
  const mirror = address.text
  const dialect = Schema.dialectOf(sql)
  const instant = asOf === undefined ? undefined : Rows.instantText(asOf)
  const reason = yield* within(readOnly || instant !== undefined ? Schema.check(sql) : migrated(sql, { sums }))
  if (reason !== undefined) return yield* new MirrorError({ kind: "usage", mirror, reason })
  const views = instant === undefined ? [] : Views.temporary(dialect, instant)
  // In PostgreSQL they live as long as a transaction: a pooler gives each another session.
  if (dialect === "sqlite") for (const statement of views) yield* sql.unsafe(statement).raw
  const redact = yield* Echoes.redacting(address)
  const translate = SqlFailure.translate(mirror, redact)
  const masked: Driver.Driver["masked"] = (use) => (dialect === "pg" ? Echoes.masked(redact, use) : use)
  const isReader = dialect === "pg" && (readOnly || instant !== undefined)
  const run: Driver.Driver["run"] = (use) => translate(within(isReader ? ReadOnly.run(sql, views, use) : use(sql)))
  const isSameFile = yield* FileIdentity.make(address)
  const transaction: Driver.Driver["transaction"] = (body) =>
    translate(within(Effect.andThen(isSameFile, sql.withTransaction(body))))
  const columns = run(QueryMistake.columns)
  const service: TransferMirror["Service"] = {
    address: mirror,
    sums,
    ping: Effect.asVoid(run((client) => client`SELECT 1`)),
    query: Effect.fn("TransferMirror.query")((text, { timeout = Duration.minutes(5), allowSuperuser = false } = {}) => {
      const objection = instant === undefined ? undefined : Views.objection(text)
      if (objection !== undefined) return Effect.fail(new MirrorError({ kind: "rejected", mirror, reason: objection }))
      return ask({ text, views, timeout, allowSuperuser }).pipe(
        Effect.catch((error) => {
          const at = isSqlError(error) ? SqlPlace.ofError(text, error.reason.cause) : undefined
          const place = at === undefined ? undefined : SqlPlace.shown(text, at)
          return translate(Effect.fail(error)).pipe(
            Effect.catch((failed) => QueryMistake.explain(failed, { sql: text, place, columns })),
            Effect.flatMap(Effect.fail),
          )
        }),
        translate,
      )
    }),
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
        .map((transfer) => Rows.rejection(transfer, { sums, dialect }))
        .find((found) => found !== undefined)
      if (reason !== undefined) return yield* new MirrorError({ kind: "rejected", mirror, reason })
      const apply = Effect.flatMap(FinalStatuses.isOpen(sql, reading.partner_id), (isOpen) =>
        Application.apply(sql, { reading, sums, isOpen }),
      )
      return yield* transaction(Effect.andThen(Lease.check(sql, reading.partner_id, mirror), apply))
    }),
    find: Effect.fn("TransferMirror.find")((id: string) => run((client) => TransferHistory.find(client, id, instant))),
  }
  return Driver.attach(service, { sql, run, masked, transaction })
})
