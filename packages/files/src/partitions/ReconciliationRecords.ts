/** Rows of a ledger and transfers as the texts that partitions keep. Equal rows are found without reading them. */
import * as ComparedAmount from "@transferkit/domain/ComparedAmount"
import type { CurrencyCode } from "@transferkit/domain/CurrencyCode"
import * as Dialect from "@transferkit/domain/Dialect"
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
  /** Whether it is within the period. */
  readonly isWithin: boolean
}

/** A transfer, and whether it must be booked. */
export interface PlacedTransfer extends Placed<Transfer> {
  readonly isRequired: boolean
}

const parseRows = (texts: ReadonlyArray<string>) => JSON.parse(`[${texts.join(",")}]`)

const codeOf = Brand.nominal<CurrencyCode>()

const moneyOf = (amount: string, code: string): Money.Money => Money.parseUnsafe(amount, codeOf(code))

/**
 * A record is a JSON array. It begins with what is compared: the key, the amount, its currency, the class and the
 * status. After each of these is a tab, which is never within a text of JSON.
 */
const tab = "\t,"

const keyIn = (text: string): string => text.slice(1, text.indexOf(tab))

const recordOf = (
  key: string,
  { text, currency_code }: { readonly text: string; readonly currency_code: string },
  settlement: string,
  status: string,
  rest: ReadonlyArray<unknown>,
): string =>
  `[${JSON.stringify(key)}${tab}"${text}"${tab}"${currency_code}"${tab}"${settlement}"${tab}${JSON.stringify(status)}${tab}${JSON.stringify(rest).slice(1)}`

/**
 * What a row can be paired with at a glance: a settled transfer within the period has the class of a row that may be one,
 * and an unsettled one that of a row that names an unsettled status. A row outside the period has none.
 */
const classes = { settled: "s", unsettled: "u", entryOutside: "e", transferOutside: "t" } as const

/** The amount of two records that are equal in all that is compared, without arithmetic. */
export const equalAmount = (entry: string, transfer: string): Money.Money | undefined => {
  const amountAt = entry.indexOf(tab) + tab.length
  const codeAt = entry.indexOf(tab, amountAt) + tab.length
  const classAt = entry.indexOf(tab, codeAt) + tab.length
  const statusAt = entry.indexOf(tab, classAt) + tab.length
  const hasStatus = entry[statusAt + 1] !== '"'
  const end = hasStatus ? entry.indexOf(tab, statusAt) + tab.length : statusAt
  if (!transfer.startsWith(entry.slice(0, end))) return undefined
  const cell = (start: number, next: number) => entry.slice(start + 1, next - tab.length - 1)
  return moneyOf(cell(amountAt, codeAt), cell(codeAt, classAt))
}

/** Apart from an absent one. */
const statusCell = (status: string | undefined): string => (status === undefined ? "" : `=${status}`)

const noMoney = { text: "", currency_code: "" }

const isSettled = ({ settlement = Dialect.standard }: Reconciliation.ReconciliationOptions, status: string): boolean =>
  Dialect.classOf(settlement, status) === "settled"

type EntryCells = readonly [
  key: string,
  amount: string,
  code: string,
  settlement: string,
  status: string,
  place: string,
  reference: string,
  date: string | null,
  rows: number | null,
  at: string | null,
  carried: string | null,
]

export const entryFormat = (
  options: Reconciliation.ReconciliationOptions,
): RowFormat<Placed<Reconciliation.LedgerEntry>> => ({
  keyOf: ({ row }) => row.key,
  lengthOf: ({ row }) => 90 + row.key.length + row.reference.length + row.amount.text.length,
  encode: ({ place, row, isWithin }) => {
    const { key, amount, status, reference, date = null, rows = null, at, carried = null } = row
    const inside = status === undefined || isSettled(options, status) ? classes.settled : classes.unsettled
    const settlement = isWithin ? inside : classes.entryOutside
    const rest = [place, reference, date, rows, at?.text ?? null, carried]
    return recordOf(key, amount, settlement, statusCell(status), rest)
  },
  keyIn,
  decode: (texts) => {
    const records: ReadonlyArray<EntryCells> = parseRows(texts)
    return records.map(([key, amount, code, settlement, status, place, reference, date, rows, at, carried]) => ({
      place,
      isWithin: settlement !== classes.entryOutside,
      row: {
        reference,
        key,
        amount: moneyOf(amount, code),
        ...(status === "" ? {} : { status: status.slice(1) }),
        ...(date === null ? {} : { date }),
        ...(rows === null ? {} : { rows }),
        ...(at === null ? {} : { at: Timestamp.parseUnsafe(at) }),
        ...(carried === null ? {} : { carried }),
      },
    }))
  },
})

const idOf = Brand.nominal<Transfer["id"]>()

/**
 * Only the fields that the rules and reports look at: whole transfers would take ten times the room. What is compared is in
 * one field.
 */
export const slim = (
  whole: Transfer,
  { key = "external_id", amount = "source_total" }: Reconciliation.ReconciliationOptions,
): Transfer => {
  const { id, kind, status, created_at, [key]: value } = whole
  const money = ComparedAmount.of(whole, amount)
  return {
    id,
    kind,
    status,
    created_at,
    ...(key === "id" || value === undefined ? {} : { [key]: value }),
    ...(money === undefined ? {} : { [ComparedAmount.fieldOf(amount)]: money }),
  }
}

type TransferCells = readonly [
  key: string,
  amount: string,
  code: string,
  settlement: string,
  status: string,
  place: string,
  id: string,
  kind: string,
  created_at: string,
  isFree: number,
]

export const transferFormat = (options: Reconciliation.ReconciliationOptions): RowFormat<PlacedTransfer> => {
  const { key = "external_id", amount: compared = "source_total" } = options
  const amount = ComparedAmount.fieldOf(compared)
  return {
    keyOf: ({ row }) => row[key] ?? "",
    lengthOf: ({ row }) => 110 + row.id.length + (row[key]?.length ?? 0) + (row[amount]?.text.length ?? 0),
    encode: ({ place, row, isWithin, isRequired }) => {
      const { id, kind, status, created_at } = row
      const inside = isSettled(options, status) ? classes.settled : classes.unsettled
      const settlement = isWithin ? inside : classes.transferOutside
      const rest = [place, id, kind, created_at.text, isRequired ? 0 : 1]
      return recordOf(row[key] ?? "", row[amount] ?? noMoney, settlement, statusCell(status), rest)
    },
    keyIn,
    decode: (texts) => {
      const records: ReadonlyArray<TransferCells> = parseRows(texts)
      return records.map(([value, text, code, settlement, status, place, id, kind, at, isFree]) => ({
        place,
        isWithin: settlement !== classes.transferOutside,
        isRequired: isFree === 0,
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
  }
}
