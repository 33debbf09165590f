/** The tables and views of a mirror, in both dialects. */
import * as Effect from "effect/Effect"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import * as Columns from "./Columns.ts"
import * as ExactSums from "./ExactSums.ts"
import * as Totals from "./Totals.ts"

type Dialect = Columns.Dialect

/** Creates or upgrades the tables. */
export const migrate = Migrator.make({})({
  table: "mirror_migrations",
  loader: Migrator.fromRecord({
    "0001_transfers": Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const dialect = dialectOf(sql)
      for (const statement of [...tables(dialect), ...views(dialect, "CREATE VIEW")]) {
        yield* sql.unsafe(statement).raw
      }
    }),
    "0002_totals": Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql.unsafe(totals(dialectOf(sql))).raw
    }),
    "0003_pending": Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const statement of pending(dialectOf(sql))) yield* sql.unsafe(statement).raw
    }),
    "0004_windows": Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql.unsafe(windows(dialectOf(sql))).raw
    }),
    "0005_request_rates": Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql.unsafe(requestRates(dialectOf(sql))).raw
    }),
    "0006_sum_of_none": Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const statement of sumOfNone(dialectOf(sql))) yield* sql.unsafe(statement).raw
    }),
  }),
})

export const dialectOf = (sql: SqlClient.SqlClient): Dialect =>
  sql.onDialectOrElse({ pg: () => "pg" as const, orElse: () => "sqlite" as const })

const types = {
  sqlite: { integer: "INTEGER", key: "INTEGER PRIMARY KEY AUTOINCREMENT", id: "TEXT", strict: " STRICT" },
  // Ids are compared byte for byte, as SQLite does, whatever the language of the database.
  pg: {
    integer: "BIGINT",
    key: "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    id: 'TEXT COLLATE "C"',
    strict: "",
  },
}

const tables = (dialect: Dialect): ReadonlyArray<string> => {
  const { integer, key, id, strict } = types[dialect]
  const required = new Set(["id", "kind", "status", "created_at"])
  const derived = Columns.derived.map((column) => {
    const type = column.isAmount && dialect === "pg" ? "NUMERIC" : column.name === "id" ? id : "TEXT"
    const isStored = Columns.storedOf(dialect).includes(column)
    const how = isStored ? (required.has(column.name) ? " NOT NULL" : "") : ` AS (${column.of.sqlite}) VIRTUAL`
    return `${column.name} ${type}${how}`
  })
  return [
    `CREATE TABLE mirrored_transfers (
      partner_id ${id} NOT NULL,
      created_ns ${integer} NOT NULL,
      created_day TEXT NOT NULL,
      is_open ${integer} NOT NULL,
      first_seen_at TEXT NOT NULL,
      seen_at TEXT NOT NULL,
      vanished_at TEXT,
      body TEXT NOT NULL,
      ${derived.join(",\n      ")},
      PRIMARY KEY (partner_id, id)
    )${strict}`,
    "CREATE INDEX transfers_by_creation ON mirrored_transfers (partner_id, created_ns, id, is_open)",
    "CREATE INDEX transfers_open ON mirrored_transfers (partner_id, created_ns) WHERE is_open = 1",
    "CREATE INDEX transfers_by_external_id ON mirrored_transfers (external_id) WHERE external_id IS NOT NULL",
    "CREATE INDEX transfers_by_id ON mirrored_transfers (id)",
    `CREATE TABLE transfer_changes (
      change_id ${key},
      partner_id ${id} NOT NULL,
      id ${id} NOT NULL,
      run_id ${integer} NOT NULL,
      event TEXT NOT NULL,
      seen_at TEXT NOT NULL,
      previous_status TEXT,
      status TEXT,
      changed TEXT NOT NULL,
      since_at TEXT NOT NULL,
      first_seen_at TEXT NOT NULL,
      created_ns ${integer} NOT NULL,
      created_day TEXT NOT NULL,
      was_open ${integer} NOT NULL,
      body TEXT
    )${strict}`,
    "CREATE INDEX transfer_changes_by_transfer ON transfer_changes (partner_id, id, change_id)",
    "CREATE INDEX transfer_changes_by_time ON transfer_changes (seen_at)",
    `CREATE TABLE sync_runs (
      run_id ${key},
      partner_id ${id} NOT NULL,
      kind TEXT NOT NULL,
      started_at TEXT NOT NULL,
      ended_at TEXT,
      outcome TEXT NOT NULL,
      pages ${integer} NOT NULL,
      transfers ${integer} NOT NULL,
      created ${integer} NOT NULL,
      changed ${integer} NOT NULL,
      vanished ${integer} NOT NULL
    )${strict}`,
    `CREATE TABLE sync_state (
      partner_id ${id} NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (partner_id, name)
    )${strict}`,
    `CREATE TABLE failed_deliveries (
      partner_id ${id} NOT NULL,
      change_id ${integer} NOT NULL,
      PRIMARY KEY (partner_id, change_id)
    )${strict}`,
    ...(dialect === "pg"
      ? [
          "CREATE AGGREGATE decimal_sum (NUMERIC) (SFUNC = numeric_add, STYPE = NUMERIC, FINALFUNC = trim_scale)",
          "CREATE FUNCTION decimal_add (NUMERIC, TEXT) RETURNS NUMERIC LANGUAGE SQL IMMUTABLE STRICT AS 'SELECT $1 + CAST($2 AS NUMERIC)'",
          "CREATE AGGREGATE decimal_sum (TEXT) (SFUNC = decimal_add, STYPE = NUMERIC, INITCOND = '0', FINALFUNC = trim_scale)",
        ]
      : []),
  ]
}

/** The parts of a first load that is spread over workers. `remaining` is a checkpoint, `claim` who may write. */
const windows = (dialect: Dialect): string => {
  const { integer, id, strict } = types[dialect]
  return `CREATE TABLE sync_windows (
      partner_id ${id} NOT NULL,
      window_id ${id} NOT NULL,
      run_id ${integer} NOT NULL,
      state TEXT NOT NULL,
      remaining TEXT NOT NULL,
      attempts ${integer} NOT NULL,
      pages ${integer} NOT NULL,
      transfers ${integer} NOT NULL,
      claim TEXT,
      worker TEXT,
      error TEXT,
      claimed_at TEXT,
      updated_at TEXT NOT NULL,
      PRIMARY KEY (partner_id, window_id)
    )${strict}`
}

/** When the next request for a partner's transfers may be sent, and how long after it the one that follows. */
const requestRates = (dialect: Dialect): string => {
  const { integer, id, strict } = types[dialect]
  return `CREATE TABLE request_rates (
      partner_id ${id} PRIMARY KEY,
      spacing_us ${integer} NOT NULL,
      next_us ${integer} NOT NULL
    )${strict}`
}

const totals = (dialect: Dialect): string => {
  const { integer, id, strict } = types[dialect]
  const columns = Totals.key.map((name) => `${name} ${name === "digits" ? integer : id} NOT NULL`)
  const sums = ["amounts", ...Totals.limbs].map((name) => `${name} ${integer} NOT NULL`)
  // SQLite keeps the rows in the order in which a summary reads them.
  const options = dialect === "pg" ? "" : `${strict}, WITHOUT ROWID`
  return `CREATE TABLE transfer_totals (${[...columns, ...sums].join(", ")}, PRIMARY KEY (${Totals.key.join(", ")}))${options}`
}

/** The events that were not delivered yet, in the order of their delivery. */
const pending = (dialect: Dialect): ReadonlyArray<string> => {
  const { integer, id, strict } = types[dialect]
  return [
    `CREATE TABLE pending_deliveries (
      partner_id ${id} NOT NULL,
      created_ns ${integer} NOT NULL,
      id ${id} NOT NULL,
      change_id ${integer} NOT NULL UNIQUE,
      PRIMARY KEY (partner_id, created_ns, id, change_id)
    )${strict}`,
    `INSERT INTO pending_deliveries (partner_id, created_ns, id, change_id)
      SELECT partner_id, created_ns, id, change_id FROM transfer_changes
      WHERE change_id IN (SELECT change_id FROM failed_deliveries)`,
    "DROP TABLE failed_deliveries",
  ]
}

/** The sum of no texts is NULL in PostgreSQL, too, where it was 0. */
const sumOfNone = (dialect: Dialect): ReadonlyArray<string> =>
  dialect === "pg"
    ? [
        "CREATE OR REPLACE FUNCTION decimal_add (NUMERIC, TEXT) RETURNS NUMERIC LANGUAGE SQL IMMUTABLE AS 'SELECT CASE WHEN $2 IS NULL THEN $1 ELSE COALESCE($1, 0) + CAST($2 AS NUMERIC) END'",
        "CREATE OR REPLACE AGGREGATE decimal_sum (TEXT) (SFUNC = decimal_add, STYPE = NUMERIC, FINALFUNC = trim_scale)",
      ]
    : []

const ownColumns = ["created_ns", "created_day", "is_open", "first_seen_at", "seen_at", "body"]
const derivedNames = Columns.derived.map(({ name }) => name)

const current = `SELECT ${["partner_id", ...derivedNames, ...ownColumns].join(", ")} FROM mirrored_transfers WHERE vanished_at IS NULL`

/** The transfers as they had been seen at an instant: those that are the same since, and what others were before. */
export const asOf = (dialect: Dialect, instant: string): string => {
  const before = Columns.derived.map(({ name, of }) => (name === "id" ? "id" : `${of[dialect]} AS ${name}`))
  const columns = [
    "partner_id",
    ...before,
    "created_ns",
    "created_day",
    "was_open AS is_open",
    "first_seen_at",
    "since_at AS seen_at",
    "body",
  ]
  return `${current} AND seen_at <= '${instant}'
    UNION ALL SELECT ${columns.join(", ")} FROM transfer_changes
    WHERE since_at <= '${instant}' AND seen_at > '${instant}' AND body IS NOT NULL`
}

/** The views that add amounts. */
export const sums = ["daily_totals", "fees_by_currency"] as const

/** The views; those on other transfers than the current ones live as long as their connection. */
export const views = (
  dialect: Dialect,
  create: "CREATE VIEW" | "CREATE TEMP VIEW",
  transfers: string = current,
): ReadonlyArray<string> => {
  const view = (name: string, select: string) => `${create} ${name} AS ${select}`
  const none = dialect === "pg" ? "CAST(NULL AS NUMERIC)" : "NULL"
  const fees = ["service_fee", "network_fee"]
  const rowsOf = (fee: string) =>
    `SELECT partner_id, substr(created_day, 1, 7) AS created_month, status, ${fee}_currency_code AS currency_code, ${fees.map((name) => (name === fee ? `${name}_amount AS ${name}` : `${none} AS ${name}`)).join(", ")} FROM transfers WHERE ${fee}_amount IS NOT NULL`
  return [
    view("transfers", transfers),
    view("open_transfers", "SELECT * FROM transfers WHERE is_open = 1"),
    view(
      "daily_totals",
      ExactSums.select(dialect, {
        from: "(SELECT partner_id, created_day, status, source_total_currency_code AS currency_code, source_total_amount AS source_total FROM transfers WHERE source_total_amount IS NOT NULL) AS amounts",
        keys: ["partner_id", "created_day", "status", "currency_code"],
        amounts: ["source_total"],
        aggregates: ["COUNT(*) AS transfers"],
      }),
    ),
    view(
      "fees_by_currency",
      ExactSums.select(dialect, {
        from: `(${fees.map(rowsOf).join(" UNION ALL ")}) AS fees`,
        keys: ["partner_id", "created_month", "status", "currency_code"],
        amounts: fees,
      }),
    ),
    ...(create === "CREATE VIEW"
      ? [
          view(
            "vanished_transfers",
            `SELECT ${["partner_id", ...derivedNames, "vanished_at", "body"].join(", ")} FROM mirrored_transfers WHERE vanished_at IS NOT NULL`,
          ),
        ]
      : []),
  ]
}
