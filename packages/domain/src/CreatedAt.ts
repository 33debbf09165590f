/**
 * Filters on the creation time of a transfer: sets of instants with a full Boolean algebra, and their translation to
 * and from the `created_at` parameter (partner-api.md, 4.2).
 */
import { dual } from "effect/Function"
import { all as everyInstant, Filter, isFilter, type Range, setOf } from "./internal/created-at/Filter.ts"
import * as InstantSet from "./internal/time/InstantSet.ts"
import type * as Timestamp from "./Timestamp.ts"

export { day, InvalidDate, last, month, year } from "./internal/created-at/Dates.ts"
export { type Bound, type Interval, intervals, printRange, type Range, ranges } from "./internal/created-at/Filter.ts"
export { fromParams, InvalidCreatedAt, type Params, toParams } from "./internal/created-at/Parameter.ts"
export { explain, type Plan, plan, type PlannedRequest } from "./internal/created-at/Plan.ts"

/** A set of instants. Two filters with the same instants are `Equal`, however they were built. */
export interface CreatedAt extends Filter {}

// ---------------------------------------------------------------------------------------------------- making

/**
 * After an instant.
 *
 * @example
 * CreatedAt.matches(CreatedAt.gt(Timestamp.parseUnsafe("2024-09-01T00:00:00Z")), Timestamp.parseUnsafe("2024-09-01T00:00:00Z")) // => false
 */
export const gt = (at: Timestamp.Timestamp): CreatedAt => new Filter(InstantSet.from(after(at)))

/**
 * At an instant or after it.
 *
 * @example
 * CreatedAt.matches(CreatedAt.gte(Timestamp.parseUnsafe("2024-09-01T00:00:00Z")), Timestamp.parseUnsafe("2024-09-01T02:00:00+02:00")) // => true
 */
export const gte = (at: Timestamp.Timestamp): CreatedAt => new Filter(InstantSet.from(at.epochNanoseconds))

/**
 * Before an instant.
 *
 * @example
 * CreatedAt.matches(CreatedAt.lt(Timestamp.parseUnsafe("2024-09-01T00:00:00Z")), Timestamp.parseUnsafe("2024-08-31T23:59:59.999999999Z")) // => true
 */
export const lt = (at: Timestamp.Timestamp): CreatedAt => new Filter(InstantSet.before(at.epochNanoseconds))

/**
 * At an instant or before it.
 *
 * @example
 * CreatedAt.matches(CreatedAt.lte(Timestamp.parseUnsafe("2024-09-01T00:00:00Z")), Timestamp.parseUnsafe("2024-09-01T00:00:00Z")) // => true
 */
export const lte = (at: Timestamp.Timestamp): CreatedAt => new Filter(InstantSet.before(after(at)))

/** The first instant after another: instants are whole nanoseconds. */
const after = (at: Timestamp.Timestamp): bigint => at.epochNanoseconds + 1n

/** Every instant. */
export const all: CreatedAt = everyInstant

/** No instant. */
export const none: CreatedAt = new Filter(InstantSet.empty)

/**
 * From an instant up to, not including, another: `[from, to)`. Empty unless `to` is after `from`. A missing bound means
 * unbounded.
 *
 * @example
 * CreatedAt.between(undefined, undefined) === CreatedAt.all // => true
 * CreatedAt.explain(CreatedAt.plan(CreatedAt.between(Timestamp.parseUnsafe("2024-09-01T00:00:00Z"), Timestamp.parseUnsafe("2024-10-01T00:00:00Z")))) // => "1 request\n  1. created_at=gte:2024-09-01T00:00:00Z created_at=lt:2024-10-01T00:00:00Z"
 */
export const between = (from: Timestamp.Timestamp | undefined, to: Timestamp.Timestamp | undefined): CreatedAt =>
  and(from === undefined ? all : gte(from), to === undefined ? all : lt(to))

/**
 * The filter of one range.
 *
 * @example
 * Equal.equals(CreatedAt.fromRange({}), CreatedAt.all) // => true
 */
export const fromRange = (range: Range): CreatedAt =>
  and(
    range.lower === undefined ? all : range.lower.inclusive ? gte(range.lower.at) : gt(range.lower.at),
    range.upper === undefined ? all : range.upper.inclusive ? lte(range.upper.at) : lt(range.upper.at),
  )

// ---------------------------------------------------------------------------------------------------- algebra

/** Combines two filters, data first or data last. */
export interface Combine {
  (that: CreatedAt): (self: CreatedAt) => CreatedAt
  (self: CreatedAt, that: CreatedAt): CreatedAt
}

/** Compares two filters, data first or data last. */
export interface Compare {
  (that: CreatedAt): (self: CreatedAt) => boolean
  (self: CreatedAt, that: CreatedAt): boolean
}

/**
 * The instants that are in both filters.
 *
 * @example
 * CreatedAt.isEmpty(CreatedAt.and(CreatedAt.lt(Timestamp.earliest), CreatedAt.gt(Timestamp.latest))) // => true
 */
export const and: Combine = dual(2, (self: CreatedAt, that: CreatedAt): CreatedAt => {
  // The same object, not only an equal one.
  if (self === all || that === all) return self === all ? that : self
  return new Filter(InstantSet.intersection(setOf(self), setOf(that)))
})

/**
 * The instants that are in at least one of two filters.
 *
 * @example
 * Equal.equals(CreatedAt.or(CreatedAt.lt(Timestamp.earliest), CreatedAt.gte(Timestamp.earliest)), CreatedAt.all) // => true
 */
export const or: Combine = dual(
  2,
  (self: CreatedAt, that: CreatedAt): CreatedAt => new Filter(InstantSet.union(setOf(self), setOf(that))),
)

/**
 * The instants that are not in the filter.
 *
 * @example
 * Equal.equals(CreatedAt.not(CreatedAt.all), CreatedAt.none) // => true
 */
export const not = (self: CreatedAt): CreatedAt => new Filter(InstantSet.complement(setOf(self)))

/**
 * The instants that are in the first filter but not in the second.
 *
 * @example
 * Equal.equals(CreatedAt.difference(CreatedAt.all, CreatedAt.gt(Timestamp.earliest)), CreatedAt.lte(Timestamp.earliest)) // => true
 */
export const difference: Combine = dual(2, (self: CreatedAt, that: CreatedAt): CreatedAt => and(self, not(that)))

/**
 * Splits a filter at an instant: the part before it, and the part from it on.
 *
 * @example
 * CreatedAt.split(CreatedAt.all, Timestamp.earliest).map(String) // => ["CreatedAt(lt:0000-01-01T00:00:00+23:59)", "CreatedAt(gte:0000-01-01T00:00:00+23:59)"]
 */
export const split: {
  (at: Timestamp.Timestamp): (self: CreatedAt) => readonly [before: CreatedAt, after: CreatedAt]
  (self: CreatedAt, at: Timestamp.Timestamp): readonly [before: CreatedAt, after: CreatedAt]
} = dual(2, (self: CreatedAt, at: Timestamp.Timestamp) => [and(self, lt(at)), and(self, gte(at))] as const)

// ---------------------------------------------------------------------------------------------------- asking

/**
 * Whether a value is a filter, of this copy of the package or of another.
 *
 * @example
 * CreatedAt.isCreatedAt({ gte: "2024-09-01T00:00:00Z" }) // => false
 */
export const isCreatedAt = (value: unknown): value is CreatedAt => isFilter(value)

/**
 * Whether an instant is in the filter.
 *
 * @example
 * CreatedAt.matches(CreatedAt.none, Timestamp.earliest) // => false
 */
export const matches: {
  (timestamp: Timestamp.Timestamp): (self: CreatedAt) => boolean
  (self: CreatedAt, timestamp: Timestamp.Timestamp): boolean
} = dual(2, (self: CreatedAt, timestamp: Timestamp.Timestamp) =>
  InstantSet.has(setOf(self), timestamp.epochNanoseconds),
)

/**
 * Whether the filter contains no instant.
 *
 * @example
 * CreatedAt.isEmpty(CreatedAt.between(Timestamp.latest, Timestamp.earliest)) // => true
 */
export const isEmpty = (self: CreatedAt): boolean => InstantSet.equals(setOf(self), InstantSet.empty)

/**
 * Whether two filters contain the same instants.
 *
 * @example
 * CreatedAt.equals(CreatedAt.not(CreatedAt.lt(Timestamp.earliest)), CreatedAt.gte(Timestamp.earliest)) // => true
 */
export const equals: Compare = dual(2, (self: CreatedAt, that: CreatedAt) =>
  InstantSet.equals(setOf(self), setOf(that)),
)

/**
 * Whether every instant of the first filter is in the second.
 *
 * @example
 * CreatedAt.implies(CreatedAt.gt(Timestamp.earliest), CreatedAt.gte(Timestamp.earliest)) // => true
 */
export const implies: Compare = dual(2, (self: CreatedAt, that: CreatedAt) => isEmpty(difference(self, that)))
