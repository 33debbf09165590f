/**
 * Filters on the creation time of a transfer: sets of instants with a full Boolean algebra, and their translation to
 * and from the `created_at` parameter (partner-api.md, 4.2).
 */
import * as Data from "effect/Data"
import * as Equal from "effect/Equal"
import { dual } from "effect/Function"
import * as Hash from "effect/Hash"
import * as Result from "effect/Result"
import * as Dialect from "./Dialect.ts"
import * as InstantSet from "./internal/time/InstantSet.ts"
import * as Intervals from "./internal/time/Interval.ts"
import * as RequestBounds from "./internal/time/RequestBounds.ts"
import { nanosPerSecond } from "./internal/time/WholeSecond.ts"
import * as Timestamp from "./Timestamp.ts"

// ---------------------------------------------------------------------------------------------------- types

/** A set of instants. Two filters that hold the same instants are `Equal`, however they were put together. */
export interface CreatedAt extends Filter {}

class Filter {
  readonly #set: InstantSet.InstantSet

  constructor(set: InstantSet.InstantSet) {
    this.#set = set
  }

  /** The set is private, so that its type is no part of the public one. */
  static setOf(self: Filter): InstantSet.InstantSet {
    return self.#set
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
    return that instanceof Filter && InstantSet.equals(this.#set, that.#set)
  }

  [Hash.symbol](): number {
    return Hash.string(`${this.#set.startsInside} ${this.#set.boundaries.join(" ")}`)
  }
}

const setOf = (self: CreatedAt): InstantSet.InstantSet => Filter.setOf(self)

/** One end of a range. */
export interface Bound {
  readonly at: Timestamp.Timestamp
  readonly inclusive: boolean
}

/** Consecutive instants; a side without a bound is unlimited. */
export interface Range {
  readonly lower?: Bound
  readonly upper?: Bound
}

/** From `first` up to, not including, `end`, in nanoseconds since 1970. A side that is `undefined` has no bound. */
export interface Interval extends Intervals.Interval {}

/** The values of `created_at` for one request. Not `exact`: they admit more than the range, within a second of it. */
export interface Params {
  readonly values: ReadonlyArray<string>
  readonly exact: boolean
}

/** One request of a {@link Plan}: the values to send, what they ask for, and what their results must still pass. */
export interface PlannedRequest {
  readonly created_at: ReadonlyArray<string>
  readonly window: CreatedAt
  readonly residual?: CreatedAt
}

/** Requests whose filtered results are, together, the transfers of a filter, each of them once. */
export interface Plan {
  readonly filter: CreatedAt
  readonly requests: ReadonlyArray<PlannedRequest>
}

/** A value of `created_at` cannot be read. `input` is that value, `reason` what is wrong with it. */
export class InvalidCreatedAt extends Data.TaggedError("InvalidCreatedAt")<{
  readonly input: string
  readonly reason: string
}> {
  override get message(): string {
    return `created_at cannot be ${JSON.stringify(this.input)}: ${this.reason}`
  }
}

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
export const all: CreatedAt = new Filter(InstantSet.everything)

/** No instant. */
export const none: CreatedAt = new Filter(InstantSet.empty)

/**
 * From an instant up to, not including, another: `[from, to)`. Nothing where `to` is not after `from`.
 *
 * @example
 * CreatedAt.explain(CreatedAt.plan(CreatedAt.between(Timestamp.parseUnsafe("2024-09-01T00:00:00Z"), Timestamp.parseUnsafe("2024-10-01T00:00:00Z")))) // => "1 request\n  1. created_at=gte:2024-09-01T00:00:00Z created_at=lt:2024-10-01T00:00:00Z"
 */
export const between = (from: Timestamp.Timestamp, to: Timestamp.Timestamp): CreatedAt => and(gte(from), lt(to))

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

/** Asks about two filters, data first or data last. */
export interface Compare {
  (that: CreatedAt): (self: CreatedAt) => boolean
  (self: CreatedAt, that: CreatedAt): boolean
}

/**
 * The instants that are in both.
 *
 * @example
 * CreatedAt.isEmpty(CreatedAt.and(CreatedAt.lt(Timestamp.earliest), CreatedAt.gt(Timestamp.latest))) // => true
 */
export const and: Combine = dual(
  2,
  (self: CreatedAt, that: CreatedAt): CreatedAt => new Filter(InstantSet.intersection(setOf(self), setOf(that))),
)

/**
 * The instants that are in at least one.
 *
 * @example
 * Equal.equals(CreatedAt.or(CreatedAt.lt(Timestamp.earliest), CreatedAt.gte(Timestamp.earliest)), CreatedAt.all) // => true
 */
export const or: Combine = dual(
  2,
  (self: CreatedAt, that: CreatedAt): CreatedAt => new Filter(InstantSet.union(setOf(self), setOf(that))),
)

/**
 * The instants that are not in it.
 *
 * @example
 * Equal.equals(CreatedAt.not(CreatedAt.all), CreatedAt.none) // => true
 */
export const not = (self: CreatedAt): CreatedAt => new Filter(InstantSet.complement(setOf(self)))

/**
 * The instants that are in the first and not in the second.
 *
 * @example
 * Equal.equals(CreatedAt.difference(CreatedAt.all, CreatedAt.gt(Timestamp.earliest)), CreatedAt.lte(Timestamp.earliest)) // => true
 */
export const difference: Combine = dual(2, (self: CreatedAt, that: CreatedAt): CreatedAt => and(self, not(that)))

/**
 * Cuts a filter in two at an instant: what is before it, and what is at it or after it.
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
 * Whether the filter holds no instant.
 *
 * @example
 * CreatedAt.isEmpty(CreatedAt.between(Timestamp.latest, Timestamp.earliest)) // => true
 */
export const isEmpty = (self: CreatedAt): boolean => InstantSet.equals(setOf(self), InstantSet.empty)

/**
 * Whether two filters hold the same instants.
 *
 * @example
 * CreatedAt.equals(CreatedAt.not(CreatedAt.lt(Timestamp.earliest)), CreatedAt.gte(Timestamp.earliest)) // => true
 */
export const equals: Compare = dual(2, (self: CreatedAt, that: CreatedAt) =>
  InstantSet.equals(setOf(self), setOf(that)),
)

/**
 * Whether every instant of the first is in the second.
 *
 * @example
 * CreatedAt.implies(CreatedAt.gt(Timestamp.earliest), CreatedAt.gte(Timestamp.earliest)) // => true
 */
export const implies: Compare = dual(2, (self: CreatedAt, that: CreatedAt) => isEmpty(difference(self, that)))

/**
 * The normal form: ranges in order that neither overlap nor touch. The same set gives the same ranges, their bounds
 * in UTC and, of the two ways to write a bound, the one with fewer digits.
 *
 * @example
 * JSON.stringify(CreatedAt.ranges(CreatedAt.gt(Timestamp.parseUnsafe("2024-09-01T02:00:00+02:00")))) // => '[{"lower":{"at":"2024-09-01T00:00:00Z","inclusive":false}}]'
 */
export const ranges = (self: CreatedAt): ReadonlyArray<Range> =>
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
export const intervals = (self: CreatedAt): ReadonlyArray<Interval> => InstantSet.intervals(setOf(self))

/** The same bound can be written at its instant or, the other way round, at the nanosecond before it. */
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

// ---------------------------------------------------------------------------------------------------- the parameter

/**
 * The values of `created_at` that ask for a range, at most one lower and one upper bound.
 *
 * A bound within a second is widened to the whole second, and `lte` without a token of its own becomes `lt` of the
 * next second: so the service returns all that is wanted whatever precision it keeps, and `exact` is false.
 *
 * @example
 * CreatedAt.toParams({ upper: { at: Timestamp.parseUnsafe("2024-09-01T00:00:00Z"), inclusive: true } }, Dialect.standard) // => { values: ["lt:2024-09-01T00:00:01Z"], exact: false }
 */
export const toParams = (range: Range, dialect: Dialect.Dialect): Params => {
  const interval = {
    first: range.lower && (range.lower.inclusive ? range.lower.at.epochNanoseconds : after(range.lower.at)),
    end: range.upper && (range.upper.inclusive ? after(range.upper.at) : range.upper.at.epochNanoseconds),
  }
  const widened = RequestBounds.widen(interval, dialect)
  return { values: RequestBounds.toValues(widened, dialect), exact: Intervals.equals(widened, interval) }
}

/**
 * The filter that values of `created_at` stand for; all of them must hold. The inverse of {@link toParams}.
 * `lteToken` is the word for "less than or equal", `lte` unless the dialect has another; `undefined` where it has none.
 *
 * @example
 * Result.map(CreatedAt.fromParams(["gte:2024-09-01T00:00:00Z", "lt:2024-10-01T00:00:00Z"]), String) // => Result.succeed("CreatedAt(gte:2024-09-01T00:00:00Z lt:2024-10-01T00:00:00Z)")
 * Result.isFailure(CreatedAt.fromParams(["since yesterday"])) // => true
 */
export const fromParams = (
  values: ReadonlyArray<string>,
  options: { readonly lteToken: string | undefined } = { lteToken: "lte" },
): Result.Result<CreatedAt, InvalidCreatedAt> => {
  let set: InstantSet.InstantSet | undefined
  for (const value of values) {
    const read = fromParam(value, options.lteToken)
    if (Result.isFailure(read)) return Result.fail(read.failure)
    set = set === undefined ? read.success : InstantSet.intersection(set, read.success)
  }
  return Result.succeed(set === undefined ? all : new Filter(set))
}

const fromParam = (
  value: string,
  lteToken: string | undefined,
): Result.Result<InstantSet.InstantSet, InvalidCreatedAt> => {
  const reject = (reason: string) =>
    Result.fail(new InvalidCreatedAt({ input: value.length > 96 ? `${value.slice(0, 96)}…` : value, reason }))
  const colon = value.indexOf(":")
  const operator = operatorOf(value.slice(0, Math.max(colon, 0)), lteToken)
  if (operator === undefined) {
    const known = ["gt", "gte", "lt", ...(lteToken === undefined ? [] : [lteToken])]
    return reject(
      `write <operator>:<timestamp>, the operator one of ${known.join(", ")}, such as gte:2024-09-01T00:00:00Z`,
    )
  }
  const text = value.slice(colon + 1)
  const timestamp = Timestamp.parse(text)
  if (Result.isSuccess(timestamp)) return Result.succeed(setOf(operator(timestamp.success)))
  return reject(
    / \d\d:\d\d$/.test(text)
      ? `${timestamp.failure.reason}. A + in a URL stands for a blank: write it %2B`
      : `${timestamp.failure.reason}. Write an RFC 3339 timestamp, such as 2024-09-01T00:00:00Z`,
  )
}

const operatorOf = (
  token: string,
  lteToken: string | undefined,
): ((at: Timestamp.Timestamp) => CreatedAt) | undefined =>
  token === lteToken ? lte : token === "gte" ? gte : token === "lt" ? lt : token === "gt" ? gt : undefined

/**
 * The requests that cover a filter. Their windows do not overlap, so that no transfer is in two of them, and what a
 * window admits beyond the filter is named by its `residual`. A filter that holds nothing needs no request.
 *
 * @example
 * CreatedAt.plan(CreatedAt.none).requests // => []
 */
export const plan = (filter: CreatedAt, dialect: Dialect.Dialect = Dialect.standard): Plan => {
  const windows: Array<{ window: Interval; readonly wanted: Array<Interval> }> = []
  for (const interval of intervals(filter)) {
    const widened = RequestBounds.widen(interval, dialect)
    const last = windows.at(-1)
    const joined = last && Intervals.join(last.window, widened)
    if (last === undefined || joined === undefined) windows.push({ window: widened, wanted: [interval] })
    else {
      last.window = joined
      last.wanted.push(interval)
    }
  }
  return {
    filter,
    requests: windows.map(({ window, wanted: [first, ...others] }) => ({
      created_at: RequestBounds.toValues(window, dialect),
      window: fromIntervals([window]),
      ...(first === undefined || (others.length === 0 && Intervals.equals(first, window))
        ? {}
        : { residual: fromIntervals([first, ...others]) }),
    })),
  }
}

const fromIntervals = (intervals: ReadonlyArray<Interval>): CreatedAt => new Filter(InstantSet.fromIntervals(intervals))

// ---------------------------------------------------------------------------------------------------- printing

/**
 * The bounds of a range as texts, exactly; {@link toParams} has those that a service can be asked for.
 *
 * @example
 * CreatedAt.ranges(CreatedAt.gte(Timestamp.parseUnsafe("2024-09-01T00:00:00.5Z"))).flatMap(CreatedAt.printRange) // => ["gte:2024-09-01T00:00:00.5Z"]
 */
export const printRange = ({ lower, upper }: Range): ReadonlyArray<string> => [
  ...(lower ? [`${lower.inclusive ? "gte" : "gt"}:${lower.at.text}`] : []),
  ...(upper ? [`${upper.inclusive ? "lte" : "lt"}:${upper.at.text}`] : []),
]

const print = (self: CreatedAt): string => {
  if (isEmpty(self)) return "nothing"
  return ranges(self)
    .map(printRange)
    .map((bounds) => (bounds.length === 0 ? "everything" : bounds.join(" ")))
    .join(" or ")
}

/**
 * A plan for people: a line for each request, with what is still filtered here.
 *
 * @example
 * CreatedAt.explain(CreatedAt.plan(CreatedAt.none)) // => "no request: the filter holds nothing"
 */
export const explain = (self: Plan): string => {
  if (self.requests.length === 0) return "no request: the filter holds nothing"
  const lines = self.requests.map(({ created_at, residual }, index) => {
    const asked = created_at.length === 0 ? "no created_at" : created_at.map((value) => `created_at=${value}`).join(" ")
    return `  ${index + 1}. ${asked}${residual === undefined ? "" : `, then keep ${print(residual)}`}`
  })
  return [`${lines.length} ${lines.length === 1 ? "request" : "requests"}`, ...lines].join("\n")
}
