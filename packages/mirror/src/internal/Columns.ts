/**
 * The columns of a transfer: those of the contract, under the names that exported files have, and where each is in the
 * transfer's JSON. SQLite computes most of them from that JSON, so that a row is written once; PostgreSQL would parse
 * it again for each, so there they are stored.
 */
import { fields, moneyFields, type Transfer } from "@transferkit/domain/Transfer"

export type Dialect = "sqlite" | "pg"

export interface Column {
  readonly name: string
  readonly isAmount: boolean
  /** Its value in the JSON of column `body`. */
  readonly of: { readonly [D in Dialect]: string }
  readonly read: (transfer: Transfer) => string | undefined
}

const textColumn = (name: string, read: Column["read"]): Column => ({
  name,
  isAmount: false,
  of: { sqlite: `json_extract(body, '$.${name}')`, pg: `(CAST(body AS json) ->> '${name}')` },
  read,
})

const moneyColumn = (
  field: (typeof moneyFields)[number],
  part: "amount" | "currency_code",
  read: Column["read"],
): Column => {
  const text = `(CAST(body AS json) #>> '{${field},${part}}')`
  return {
    name: `${field}_${part}`,
    isAmount: part === "amount",
    of: {
      sqlite: `json_extract(body, '$.${field}.${part}')`,
      pg: part === "amount" ? `CAST(${text} AS numeric)` : text,
    },
    read,
  }
}

const names = Object.keys(fields) as ReadonlyArray<keyof typeof fields>

/** The fields of the contract, in its order. */
export const contract: ReadonlyArray<Column> = names.flatMap((name) => {
  const money = moneyFields.find((field) => field === name)
  if (money !== undefined) {
    return [
      moneyColumn(money, "amount", (transfer) => transfer[money]?.text),
      moneyColumn(money, "currency_code", (transfer) => transfer[money]?.currency_code),
    ]
  }
  return textColumn(name, (transfer) => {
    const value = transfer[name]
    return typeof value === "string" ? value : value?.text
  })
})

const known = new Set<string>(names)

/** The fields that the contract does not name, as one JSON object. */
export const extra: Column = {
  name: "extra",
  isAmount: false,
  of: {
    sqlite: `nullif(json_remove(body, ${names.map((name) => `'$.${name}'`).join(", ")}), '{}')`,
    pg: `nullif(CAST(CAST(body AS jsonb) - ARRAY[${names.map((name) => `'${name}'`).join(", ")}] AS text), '{}')`,
  },
  read: (transfer) => {
    if (Object.keys(transfer).every((name) => known.has(name))) return undefined
    return JSON.stringify(Object.fromEntries(Object.entries(transfer).filter(([name]) => !known.has(name))))
  },
}

/** All that derives from the JSON. */
export const derived: ReadonlyArray<Column> = [...contract, extra]

/** Those that SQLite stores too, because its indexes need them. */
const indexed = new Set(["id", "external_id", "status", "network_transaction_id", "wallet_address"])

const stored = { sqlite: contract.filter(({ name }) => indexed.has(name)), pg: derived }

/** The derived columns that a dialect stores. */
export const storedOf = (dialect: Dialect): ReadonlyArray<Column> => stored[dialect]

/** The columns of a row that are ours, beside its JSON. */
export const own = [
  "partner_id",
  "created_ns",
  "created_day",
  "is_open",
  "first_seen_at",
  "seen_at",
  "vanished_at",
  "body",
] as const
