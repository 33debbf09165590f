/** An exact sum of decimals of any size and scale, in units of its smallest digit; `decimal_sum` in SQLite. */
import type { AggregateOptions, DatabaseSync } from "node:sqlite"

export interface DecimalSum {
  readonly scale: number
  readonly units: bigint
  readonly isEmpty: boolean
  /** The first text that is no decimal: Node loses what an aggregate throws before its result. */
  readonly rejected?: string
}

export const empty = (): DecimalSum => ({ scale: 0, units: 0n, isEmpty: true })

const decimal = /^-?\d+(?:\.\d+)?$/

/** Adds a decimal, or remembers that the text is none. */
export const add = (sum: DecimalSum, text: string): DecimalSum => {
  if (sum.rejected !== undefined) return sum
  if (!decimal.test(text)) return { ...sum, isEmpty: false, rejected: text }
  const point = text.indexOf(".")
  const scale = point < 0 ? 0 : text.length - point - 1
  const units = BigInt(point < 0 ? text : text.slice(0, point) + text.slice(point + 1))
  const common = Math.max(scale, sum.scale)
  return { scale: common, units: widen(sum.units, common - sum.scale) + widen(units, common - scale), isEmpty: false }
}

const widen = (units: bigint, digits: number): bigint => (digits === 0 ? units : units * 10n ** BigInt(digits))

/** Without zeros at the end of the fraction, as the views have it. Throws if a text was no decimal. */
export const print = ({ scale, units, rejected }: DecimalSum): string => {
  if (rejected !== undefined) {
    throw new Error(`decimal_sum adds decimals such as 12.50, not ${JSON.stringify(rejected.slice(0, 64))}`)
  }
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0")
  const [whole, fraction] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale)]
  let end = fraction.length
  while (fraction[end - 1] === "0") end--
  return `${units < 0n ? "-" : ""}${whole}${end === 0 ? "" : `.${fraction.slice(0, end)}`}`
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
