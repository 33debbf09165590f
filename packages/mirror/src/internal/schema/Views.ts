/** The views of a mirror, in both dialects: the part of it that people ask. */
import type { Dialect } from "../Columns.ts"
import * as Columns from "../Columns.ts"
import * as ExactSums from "../ExactSums.ts"

/** Which views a mirror has. */
export interface Options {
  /** Whether there are views that add amounts. */
  readonly sums: boolean
}

/** A view and its query. */
export interface View {
  readonly name: string
  readonly select: string
}

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

const vanished: View = {
  name: "vanished_transfers",
  select: `SELECT ${["partner_id", ...derivedNames, "vanished_at", "body"].join(", ")} FROM mirrored_transfers WHERE vanished_at IS NOT NULL`,
}

const fees = ["service_fee", "network_fee"]

/** Totals are only those of all transfers if they are complete; before, there is no row rather than a part. */
const complete =
  "amounts > 0 AND partner_id IN (SELECT partner_id FROM sync_state WHERE name = 'totals' AND value = 'complete')"

/** The views that add amounts, from the totals that every sync keeps. */
const kept = (dialect: Dialect): ReadonlyArray<View> => [
  {
    name: "daily_totals",
    select: ExactSums.ofLimbs(
      dialect,
      {
        where: `field = 'source_total' AND ${complete}`,
        keys: ["partner_id", "created_day", "status", "currency_code"],
        fields: ["source_total"],
        aggregates: ["CAST(SUM(amounts) AS BIGINT) AS transfers"],
      },
      "transfer_totals",
    ),
  },
  {
    name: "fees_by_currency",
    select: ExactSums.ofLimbs(
      dialect,
      {
        where: `field IN ('service_fee', 'network_fee') AND ${complete}`,
        keys: ["partner_id", "created_month", "status", "currency_code"],
        fields: fees,
      },
      "(SELECT *, substr(created_day, 1, 7) AS created_month FROM transfer_totals) AS totals",
    ),
  },
]

/** The same of the transfers of an instant. */
const sums = (dialect: Dialect): ReadonlyArray<View> => {
  const none = dialect === "pg" ? "CAST(NULL AS NUMERIC)" : "NULL"
  const rowsOf = (fee: string) =>
    `SELECT partner_id, substr(created_day, 1, 7) AS created_month, status, ${fee}_currency_code AS currency_code, ${fees.map((name) => (name === fee ? `${name}_amount AS ${name}` : `${none} AS ${name}`)).join(", ")} FROM transfers WHERE ${fee}_amount IS NOT NULL`
  return [
    {
      name: "daily_totals",
      select: ExactSums.select(dialect, {
        from: "(SELECT partner_id, created_day, status, source_total_currency_code AS currency_code, source_total_amount AS source_total FROM transfers WHERE source_total_amount IS NOT NULL) AS amounts",
        keys: ["partner_id", "created_day", "status", "currency_code"],
        amounts: ["source_total"],
        aggregates: ["COUNT(*) AS transfers"],
      }),
    },
    {
      name: "fees_by_currency",
      select: ExactSums.select(dialect, {
        from: `(${fees.map(rowsOf).join(" UNION ALL ")}) AS fees`,
        keys: ["partner_id", "created_month", "status", "currency_code"],
        amounts: fees,
      }),
    },
  ]
}

const transfersAnd = (transfers: string): ReadonlyArray<View> => [
  { name: "transfers", select: transfers },
  { name: "open_transfers", select: "SELECT * FROM transfers WHERE is_open = 1" },
]

/** The views that stay, in the order in which they build on each other. */
export const stored = (dialect: Dialect, options: Options): ReadonlyArray<View> => [
  ...transfersAnd(current),
  vanished,
  ...(options.sums ? kept(dialect) : []),
]

/** Those on the transfers of an instant, for as long as a connection or a transaction. */
export const temporary = (dialect: Dialect, instant: string): ReadonlyArray<string> =>
  [...transfersAnd(asOf(dialect, instant)), ...sums(dialect)].map(
    ({ name, select }) => `CREATE TEMP VIEW ${name} AS ${select}`,
  )
