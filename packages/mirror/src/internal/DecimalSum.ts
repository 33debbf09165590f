/** The aggregate `decimal_sum` of SQLite: an exact sum of decimals of any size and scale. */
import type { AggregateOptions, DatabaseSync } from "node:sqlite"
import * as Amount from "@transferkit/domain/Amount"

/** In units of the smallest digit so far. */
interface DecimalSum {
  readonly scale: number
  readonly units: bigint
  readonly isEmpty: boolean
  /** The first text that is no decimal: Node loses what an aggregate throws before its result. */
  readonly rejected?: string
}

const empty = (): DecimalSum => ({ scale: 0, units: 0n, isEmpty: true })

const decimal = /^-?\d+(?:\.\d+)?$/

const add = (sum: DecimalSum, text: string): DecimalSum => {
  if (sum.rejected !== undefined) return sum
  if (!decimal.test(text)) return { ...sum, isEmpty: false, rejected: text }
  const scale = Math.max(sum.scale, Amount.scale(text))
  const units = sum.units * 10n ** BigInt(scale - sum.scale) + Amount.toUnits(text, scale)
  return { scale, units, isEmpty: false }
}

/** Without zeros at the end of the fraction, as the views have it. Throws if a text was no decimal. */
const print = ({ scale, units, rejected }: DecimalSum): string => {
  if (rejected !== undefined) {
    throw new Error(`decimal_sum adds decimals such as 12.50, not ${JSON.stringify(rejected.slice(0, 64))}`)
  }
  return Amount.withoutZeros(Amount.fromUnits(units, scale))
}

/** Adds the aggregate to a connection. Without an amount it is NULL, as `SUM` is. */
export const register = (db: DatabaseSync): void => {
  const aggregate = {
    deterministic: true,
    // Node rejects an integer that a number cannot hold, and loses that error, too.
    useBigIntArguments: true,
    start: empty,
    step: (sum: DecimalSum, text: unknown) => (text === null ? sum : add(sum, String(text))),
    result: (sum: DecimalSum) => (sum.isEmpty ? null : print(sum)),
  }
  // Node accepts any value as the state of an aggregate; its types do not.
  db.aggregate("decimal_sum", aggregate as unknown as AggregateOptions)
}
