/** The aggregate `decimal_sum` of SQLite: an exact sum of decimals of any size and scale. */
import type { AggregateOptions, DatabaseSync } from "node:sqlite"
import * as Amount from "@transferkit/domain/Amount"
import { AmountSum } from "@transferkit/domain/AmountSum"

/** The state of the aggregate. */
interface DecimalSum {
  /** Absent until there is something to add. */
  readonly sum?: AmountSum
  /** The first text that is not a decimal: Node loses what an aggregate throws before its result. */
  readonly rejected?: string
}

const decimal = /^-?\d+(?:\.\d+)?$/

const add = (state: DecimalSum, text: string): DecimalSum => {
  if (state.rejected !== undefined) return state
  if (!decimal.test(text)) return { rejected: text }
  const { sum = new AmountSum() } = state
  sum.add(text)
  return { sum }
}

/** Without zeros at the end of the fraction, as the views have it. Throws if a text was not a decimal. */
const print = ({ sum, rejected }: DecimalSum): string | null => {
  if (rejected !== undefined) {
    throw new Error(`decimal_sum adds decimals such as 12.50, not ${JSON.stringify(rejected.slice(0, 64))}`)
  }
  return sum === undefined ? null : Amount.withoutZeros(sum.text)
}

/** Adds the aggregate to a connection. Without an amount it is NULL, as `SUM` is. */
export const register = (db: DatabaseSync): void => {
  const aggregate = {
    deterministic: true,
    // Node rejects an integer that a number cannot hold, and loses that error, too.
    useBigIntArguments: true,
    start: (): DecimalSum => ({}),
    step: (state: DecimalSum, text: unknown) => (text === null ? state : add(state, String(text))),
    result: print,
  }
  // Node accepts any value as the state of an aggregate; its types do not.
  db.aggregate("decimal_sum", aggregate as unknown as AggregateOptions)
}
