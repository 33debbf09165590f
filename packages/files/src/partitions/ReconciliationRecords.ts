/** Rows of a ledger and transfers as the texts that partitions keep. Equal rows are found without reading them. */
import type { CurrencyCode } from "@transferkit/domain/CurrencyCode"
import * as Money from "@transferkit/domain/Money"
import type * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Brand from "effect/Brand"
import type { RowFormat } from "./Partitions.ts"

/** A row and its place among those of its side. */
export interface Placed<A> {
  readonly place: string
  readonly row: A
}

const parseRows = (texts: ReadonlyArray<string>) => JSON.parse(`[${texts.join(",")}]`)

const codeOf = Brand.nominal<CurrencyCode>()

const moneyOf = (amount: string, code: string): Money.Money => Money.parseUnsafe(amount, codeOf(code))

/** A record begins with what is compared: the key, the amount, its currency and the status. */
const between = '","'

const keyIn = (text: string): string => text.slice(2, text.indexOf(between))

/** The amount of two records that are equal in all that is compared, without arithmetic. */
export const equalAmount = (entry: string, transfer: string): Money.Money | undefined => {
  const amountAt = entry.indexOf(between) + between.length
  const codeAt = entry.indexOf(between, amountAt) + between.length
  const statusAt = entry.indexOf(between, codeAt) + between.length
  const hasStatus = entry[statusAt] !== '"'
  const end = hasStatus ? entry.indexOf(between, statusAt) + between.length : statusAt
  if (!transfer.startsWith(entry.slice(0, end))) return undefined
  return moneyOf(entry.slice(amountAt, codeAt - between.length), entry.slice(codeAt, statusAt - between.length))
}

/** Apart from an absent one. */
const statusCell = (status: string | undefined): string => (status === undefined ? "" : `=${status}`)

type EntryCells = readonly [
  key: string,
  amount: string,
  code: string,
  status: string,
  place: string,
  reference: string,
  date: string | null,
  rows: number | null,
]

export const entryFormat: RowFormat<Placed<Reconciliation.LedgerEntry>> = {
  keyOf: ({ row }) => row.key,
  lengthOf: ({ row }) => 80 + row.key.length + row.reference.length + row.amount.text.length,
  encode: ({ place, row: { key, amount, status, reference, date = null, rows = null } }) => {
    const { text, currency_code } = amount
    const cells: EntryCells = [key, text, currency_code, statusCell(status), place, reference, date, rows]
    return JSON.stringify(cells)
  },
  keyIn,
  decode: (texts) => {
    const records: ReadonlyArray<EntryCells> = parseRows(texts)
    return records.map(([key, amount, code, status, place, reference, date, rows]) => ({
      place,
      row: {
        reference,
        key,
        amount: moneyOf(amount, code),
        ...(status === "" ? {} : { status: status.slice(1) }),
        ...(date === null ? {} : { date }),
        ...(rows === null ? {} : { rows }),
      },
    }))
  },
}

const idOf = Brand.nominal<Transfer["id"]>()

/** Only the fields that the rules and reports look at: whole transfers would take ten times the room. */
export const slim = (
  whole: Transfer,
  { key = "external_id", amount = "source_total" }: Reconciliation.ReconciliationOptions,
): Transfer => {
  const { id, kind, status, created_at, [key]: value, [amount]: money } = whole
  return {
    id,
    kind,
    status,
    created_at,
    ...(key === "id" || value === undefined ? {} : { [key]: value }),
    ...(money === undefined ? {} : { [amount]: money }),
  }
}

export const transferFormat = ({
  key = "external_id",
  amount = "source_total",
}: Reconciliation.ReconciliationOptions): RowFormat<Placed<Transfer>> => ({
  keyOf: ({ row }) => row[key] ?? "",
  lengthOf: ({ row }) => 100 + row.id.length + (row[key]?.length ?? 0) + (row[amount]?.text.length ?? 0),
  encode: ({ place, row }) => {
    const { text = "", currency_code = "" } = row[amount] ?? {}
    const { id, kind, status, created_at } = row
    return JSON.stringify([row[key], text, currency_code, statusCell(status), place, id, kind, created_at.text])
  },
  keyIn,
  decode: (texts) => {
    const records: ReadonlyArray<ReadonlyArray<string>> = parseRows(texts)
    return records.map(([value = "", text = "", code = "", status = "", place = "", id = "", kind = "", at = ""]) => ({
      place,
      row: {
        id: idOf(id),
        kind,
        status: status.slice(1),
        created_at: Timestamp.parseUnsafe(at),
        ...(key === "id" ? {} : { [key]: value }),
        ...(text === "" ? {} : { [amount]: moneyOf(text, code) }),
      },
    }))
  },
})
