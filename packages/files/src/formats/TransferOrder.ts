/** Sorts transfers by columns, exactly: amounts by their value, times by their instant, and everything else as text. */
import * as Amount from "@transferkit/domain/Amount"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import type { TransferColumn } from "./TransferColumns.ts"

/** A column to sort by. */
export interface SortKey {
  readonly column: TransferColumn
  readonly isDescending: boolean
}

/**
 * Transfers in the order of the first key, then of the second, and at last of their ids. In either direction, transfers
 * without a value come last. The amounts of a column are compared as numbers, whatever their currencies.
 */
export const sorted = (transfers: ReadonlyArray<Transfer>, keys: ReadonlyArray<SortKey>): ReadonlyArray<Transfer> =>
  transfers
    .map((transfer) => ({ transfer, values: keys.map(({ column }) => valueOf(column, transfer)) }))
    .sort((left, right) => {
      for (const [index, { isDescending, column }] of keys.entries()) {
        const order = compare(column, left.values[index], right.values[index], isDescending)
        if (order !== 0) return order
      }
      return inOrder(left.transfer.id, right.transfer.id)
    })
    .map(({ transfer }) => transfer)

type Value = string | bigint | undefined

/** What is compared, computed once for each transfer. */
const valueOf = ({ kind, read }: TransferColumn, transfer: Transfer): Value => {
  const text = read(transfer)
  return text !== undefined && kind === "timestamp" ? Timestamp.parseUnsafe(text).epochNanoseconds : text
}

const compare = ({ kind }: TransferColumn, left: Value, right: Value, isDescending: boolean): number => {
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined)
  const order = kind === "amount" ? Amount.compare(String(left), String(right)) : inOrder(left, right)
  return isDescending ? -order : order
}

const inOrder = (left: string | bigint, right: string | bigint): number => (left < right ? -1 : Number(left > right))
