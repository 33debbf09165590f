/** A transfer as a row: the columns of CSV, Parquet and SQL. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import { fields, moneyFields, type Transfer } from "@transferkit/domain/Transfer"
import * as Record from "effect/Record"

/** A column. `read` returns undefined if the transfer has no such field. */
export interface TransferColumn {
  readonly name: string
  readonly kind: "text" | "timestamp" | "amount" | "json"
  readonly read: (transfer: Transfer) => string | undefined
  /** Of a column of times: in nanoseconds since 1970. */
  readonly instant?: (transfer: Transfer) => bigint | undefined
}

const columnsOf = ([field, type]: (typeof contract)[number]): ReadonlyArray<TransferColumn> => {
  const money = moneyFields.find((name) => name === field)
  if (money !== undefined) {
    return [
      { name: `${field}_amount`, kind: "amount", read: (transfer) => transfer[money]?.text },
      { name: `${field}_currency_code`, kind: "text", read: (transfer) => transfer[money]?.currency_code },
    ]
  }
  const read = (transfer: Transfer) => {
    const value = transfer[field]
    return typeof value === "string" ? value : value?.text
  }
  if (type !== "created" && type !== "instant") return [{ name: field, kind: "text", read }]
  const instant = (transfer: Transfer) => {
    const value = transfer[field]
    return Timestamp.isTimestamp(value) ? value.epochNanoseconds : undefined
  }
  return [{ name: field, kind: "timestamp", read, instant }]
}

/** Every field of partner-api.md, 2.3, in its order; an amount and its currency are separate columns. */
const contract = Record.toEntries(fields)

const knownFields = new Set<string>(contract.map(([field]) => field))

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
export const flat: ReadonlyArray<TransferColumn> = [...contract.flatMap(columnsOf), extra]

/** A transfer as the cells of some columns, by default of {@link flat}. */
export const toCells = (
  transfer: Transfer,
  columns: ReadonlyArray<TransferColumn> = flat,
): ReadonlyArray<string | undefined> => columns.map((column) => column.read(transfer))

/** A transfer as a flat object of texts. Columns that it has no value for are absent. */
export const toRecord = (
  transfer: Transfer,
  columns: ReadonlyArray<TransferColumn>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    columns.flatMap(({ name, read }) => {
      const text = read(transfer)
      return text === undefined ? [] : [[name, text] as const]
    }),
  )
