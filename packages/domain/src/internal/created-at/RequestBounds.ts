/**
 * The bounds that one request can express: at most one lower and one upper, at whole seconds. An interval is widened
 * to such bounds, so that the response covers it whatever precision the service keeps. A lower bound is always `gte:`:
 * a service that keeps fractions and compares whole seconds takes `gt:T` to leave out all of the second from T.
 */
import type { Dialect } from "../../Dialect.ts"
import * as Timestamp from "../../Timestamp.ts"
import type { Interval } from "../time/Interval.ts"
import * as WholeSecond from "../time/WholeSecond.ts"

const latest = Timestamp.latest.epochNanoseconds

/** Whether a request can name this instant. */
const isWritable = (instant: bigint): boolean => instant <= latest && WholeSecond.isWholeSecond(instant)

/** The narrowest interval that contains another and that a request can express. */
export const widen = ({ first, end }: Interval, dialect: Dialect): Interval => ({
  first: first === undefined ? undefined : widenFirst(first),
  end: end === undefined ? undefined : widenEnd(end, dialect),
})

const widenFirst = (first: bigint): bigint => WholeSecond.floor(first > latest ? latest : first)

const widenEnd = (end: bigint, { lteToken }: Dialect): bigint | undefined => {
  if (isWritable(end) || (lteToken !== undefined && isWritable(end - 1n))) return end
  const next = WholeSecond.ceil(end)
  return next > latest ? undefined : next
}

/** The values of `created_at` that ask for exactly an interval that {@link widen} returned. */
export const toValues = ({ first, end }: Interval, { lteToken }: Dialect): ReadonlyArray<string> => {
  const values: Array<string> = []
  if (first !== undefined) values.push(`gte:${text(first)}`)
  if (end !== undefined) values.push(isWritable(end) ? `lt:${text(end)}` : `${lteToken}:${text(end - 1n)}`)
  return values
}

const text = (instant: bigint): string => Timestamp.fromEpochNanoseconds(instant).text
