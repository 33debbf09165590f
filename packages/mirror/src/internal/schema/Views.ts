/** The views of a mirror, in both dialects: the part of it that people ask. */
import type { Dialect } from "../Columns.ts"
import * as Columns from "../Columns.ts"
import * as ExactSums from "../ExactSums.ts"
import * as SqlText from "../SqlText.ts"

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

/** The columns of a row of the history, of its body. */
const beforeOf = (dialect: Dialect): ReadonlyArray<string> =>
  Columns.derived.map(({ name, of }) => (name === "id" ? "id" : `${of[dialect]} AS ${name}`))

/** The history itself, and not the view of this name on the part of it up to an instant. */
const history = { sqlite: "main.transfer_changes", pg: "transfer_changes" } as const

/** The transfers as they had been seen at an instant: those that are the same since, and what others were before. */
export const asOf = (dialect: Dialect, instant: string): string => {
  const columns = [
    "partner_id",
    ...beforeOf(dialect),
    "created_ns",
    "created_day",
    "was_open AS is_open",
    "first_seen_at",
    "since_at AS seen_at",
    "body",
  ]
  return `${current} AND seen_at <= '${instant}'
    UNION ALL SELECT ${columns.join(", ")} FROM ${history[dialect]}
    WHERE since_at <= '${instant}' AND seen_at > '${instant}' AND body IS NOT NULL`
}

const vanished: View = {
  name: "vanished_transfers",
  select: `SELECT ${["partner_id", ...derivedNames, "vanished_at", "body"].join(", ")} FROM mirrored_transfers WHERE vanished_at IS NOT NULL`,
}

const fees = ["service_fee", "network_fee"]

/** Where the amounts are that the views add. */
interface Amounts {
  /** A query of the amounts of a field under its name, with the columns to group by: a day or a month. */
  readonly of: (field: string, day: string) => string
  /** How many there are, and the columns that it needs. */
  readonly count: string
  readonly counted: ReadonlyArray<string>
}

const addedUp = (dialect: Dialect, { of, count, counted }: Amounts): ReadonlyArray<View> => {
  const none = dialect === "pg" ? "CAST(NULL AS NUMERIC)" : "NULL"
  const feesOf = (fee: string) =>
    `SELECT partner_id, created_month, status, currency_code, ${fees.map((name) => (name === fee ? name : `${none} AS ${name}`)).join(", ")} FROM (${of(fee, "substr(created_day, 1, 7) AS created_month")}) AS ${fee}s`
  return [
    {
      name: "daily_totals",
      select: ExactSums.select(dialect, {
        from: `(${of("source_total", "created_day")}) AS amounts`,
        keys: ["partner_id", "created_day", "status", "currency_code"],
        amounts: ["source_total"],
        aggregates: [`${count} AS transfers`],
        aggregated: counted,
      }),
    },
    {
      name: "fees_by_currency",
      select: ExactSums.select(dialect, {
        from: `(${fees.map(feesOf).join(" UNION ALL ")}) AS fees`,
        keys: ["partner_id", "created_month", "status", "currency_code"],
        amounts: fees,
      }),
    },
  ]
}

/** Sums that every sync keeps, by day and status. Before they are complete, there is no row rather than a part. */
const kept = (dialect: Dialect): Amounts => {
  const { of, at } = SqlText.elements[dialect]
  const listOf = (field: string) =>
    dialect === "pg" ? `CAST(totals AS json) -> 'amounts' -> '${field}'` : `totals, '$.amounts.${field}'`
  const [text, amount] = dialect === "pg" ? [' COLLATE "C"', "NUMERIC"] : ["", "TEXT"]
  return {
    of: (field, day) =>
      `SELECT partner_id, ${day}, status, ${at(1)}${text} AS currency_code, CAST(${at(2)} AS BIGINT) AS amounts, CAST(${at(3)} AS ${amount}) AS ${field}
FROM transfer_totals CROSS JOIN ${of(listOf(field))}
WHERE partner_id IN (SELECT partner_id FROM sync_state WHERE name = 'totals' AND value = 'complete')`,
    count: "CAST(SUM(amounts) AS BIGINT)",
    counted: ["amounts"],
  }
}

/** Those of the transfers of an instant. */
const ofTransfers: Amounts = {
  of: (field, day) =>
    `SELECT partner_id, ${day}, status, ${field}_currency_code AS currency_code, ${field}_amount AS ${field} FROM transfers WHERE ${field}_amount IS NOT NULL`,
  count: "COUNT(*)",
  counted: [],
}

const transfersAnd = (transfers: string): ReadonlyArray<View> => [
  { name: "transfers", select: transfers },
  { name: "open_transfers", select: "SELECT * FROM transfers WHERE is_open = 1" },
]

/** The views that stay, in the order in which they build on each other. */
export const stored = (dialect: Dialect, options: Options): ReadonlyArray<View> => [
  ...transfersAnd(current),
  vanished,
  ...(options.sums ? addedUp(dialect, kept(dialect)) : []),
]

/** Those that had vanished at an instant: their last change up to it says so. */
const vanishedAsOf = (dialect: Dialect, instant: string): string =>
  `SELECT ${["partner_id", ...beforeOf(dialect), "seen_at AS vanished_at", "body"].join(", ")} FROM ${history[dialect]} AS last
    WHERE event = 'vanished' AND seen_at <= '${instant}' AND NOT EXISTS (
      SELECT 1 FROM ${history[dialect]} AS later
      WHERE later.partner_id = last.partner_id AND later.id = last.id AND later.event = 'reappeared'
        AND later.seen_at > last.seen_at AND later.seen_at <= '${instant}')`

/** Those of an instant, for as long as a connection or a transaction. That of the history is the last: others read all of it. */
export const temporary = (dialect: Dialect, instant: string): ReadonlyArray<string> =>
  [
    ...transfersAnd(asOf(dialect, instant)),
    ...addedUp(dialect, ofTransfers),
    { name: "vanished_transfers", select: vanishedAsOf(dialect, instant) },
    { name: "transfer_changes", select: `SELECT * FROM ${history[dialect]} WHERE seen_at <= '${instant}'` },
  ].map(({ name, select }) => `CREATE TEMP VIEW ${name} AS ${select}`)

/** The tables and views that people ask. */
export const asked: ReadonlyArray<string> = [
  "transfers",
  "open_transfers",
  "vanished_transfers",
  "daily_totals",
  "fees_by_currency",
  "transfer_totals",
  "transfer_changes",
  "sync_runs",
  "sync_windows",
]

/** Tables that have no state of an instant: what they have is of now. */
const ofNow: ReadonlyArray<string> = [
  "transfer_totals",
  "sync_runs",
  "sync_windows",
  "mirrored_transfers",
  "sync_state",
]

/** Why a statement has no answer as of an instant, as a clause. */
export const objection = (statement: string): string | undefined => {
  const words = new Set(statement.toLowerCase().split(/\W+/))
  const found = ofNow.find((name) => words.has(name))
  if (found === undefined) return undefined
  const others = asked.filter((name) => !ofNow.includes(name))
  return `${found} shows the mirror as it is now. As of an instant, ask ${others.slice(0, -1).join(", ")} or ${others.at(-1)}`
}
