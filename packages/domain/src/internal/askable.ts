/**
 * What a service can be asked for: at most one lower and one upper bound, at whole seconds, so that the answer holds
 * all that is wanted whatever precision the service keeps. Runs are those of instantSet.ts.
 */
import type { Dialect } from "../Dialect.ts"
import * as Timestamp from "../Timestamp.ts"
import type { Run } from "./instantSet.ts"
import * as WholeSecond from "./wholeSecond.ts"

const latest = Timestamp.latest.epochNanoseconds

/** A bound can be written at this instant. */
const isWritable = (instant: bigint): boolean => instant <= latest && WholeSecond.isWholeSecond(instant)

/** The narrowest run around another that can be asked for. */
export const widened = ({ first, end }: Run, dialect: Dialect): Run => ({
  first: first === undefined ? undefined : widenedFirst(first),
  end: end === undefined ? undefined : widenedEnd(end, dialect),
})

const widenedFirst = (first: bigint): bigint =>
  isWritable(first) || isWritable(first - 1n) ? first : WholeSecond.floorSecond(first > latest ? latest : first)

const widenedEnd = (end: bigint, { lteToken }: Dialect): bigint | undefined => {
  if (isWritable(end) || (lteToken !== undefined && isWritable(end - 1n))) return end
  const next = WholeSecond.ceilSecond(end)
  return next > latest ? undefined : next
}

/** The values of `created_at` that ask for just a {@link widened} run. */
export const valuesOf = ({ first, end }: Run, { lteToken }: Dialect): ReadonlyArray<string> => {
  const values: Array<string> = []
  if (first !== undefined) values.push(isWritable(first) ? `gte:${text(first)}` : `gt:${text(first - 1n)}`)
  if (end !== undefined) values.push(isWritable(end) ? `lt:${text(end)}` : `${lteToken}:${text(end - 1n)}`)
  return values
}

const text = (instant: bigint): string => Timestamp.fromEpochNanoseconds(instant).text
