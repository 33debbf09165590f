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
 * A record is a JSON array, written at once: that is faster than to join texts. It begins with what is compared: the key,
 * the amount, its currency, the class and the status, all of them texts.
 */
const after = '",'

/** Where the text that begins before `from` ends: at a quote that is not escaped. A key may end in `",`, too. */
const endOf = (record: string, from: number): number => {
  let at = record.indexOf(after, from)
  while (isEscaped(record, at)) at = record.indexOf(after, at + 1)
  return at
}

const isEscaped = (record: string, at: number): boolean => {
  let before = at - 1
  while (record[before] === "\\") before--
  return (at - before) % 2 === 0
}

const keyIn = (record: string): string => record.slice(1, endOf(record, 2) + 1)

/**
 * What a row can be paired with at a glance: a settled transfer within the period has the class of a row that may be one,
 * and an unsettled one that of a row that names an unsettled status. A row outside the period has none.
 */
const classes = { settled: "s", unsettled: "u", entryOutside: "e", transferOutside: "t" } as const

/** The amount of two records that are equal in all that is compared, without arithmetic. */
export const equalAmount = (entry: string, transfer: string): Money.Money | undefined => {
  const amountAt = endOf(entry, 2) + after.length
  const codeAt = endOf(entry, amountAt + 1) + after.length
  const classAt = endOf(entry, codeAt + 1) + after.length
  const statusAt = endOf(entry, classAt + 1) + after.length
  const hasStatus = entry[statusAt + 1] !== '"'
  const end = hasStatus ? endOf(entry, statusAt + 1) + after.length : statusAt
  if (!transfer.startsWith(entry.slice(0, end))) return undefined
  const cell = (start: number, next: number) => entry.slice(start + 1, next - after.length)
  return moneyOf(cell(amountAt, codeAt), cell(codeAt, classAt))
}

/** Apart from an absent one. */
const statusCell = (status: string | undefined): string => (status === undefined ? "" : `=${status}`)

/** Whether a status is settled, found once for each. */
const settledIn = ({ settlement = Dialect.standard }: Reconciliation.ReconciliationOptions) => {
  const known = new Map<string, boolean>()
  return (status: string): boolean => {
    const found = known.get(status)
    if (found !== undefined) return found
    const isSettled = Dialect.classOf(settlement, status) === "settled"
    known.set(status, isSettled)
    return isSettled
  }
}

type EntryCells = readonly [
  key: string,
  amount: string,
  code: string,
  settlement: string,
  status: string,
  place: string,
  reference: string,
  date?: string | null,
  rows?: number | null,
  at?: string | null,
  carried?: string | null,
  gross?: readonly [moneyIn: string, moneyOut: string] | null,
  payout?: string | null,
  isLate?: boolean,
]

export const entryFormat = (
  options: Reconciliation.ReconciliationOptions,
): RowFormat<Placed<Reconciliation.LedgerEntry>> => {
  const isSettled = settledIn(options)
  return {
    keyOf: ({ row }) => row.key,
    lengthOf: ({ row }) => 90 + row.key.length + row.reference.length + row.amount.text.length,
    encode: ({ place, row, isWithin }) => {
      const { key, amount, status, reference, date, rows, at, carried, gross, payout, isLate } = row
      const inside = status === undefined || isSettled(status) ? classes.settled : classes.unsettled
      const settlement = isWithin ? inside : classes.entryOutside
      const { text, currency_code } = amount
      const cells: EntryCells = [key, text, currency_code, settlement, statusCell(status), place, reference]
      // What most rows do not have takes time and room.
      const isPlain = rows === undefined && at === undefined && carried === undefined && gross === undefined
      if (isPlain && payout === undefined && isLate === undefined)
        return JSON.stringify(date === undefined ? cells : [...cells, date])
      const grosses = gross && [gross.in.text, gross.out.text]
      return JSON.stringify([...cells, date, rows, at?.text, carried, grosses, payout, isLate])
    },
    keyIn,
    decode: (texts) => {
      const records: ReadonlyArray<EntryCells> = parseRows(texts)
      return records.map(
        ([
          key,
          amount,
          code,
          settlement,
          status,
          place,
          reference,
          date,
          rows,
          at,
          carried,
          gross,
          payout,
          isLate,
        ]) => ({
          place,
          isWithin: settlement !== classes.entryOutside,
          row: {
            reference,
            key,
            amount: moneyOf(amount, code),
            ...(status === "" ? {} : { status: status.slice(1) }),
            ...(isAbsent(date) ? {} : { date }),
            ...(isAbsent(rows) ? {} : { rows }),
            ...(isAbsent(at) ? {} : { at: Timestamp.parseUnsafe(at) }),
            ...(isAbsent(carried) ? {} : { carried }),
            ...(isAbsent(payout) ? {} : { payout }),
            ...(isAbsent(isLate) ? {} : { isLate }),
            ...(isAbsent(gross) ? {} : { gross: { in: moneyOf(gross[0], code), out: moneyOf(gross[1], code) } }),
          },
        }),
      )
    },
  }
}

/** JSON has null for what is absent before a cell. */
const isAbsent = (cell: unknown): cell is null | undefined => cell === null || cell === undefined

/** What to compare, and whether records keep what it is worth in US dollars. */
export interface RecordOptions extends Reconciliation.ReconciliationOptions {
  readonly inDollars?: boolean | undefined
}

const idOf = Brand.nominal<Transfer["id"]>()

/**
 * Only the fields that the rules and reports look at: whole transfers would take ten times the room. What is compared is in
 * one field.
 */
export const slim = (
  whole: Transfer,
  { key = "external_id", amount = "source_total", inDollars = false }: RecordOptions,
): Transfer => {
  const { id, kind, status, created_at, [key]: value } = whole
  const money = ComparedAmount.of(whole, amount)
  const usd = inDollars ? ComparedAmount.inDollars(whole, amount) : undefined
  return {
    id,
    kind,
    status,
    created_at,
    ...(key === "id" || value === undefined ? {} : { [key]: value }),
    ...(money === undefined ? {} : { [ComparedAmount.fieldOf(amount)]: money }),
    ...(usd === undefined || usd === money ? {} : { [ComparedAmount.valuationField(amount)]: usd }),
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
  isFree?: number,
  usd?: string,
]

export const transferFormat = (options: RecordOptions): RowFormat<PlacedTransfer> => {
  const { key = "external_id", amount: compared = "source_total", inDollars = false } = options
  const amount = ComparedAmount.fieldOf(compared)
  const valuation = ComparedAmount.valuationField(compared)
  const isSettled = settledIn(options)
  return {
    keyOf: ({ row }) => row[key] ?? "",
    lengthOf: ({ row }) => 110 + row.id.length + (row[key]?.length ?? 0) + (row[amount]?.text.length ?? 0),
    encode: ({ place, row, isWithin, isRequired }) => {
      const { id, kind, status, created_at } = row
      const inside = isSettled(status) ? classes.settled : classes.unsettled
      const settlement = isWithin ? inside : classes.transferOutside
      const { text = "", currency_code = "" } = row[amount] ?? {}
      const cells = [
        row[key] ?? "",
        text,
        currency_code,
        settlement,
        statusCell(status),
        place,
        id,
        kind,
        created_at.text,
      ]
      const usd = inDollars && valuation !== amount ? row[valuation] : undefined
      if (usd !== undefined) return JSON.stringify([...cells, isRequired ? 0 : 1, usd.text])
      return JSON.stringify(isRequired ? cells : [...cells, 1])
    },
    keyIn,
    decode: (texts) => {
      const records: ReadonlyArray<TransferCells> = parseRows(texts)
      return records.map(([value, text, code, settlement, status, place, id, kind, at, isFree, usd]) => ({
        place,
        isWithin: settlement !== classes.transferOutside,
        isRequired: isFree !== 1,
        row: {
          id: idOf(id),
          kind,
          status: status.slice(1),
          created_at: Timestamp.parseUnsafe(at),
          ...(key === "id" ? {} : { [key]: value }),
          ...(text === "" ? {} : { [amount]: moneyOf(text, code) }),
          ...(usd === undefined ? {} : { [valuation]: moneyOf(usd, "fiat/USD") }),
        },
      }))
    },
  }
}
