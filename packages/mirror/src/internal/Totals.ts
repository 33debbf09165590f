/**
 * The table `transfer_totals`: what the transfers of a day and a status add up to, kept with every change, so that a
 * summary reads some thousand rows instead of every transfer. An amount is five limbs of nine digits, each with its sign:
 * two of the whole part, three of the fraction. Limbs are added as integers, which is exact in any database.
 */
import * as Summary from "@transferkit/domain/Summary"
import { moneyFields, type Transfer } from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as ExactSums from "./ExactSums.ts"
import * as Rows from "./Rows.ts"
import * as SqlText from "./SqlText.ts"

export const limbs = ["limb_1", "limb_2", "limb_3", "limb_4", "limb_5"] as const

/** The columns that identify a row. `digits` are those of the fraction, because a sum has as many as its longest amount. */
export const key = ["partner_id", "created_day", "status", "field", "currency", "currency_code", "digits"] as const

/** In place of the name of a field: rows that count the transfers of a day and status, altogether and by currency. */
export const counts = { all: "(all)", byCurrency: "(currency)" } as const

/** The name in `sync_state` that says whether the table has the totals of all transfers. */
export const state = "totals"

const limbDigits = 9

/** What a limb counts up to. */
export const base = 10 ** limbDigits

/** The limbs of an amount. */
const limbsOf = (text: string): ReadonlyArray<number> => {
  const sign = text.startsWith("-") ? -1 : 1
  const [whole = "", fraction = ""] = (sign < 0 ? text.slice(1) : text).split(".")
  const digits = `${whole.padStart(ExactSums.mostWholeDigits, "0")}${fraction.padEnd(ExactSums.mostFractionDigits, "0")}`
  return limbs.map((_, index) => sign * Number(digits.slice(index * limbDigits, (index + 1) * limbDigits)))
}

interface Total {
  readonly row: Rows.Row
  amounts: number
  readonly limbs: Array<number>
}

/** Collects what transfers add to the totals, or take from them. */
export class Changes {
  readonly #partner_id: string
  readonly #totals = new Map<string, Total>()

  constructor(partner_id: string) {
    this.#partner_id = partner_id
  }

  add(transfer: Transfer, created_day: string, sign: 1 | -1): void {
    const currencies = new Set<string>()
    for (const field of moneyFields) {
      const money = transfer[field]
      if (money === undefined) continue
      const currency = Summary.currencyOf(transfer, field, money)
      currencies.add(currency)
      const total = this.#total([created_day, transfer.status, field, currency, money.currency_code], money.text)
      total.amounts += sign
      limbsOf(money.text).forEach((limb, index) => (total.limbs[index] = (total.limbs[index] ?? 0) + sign * limb))
    }
    if (currencies.size === 0) currencies.add("")
    this.#total([created_day, transfer.status, counts.all, "", ""]).amounts += sign
    for (const currency of currencies) {
      this.#total([created_day, transfer.status, counts.byCurrency, currency, ""]).amounts += sign
    }
  }

  #total(names: readonly [string, string, string, string, string], text = ""): Total {
    const point = text.indexOf(".")
    const digits = point < 0 ? 0 : text.length - point - 1
    const name = `${names.join("\0")}\0${digits}`
    const known = this.#totals.get(name)
    if (known !== undefined) return known
    const [created_day, status, field, currency, currency_code] = names
    const row = {
      partner_id: this.#partner_id,
      created_day,
      status,
      field,
      currency,
      currency_code,
      digits: BigInt(digits),
    }
    const total = { row, amounts: 0, limbs: limbs.map(() => 0) }
    this.#totals.set(name, total)
    return total
  }

  /** In one order, so that transactions that run at once cannot wait for each other. */
  get rows(): ReadonlyArray<Rows.Row> {
    return [...this.#totals]
      .filter(([, total]) => total.amounts !== 0 || total.limbs.some((limb) => limb !== 0))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, total]) => ({
        ...total.row,
        amounts: BigInt(total.amounts),
        ...Object.fromEntries(limbs.map((name, index) => [name, BigInt(total.limbs[index] ?? 0)])),
      }))
  }
}

const table = "transfer_totals"

export const save = (sql: SqlClient.SqlClient, changes: Changes): Effect.Effect<void, SqlError> =>
  Rows.upsert(sql, table, key, changes.rows, { adds: ["amounts", ...limbs] })

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
      `SELECT id, created_ns, created_day, body FROM mirrored_transfers
      WHERE partner_id = ? AND vanished_at IS NULL${place} ORDER BY created_ns, id LIMIT ${batchSize}`,
    )
  let after: Body | undefined
  for (;;) {
    const place = after === undefined ? [] : [after.created_ns, after.id]
    const rows: ReadonlyArray<Body> = yield* sql.unsafe<Body>(
      text(after === undefined ? "" : " AND (created_ns, id) > (?, ?)"),
      [partner_id, ...place],
    )
    const changes = new Changes(partner_id)
    for (const { body, created_day } of rows) changes.add(Rows.toTransfer(body), created_day, 1)
    yield* save(sql, changes)
    if (rows.length < batchSize) return
    after = rows.at(-1)
  }
})
