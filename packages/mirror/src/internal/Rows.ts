/** Transfers as rows, and rows into tables. */
import * as StoredText from "@transferkit/domain/StoredText"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Columns from "./Columns.ts"
import * as ExactSums from "./ExactSums.ts"
import * as SqlFailure from "./SqlFailure.ts"
import * as SqlText from "./SqlText.ts"

type Value = string | bigint | null

/** A row by column. */
export type Row = Readonly<Record<string, Value>>

/** An instant as it is stored: texts of one length, so that they sort as the instants do. */
export const instantText = (at: Timestamp.Timestamp): string => Timestamp.toDate(at).toISOString()

/** The day of a transfer, in UTC. A leap second is the first second of the next day. */
export const dayOf = ({ created_at }: Transfer.Transfer): string => {
  const isWritten = created_at.text.endsWith("Z") && !created_at.text.startsWith("60", secondAt)
  return (isWritten ? created_at : Timestamp.toUtc(created_at)).text.slice(0, 10)
}

/** Where an instant's text has its seconds. */
const secondAt = "2024-09-01T00:00:".length

/** A transfer as JSON from which both databases can extract texts. */
export const toBody = (transfer: Transfer.Transfer): string => StoredText.escapeJson(JSON.stringify(transfer))

/** The columns that a transfer is read from. `body` is as {@link SqlText.body} selects it. */
export interface Kept {
  readonly id: string
  readonly body: string
}

/** Rows with their transfers. A row that was edited by hand fails with an error that names it. */
export const withTransfers = <R extends Kept>(
  rows: ReadonlyArray<R>,
): Effect.Effect<ReadonlyArray<R & { readonly transfer: Transfer.Transfer }>, SqlError> =>
  Effect.fromResult(Result.all(rows.map(withTransfer)))

const withTransfer = <R extends Kept>(row: R) => {
  const damaged = (reason: string) => SqlFailure.damaged("mirrored_transfers", { id: row.id }, `${reason}: restore it`)
  const given: unknown = row.body
  if (given === null) return Result.fail(damaged("has a body of more than 32 MiB"))
  // SQLite keeps numbers and bytes in a column of text, too.
  const text = typeof given === "string" ? StoredText.unescapeJson(given) : ""
  return Result.mapBoth(Transfer.fromJson(text), {
    onSuccess: (transfer) => ({ ...row, transfer }),
    onFailure: ({ pointer, expected, actual }) =>
      damaged(`has a body whose value at ${JSON.stringify(pointer)} should be ${expected}, but is ${actual}`),
  })
}

interface Source {
  readonly partner_id: string
  readonly transfer: Transfer.Transfer
  readonly body: string
  readonly first_seen_at: string
  readonly seen_at: string
  readonly isOpen: (status: string) => boolean
}

/** What the mirror stores of a transfer in columns of its own. */
export interface Stored {
  readonly status: string
  readonly created_ns: bigint
  readonly created_day: string
  readonly is_open: bigint
  readonly first_seen_at: string
  readonly seen_at: string
}

/** A transfer for the table of transfers: its values in the order of {@link columnsOf}. */
export interface TransferRow {
  readonly stored: Stored
  readonly values: ReadonlyArray<Value>
}

const columns = {
  sqlite: [...Columns.own, ...Columns.storedOf("sqlite").map(({ name }) => name)],
  pg: [...Columns.own, ...Columns.storedOf("pg").map(({ name }) => name)],
}

/** The columns of the table of transfers that are written. */
export const columnsOf = (dialect: Columns.Dialect): ReadonlyArray<string> => columns[dialect]

// Values without names: an object with as many properties as there are columns is a hash table.
export const ofTransfer = (
  dialect: Columns.Dialect,
  { partner_id, transfer, body, first_seen_at, seen_at, isOpen }: Source,
): TransferRow => {
  // JSON writes what has to be escaped with a backslash, or it had one.
  const escape = body.includes("\\u") ? StoredText.escape : (text: string) => text
  const stored: Stored = {
    status: escape(transfer.status),
    created_ns: transfer.created_at.epochNanoseconds,
    created_day: dayOf(transfer),
    is_open: isOpen(transfer.status) ? 1n : 0n,
    first_seen_at,
    seen_at,
  }
  const { created_ns, created_day, is_open } = stored
  const values: Array<Value> = [partner_id, created_ns, created_day, is_open, first_seen_at, seen_at, null, body]
  for (const column of Columns.storedOf(dialect)) {
    const text = column.read(transfer)
    values.push(text === undefined ? null : column === Columns.extra ? StoredText.escapeJson(text) : escape(text))
  }
  return { stored, values }
}

/** Bytes of a text in a key of PostgreSQL, whose rows have 2,704, also for the partner. */
const mostKeyBytes = 2000

/** Whether a text is longer. Most are so short that nothing is counted. */
const isLongKey = (text: string): boolean =>
  text.length > mostKeyBytes / 6 && Buffer.byteLength(StoredText.escape(text)) > mostKeyBytes

/** What a mirror is like that may hold a transfer. */
export interface Holder {
  readonly sums: boolean
  readonly dialect: Columns.Dialect
}

/** Why a mirror cannot hold a transfer exactly, if it cannot. */
export const rejection = (transfer: Transfer.Transfer, { sums, dialect }: Holder): string | undefined => {
  const { id, created_at } = transfer
  const long = dialect === "pg" ? (["id", "status"] as const).find((field) => isLongKey(transfer[field])) : undefined
  if (long !== undefined) {
    return `transfer ${id.slice(0, 64)}… has the ${long} ${transfer[long].slice(0, 64)}…, and a mirror in PostgreSQL holds ${mostKeyBytes} bytes of one: use a mirror in SQLite`
  }
  if (BigInt.asIntN(64, created_at.epochNanoseconds) !== created_at.epochNanoseconds) {
    return `transfer ${id} was created at ${created_at.text}, and a mirror holds the years 1678 to 2262`
  }
  if (!sums) return undefined
  for (const field of Transfer.moneyFields) {
    const text = transfer[field]?.text
    if (text !== undefined && text.length > ExactSums.mostWholeDigits && !isSummable(text)) {
      return `transfer ${id} has the ${field} ${text}, and a mirror adds amounts of up to ${ExactSums.mostWholeDigits} digits before the point and ${ExactSums.mostFractionDigits} after it exactly`
    }
  }
  return undefined
}

const isSummable = (text: string): boolean => {
  const [whole = "", fraction = ""] = text.replace("-", "").split(".")
  return whole.length <= ExactSums.mostWholeDigits && fraction.length <= ExactSums.mostFractionDigits
}

/** The most rows per statement. */
const mostRows = 64

/** Inserts rows, all with the same columns; rows with the same key are replaced, but for columns that are added to. */
export const upsert = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  table: string,
  key: ReadonlyArray<string>,
  rows: ReadonlyArray<Row>,
  { adds = [] }: { readonly adds?: ReadonlyArray<string> } = {},
) {
  const columns = Object.keys(rows[0] ?? {})
  const values = rows.map((row) => columns.map((column) => row[column] ?? null))
  yield* upsertValues(sql, { table, columns, key, adds }, values)
})

/** Where rows of values go. */
export interface Target {
  readonly table: string
  readonly columns: ReadonlyArray<string>
  /** Rows with the same key are replaced. Empty if there can be none. */
  readonly key: ReadonlyArray<string>
  /** Columns that are added to instead. */
  readonly adds?: ReadonlyArray<string>
}

/** Inserts rows of values in the order of the columns. */
export const upsertValues = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { table, columns, key, adds = [] }: Target,
  rows: ReadonlyArray<ReadonlyArray<Value>>,
) {
  const tuple = `(${columns.map(() => "?").join(", ")})`
  const others = columns.filter((column) => !key.includes(column))
  const setOf = (column: string) =>
    `${column} = ${adds.includes(column) ? `${table}.${column} + ` : ""}excluded.${column}`
  const conflict =
    key.length === 0 ? "" : ` ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${others.map(setOf).join(", ")}`
  const textOf = (count: number) =>
    SqlText.place(
      sql,
      `INSERT INTO ${table} (${columns.join(", ")}) VALUES ${Array.from({ length: count }, () => tuple).join(", ")}${conflict}`,
    )
  const whole = rows.length < mostRows ? "" : textOf(mostRows)
  for (let start = 0; start < rows.length; start += mostRows) {
    const batch = rows.slice(start, start + mostRows)
    yield* sql.unsafe(batch.length === mostRows ? whole : textOf(batch.length), batch.flat()).raw
  }
})
