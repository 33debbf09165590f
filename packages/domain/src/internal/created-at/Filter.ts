/** The class behind {@link file://../../CreatedAt.ts}: a set of instants that is written as the ranges it consists of. */
import * as Equal from "effect/Equal"
import * as Hash from "effect/Hash"
import * as Predicate from "effect/Predicate"
import * as Timestamp from "../../Timestamp.ts"
import * as InstantSet from "../time/InstantSet.ts"
import type * as Intervals from "../time/Interval.ts"
import { nanosPerSecond } from "../time/WholeSecond.ts"

/** Shared by all copies of this package, and a symbol, so that no JSON object can claim it. */
const TypeId: unique symbol = Symbol.for("@transferkit/domain/CreatedAt")

export class Filter {
  readonly #set: InstantSet.InstantSet

  constructor(set: InstantSet.InstantSet) {
    this.#set = set
  }

  get [TypeId](): InstantSet.InstantSet {
    return this.#set
  }

  toString(): string {
    return `CreatedAt(${print(this)})`
  }

  toJSON(): ReadonlyArray<Range> {
    return ranges(this)
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString()
  }

  [Equal.symbol](that: unknown): boolean {
    return isFilter(that) && InstantSet.equals(this.#set, setOf(that))
  }

  [Hash.symbol](): number {
    return Hash.string(`${this.#set.startsInside} ${this.#set.boundaries.join(" ")}`)
  }
}

/** One object for every instant, by which a reader of many transfers can tell that there is nothing to compare. */
export const all = new Filter(InstantSet.everything)

export const isFilter = (value: unknown): value is Filter => Predicate.hasProperty(value, TypeId)

/** Throws a `TypeError` for what is no filter of any copy. */
export const setOf = (self: Filter): InstantSet.InstantSet => {
  if (isFilter(self)) return self[TypeId]
  throw new TypeError(
    "This is not a CreatedAt filter. Make one with CreatedAt.gte, CreatedAt.between or their siblings. If another version of @transferkit/domain made it, install only one.",
  )
}

/** One end of a range. */
export interface Bound {
  readonly at: Timestamp.Timestamp
  readonly inclusive: boolean
}

/** Consecutive instants. A missing bound means unbounded. */
export interface Range {
  readonly lower?: Bound
  readonly upper?: Bound
}

/** From `first` up to, not including, `end`, in nanoseconds since 1970. `undefined` means unbounded. */
export interface Interval extends Intervals.Interval {}

/**
 * The normal form: sorted ranges that neither overlap nor touch. Equal filters have the same ranges, with bounds in
 * UTC, each in the shorter of its two notations.
 *
 * @example
 * JSON.stringify(CreatedAt.ranges(CreatedAt.gt(Timestamp.parseUnsafe("2024-09-01T02:00:00+02:00")))) // => '[{"lower":{"at":"2024-09-01T00:00:00Z","inclusive":false}}]'
 */
export const ranges = (self: Filter): ReadonlyArray<Range> =>
  intervals(self).map(({ first, end }) => ({
    ...(first === undefined ? {} : { lower: bound(first, true) }),
    ...(end === undefined ? {} : { upper: bound(end, false) }),
  }))

/**
 * The same ranges as half-open intervals of nanoseconds since 1970.
 *
 * @example
 * CreatedAt.intervals(CreatedAt.gt(Timestamp.fromEpochNanoseconds(0n))) // => [{ first: 1n, end: undefined }]
 */
export const intervals = (self: Filter): ReadonlyArray<Interval> => InstantSet.intervals(setOf(self))

/** A bound can be written at its instant, or with the opposite operator at the nanosecond before it. */
const bound = (instant: bigint, inclusive: boolean): Bound =>
  fractionDigits(instant) <= fractionDigits(instant - 1n)
    ? { at: Timestamp.fromEpochNanoseconds(instant), inclusive }
    : { at: Timestamp.fromEpochNanoseconds(instant - 1n), inclusive: !inclusive }

const fractionDigits = (instant: bigint): number => {
  if (instant < Timestamp.earliest.epochNanoseconds || instant > Timestamp.latest.epochNanoseconds) return Infinity
  let fraction = instant % nanosPerSecond
  if (fraction === 0n) return 0
  let digits = 9
  for (; fraction % 10n === 0n; fraction /= 10n) digits--
  return digits
}

/**
 * The exact bounds of a range as text. {@link toParams} has the bounds that a request can express.
 *
 * @example
 * CreatedAt.ranges(CreatedAt.gte(Timestamp.parseUnsafe("2024-09-01T00:00:00.5Z"))).flatMap(CreatedAt.printRange) // => ["gte:2024-09-01T00:00:00.5Z"]
 */
export const printRange = ({ lower, upper }: Range): ReadonlyArray<string> => [
  ...(lower ? [`${lower.inclusive ? "gte" : "gt"}:${lower.at.text}`] : []),
  ...(upper ? [`${upper.inclusive ? "lte" : "lt"}:${upper.at.text}`] : []),
]

/** All of a filter as text. */
export const print = (self: Filter): string => {
  if (InstantSet.equals(setOf(self), InstantSet.empty)) return "nothing"
  return ranges(self)
    .map(printRange)
    .map((bounds) => (bounds.length === 0 ? "everything" : bounds.join(" ")))
    .join(" or ")
}
