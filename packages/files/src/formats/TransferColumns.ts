/** A transfer as a row: the columns of CSV, Parquet and SQL. */
import { moneyFields, type Transfer } from "@transferkit/domain/Transfer"

/** A column. `read` returns undefined if the transfer has no such field. */
export interface TransferColumn {
  readonly name: string
  readonly kind: "text" | "timestamp" | "amount" | "json"
  readonly read: (transfer: Transfer) => string | undefined
}

const moneyColumns = (field: (typeof moneyFields)[number]): ReadonlyArray<TransferColumn> => [
  { name: `${field}_amount`, kind: "amount", read: (transfer) => transfer[field]?.text },
  { name: `${field}_currency_code`, kind: "text", read: (transfer) => transfer[field]?.currency_code },
]

const text = (
  name: "id" | "external_id" | "kind" | "status" | "network_transaction_id" | "wallet_address" | "payment_method",
): TransferColumn => ({ name, kind: "text", read: (transfer) => transfer[name] })

const instant = (name: "created_at" | "updated_at"): TransferColumn => ({
  name,
  kind: "timestamp",
  read: (transfer) => transfer[name]?.text,
})

/** Every field of partner-api.md, 2.3, in its order; an amount and its currency are separate columns. */
const known: ReadonlyArray<TransferColumn> = [
  text("id"),
  text("external_id"),
  text("kind"),
  text("status"),
  text("network_transaction_id"),
  instant("created_at"),
  instant("updated_at"),
  ...moneyFields.slice(0, 6).flatMap(moneyColumns),
  text("wallet_address"),
  text("payment_method"),
  ...moneyFields.slice(6).flatMap(moneyColumns),
]

const knownFields = new Set<string>([
  ...known.filter((column) => column.kind !== "amount").map((column) => column.name),
  ...moneyFields,
])

/** Fields that the contract does not name, as one JSON object, so that the columns are always the same. */
const extra: TransferColumn = {
  name: "extra",
  kind: "json",
  read: (transfer) => {
    const others = Object.entries(transfer).filter(([name]) => !knownFields.has(name))
    return others.length === 0 ? undefined : JSON.stringify(Object.fromEntries(others))
  },
}

/** All columns of a flat file; the last holds the fields that the contract does not name. */
export const flat: ReadonlyArray<TransferColumn> = [...known, extra]

/** A transfer as the cells of {@link flat}. */
export const toCells = (transfer: Transfer): ReadonlyArray<string | undefined> =>
  flat.map((column) => column.read(transfer))
