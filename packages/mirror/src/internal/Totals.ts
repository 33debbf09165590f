/**
 * The table `transfer_totals`: what the transfers of a day and a status add up to, kept with every change, so that a
 * summary reads some thousand rows instead of every transfer. An amount is five limbs of nine digits, each with its sign:
 * two of the whole part, three of the fraction. Limbs are added as integers, which is exact in any database.
 */
import * as StoredText from "@transferkit/domain/StoredText"
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

/** What a digit is worth at each place of a limb. */
const worth = Array.from({ length: limbDigits }, (_, place) => 10 ** (limbDigits - 1 - place))

const [minus, point, zero] = [45, 46, 48]

/** Adds an amount to limbs, digit by digit: an import adds ten million of them. */
const addTo = (sums: Array<number>, text: string, sign: 1 | -1): void => {
  const isNegative = text.charCodeAt(0) === minus
  const first = isNegative ? 1 : 0
  const end = text.indexOf(".", first)
  let place = ExactSums.mostWholeDigits - ((end < 0 ? text.length : end) - first)
  for (let index = first; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === point) continue
    const limb = Math.floor(place / limbDigits)
    const value = (code - zero) * (worth[place % limbDigits] ?? 0)
    sums[limb] = (sums[limb] ?? 0) + (isNegative ? -sign : sign) * value
    place++
  }
}

interface Total {
  readonly name: string
  readonly created_day: string
  readonly status: string
  readonly field: string
  readonly currency: string
  readonly currency_code: string
  readonly digits: number
  amounts: number
  readonly limbs: Array<number>
}

/** The totals of a day and a status by field and currency code: those of one code differ in few ways. */
type Group = Map<string, Map<string, Array<Total>>>

/** Collects what transfers add to the totals, or take from them. */
export class Changes {
  readonly #partner_id: string
  readonly #groups = new Map<string, Group>()
  readonly #totals: Array<Total> = []

  constructor(partner_id: string) {
    this.#partner_id = partner_id
  }

  add(transfer: Transfer, created_day: string, sign: 1 | -1): void {
    const day = [created_day, transfer.status] as const
    const group = ofKey(this.#groups, day.join("\0"), () => new Map())
    const currencies = new Set<string>()
    for (const field of moneyFields) {
      const money = transfer[field]
      if (money === undefined) continue
      const currency = Summary.currencyOf(transfer, field, money)
      currencies.add(currency)
      const total = this.#total(group, day, field, currency, money.currency_code, money.text)
      total.amounts += sign
      addTo(total.limbs, money.text, sign)
    }
    if (currencies.size === 0) currencies.add("")
    this.#total(group, day, counts.all).amounts += sign
    for (const currency of currencies) this.#total(group, day, counts.byCurrency, currency).amounts += sign
  }

  // Looked up by the texts that are there, without making one of them all: an import does it ten million times.
  #total(
    group: Group,
    [created_day, status]: readonly [string, string],
    field: string,
    currency = "",
    currency_code = "",
    text = "",
  ): Total {
    const point = text.indexOf(".")
    const digits = point < 0 ? 0 : text.length - point - 1
    const ofField = ofKey(group, field, () => new Map<string, Array<Total>>())
    const alike = ofKey(ofField, currency_code, () => [])
    for (const total of alike) if (total.digits === digits && total.currency === currency) return total
    const total: Total = {
      name: `${created_day}\0${status}\0${field}\0${currency}\0${currency_code}\0${digits}`,
      created_day,
      status: StoredText.escape(status),
      field,
      currency: StoredText.escape(currency),
      currency_code: StoredText.escape(currency_code),
      digits,
      amounts: 0,
      limbs: [0, 0, 0, 0, 0],
    }
    alike.push(total)
    this.#totals.push(total)
    return total
  }

  /** How many totals there are. */
  get size(): number {
    return this.#totals.length
  }

  /** In one order, so that transactions that run at once cannot wait for each other. */
  get rows(): ReadonlyArray<Rows.Row> {
    return this.#totals
      .filter((total) => total.amounts !== 0 || total.limbs.some((limb) => limb !== 0))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ created_day, status, field, currency, currency_code, digits, amounts, limbs }) => {
        const [limb_1 = 0, limb_2 = 0, limb_3 = 0, limb_4 = 0, limb_5 = 0] = limbs
        return {
          partner_id: this.#partner_id,
          created_day,
          status,
          field,
          currency,
          currency_code,
          digits: BigInt(digits),
          amounts: BigInt(amounts),
          limb_1: BigInt(limb_1),
          limb_2: BigInt(limb_2),
          limb_3: BigInt(limb_3),
          limb_4: BigInt(limb_4),
          limb_5: BigInt(limb_5),
        }
      })
  }
}

const ofKey = <A>(map: Map<string, A>, key: string, make: () => A): A => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
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
    for (const { transfer, created_day } of yield* Rows.withTransfers(rows)) changes.add(transfer, created_day, 1)
    yield* save(sql, changes)
    if (rows.length < batchSize) return
    after = rows.at(-1)
  }
})
