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

/** A row by column. */
export type Row = Readonly<Record<string, string | bigint | null>>

/** How instants of ours are stored: of one length, so that their text has their order. */
export const instantText = (at: Timestamp.Timestamp): string => Timestamp.toDate(at).toISOString()

/** The day of a transfer, in UTC. */
export const dayOf = ({ created_at }: Transfer.Transfer): string => Timestamp.toUtc(created_at).text.slice(0, 10)

/** A transfer as JSON whose texts both databases can take out of it. */
export const toBody = (transfer: Transfer.Transfer): string => StoredText.escapeJson(JSON.stringify(transfer))

/** The columns that a transfer is read from. */
export interface Kept {
  readonly id: string
  readonly body: string
}

/** Rows with their transfers. A row that somebody has edited fails with an error that names it. */
export const withTransfers = <R extends Kept>(
  rows: ReadonlyArray<R>,
): Effect.Effect<ReadonlyArray<R & { readonly transfer: Transfer.Transfer }>, SqlError> =>
  Effect.fromResult(Result.all(rows.map(withTransfer)))

const withTransfer = <R extends Kept>(row: R) => {
  // SQLite keeps numbers and bytes in a column of text, too.
  const text = typeof row.body === "string" ? StoredText.unescapeJson(row.body) : ""
  return Result.mapBoth(Transfer.fromJson(text), {
    onSuccess: (transfer) => ({ ...row, transfer }),
    onFailure: ({ pointer, expected, actual }) => {
      const reason = `has a body whose value at ${JSON.stringify(pointer)} should be ${expected}, but is ${actual}: restore it`
      return SqlFailure.damaged("mirrored_transfers", { id: row.id }, reason)
    },
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

/** What the mirror keeps of a transfer beside its fields, the same in every row. */
export interface Stored {
  readonly status: string
  readonly created_ns: bigint
  readonly created_day: string
  readonly is_open: bigint
  readonly first_seen_at: string
  readonly seen_at: string
}

export const ofTransfer = (
  dialect: Columns.Dialect,
  { partner_id, transfer, body, first_seen_at, seen_at, isOpen }: Source,
): Row & Stored => {
  const created_ns = transfer.created_at.epochNanoseconds
  const row: Stored & Record<string, string | bigint | null> = {
    partner_id,
    created_ns,
    created_day: dayOf(transfer),
    is_open: isOpen(transfer.status) ? 1n : 0n,
    first_seen_at,
    seen_at,
    vanished_at: null,
    status: StoredText.escape(transfer.status),
    body,
  }
  for (const column of Columns.storedOf(dialect)) {
    const text = column.read(transfer)
    row[column.name] = text === undefined ? null : column === Columns.extra ? text : StoredText.escape(text)
  }
  return row
}

/** Why a mirror cannot hold a transfer exactly, if it cannot. */
export const rejection = (transfer: Transfer.Transfer, { sums }: { readonly sums: boolean }): string | undefined => {
  const { id, created_at } = transfer
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

/** Rows to a statement at the most. */
const mostRows = 64

/** Inserts rows, all with the same columns; rows with the same key are replaced, but for columns that are added to. */
export const upsert = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  table: string,
  key: ReadonlyArray<string>,
  rows: ReadonlyArray<Row>,
  { adds = [] }: { readonly adds?: ReadonlyArray<string> } = {},
) {
  const [first] = rows
  if (first === undefined) return
  const columns = Object.keys(first)
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
  const whole = textOf(mostRows)
  for (let start = 0; start < rows.length; start += mostRows) {
    const batch = rows.slice(start, start + mostRows)
    const params = batch.flatMap((row) => columns.map((column) => row[column]))
    yield* sql.unsafe(batch.length === mostRows ? whole : textOf(batch.length), params).raw
  }
})
