/**
 * Filters on the creation time of a transfer: sets of instants with a full Boolean algebra, and their translation to
 * and from the `created_at` parameter (partner-api.md, 4.2).
 */
import * as Data from "effect/Data"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Equal from "effect/Equal"
import { dual } from "effect/Function"
import * as Hash from "effect/Hash"
import * as Result from "effect/Result"
import * as Dialect from "./Dialect.ts"
import * as Calendar from "./internal/time/Calendar.ts"
import * as InstantSet from "./internal/time/InstantSet.ts"
import * as Intervals from "./internal/time/Interval.ts"
import * as RequestBounds from "./internal/time/RequestBounds.ts"
import { nanosPerSecond } from "./internal/time/WholeSecond.ts"
import * as Timestamp from "./Timestamp.ts"

// ---------------------------------------------------------------------------------------------------- types

/** A set of instants. Two filters with the same instants are `Equal`, however they were built. */
export interface CreatedAt extends Filter {}

class Filter {
  readonly #set: InstantSet.InstantSet

  constructor(set: InstantSet.InstantSet) {
    this.#set = set
  }

  /** Private, so that the internal type of the set stays out of the public type. */
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

/** Consecutive instants. A missing bound means unbounded. */
export interface Range {
  readonly lower?: Bound
  readonly upper?: Bound
}

/** From `first` up to, not including, `end`, in nanoseconds since 1970. `undefined` means unbounded. */
export interface Interval extends Intervals.Interval {}

/** The values of `created_at` for one request. If not `exact`, they admit up to a second more than the range. */
export interface Params {
  readonly values: ReadonlyArray<string>
  readonly exact: boolean
}

/**
 * One request of a {@link Plan}: the values to send, the instants they request, and the filter still to apply, if any.
 */
export interface PlannedRequest {
  readonly created_at: ReadonlyArray<string>
  readonly window: CreatedAt
  readonly residual?: CreatedAt
}

/** Requests whose filtered results together are the transfers of a filter, each exactly once. */
export interface Plan {
  readonly filter: CreatedAt
  readonly requests: ReadonlyArray<PlannedRequest>
}

/** A value of `created_at` is invalid. `reason` says why. */
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
 * From an instant up to, not including, another: `[from, to)`. Empty unless `to` is after `from`.
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

/** A text is not a date of the calendar. `accepted` is the notation. */
export class InvalidDate extends Data.TaggedError("InvalidDate")<{
  readonly input: string
  readonly accepted: string
}> {
  override get message(): string {
    return `Not a date: ${JSON.stringify(this.input)}. Write one that exists as ${this.accepted}.`
  }
}

/**
 * A day, `YYYY-MM-DD`, by the clocks of a time zone: 23 to 25 hours when they change, and nothing if they skip the day.
 *
 * @example
 * Result.map(CreatedAt.day("2024-03-31", DateTime.zoneMakeNamedUnsafe("Europe/Berlin")), String) // => Result.succeed("CreatedAt(gte:2024-03-30T23:00:00Z lt:2024-03-31T22:00:00Z)")
 */
export const day = (date: string, zone: DateTime.TimeZone): Result.Result<CreatedAt, InvalidDate> =>
  calendarInterval(date, "YYYY-MM-DD", zone)

/**
 * A month, `YYYY-MM`, by the clocks of a time zone.
 *
 * @example
 * Result.map(CreatedAt.month("2024-03", DateTime.zoneMakeNamedUnsafe("Europe/Berlin")), String) // => Result.succeed("CreatedAt(gte:2024-02-29T23:00:00Z lt:2024-03-31T22:00:00Z)")
 */
export const month = (date: string, zone: DateTime.TimeZone): Result.Result<CreatedAt, InvalidDate> =>
  calendarInterval(date, "YYYY-MM", zone)

/**
 * A year, `YYYY`, by the clocks of a time zone.
 *
 * @example
 * Result.map(CreatedAt.year("2024", DateTime.zoneMakeNamedUnsafe("America/New_York")), String) // => Result.succeed("CreatedAt(gte:2024-01-01T05:00:00Z lt:2025-01-01T05:00:00Z)")
 */
export const year = (date: string, zone: DateTime.TimeZone): Result.Result<CreatedAt, InvalidDate> =>
  calendarInterval(date, "YYYY", zone)

const calendarInterval = (
  input: string,
  accepted: "YYYY" | "YYYY-MM" | "YYYY-MM-DD",
  zone: DateTime.TimeZone,
): Result.Result<CreatedAt, InvalidDate> => {
  // A text as long as its notation, and a day that exists: RFC 3339 knows how long each month is.
  const first = `${input}${"-01-01".slice(accepted.length - 4)}`
  if (input.length !== accepted.length || !Timestamp.isText(`${first}T00:00:00Z`)) {
    return Result.fail(new InvalidDate({ input: input.slice(0, 64), accepted }))
  }
  const [years = 0, months = 0, days = 0] = first.split("-").map(Number)
  const start = Calendar.startOfDate(years, months - 1, days, zone)
  const end =
    accepted === "YYYY"
      ? Calendar.startOfDate(years + 1, 0, 1, zone)
      : accepted === "YYYY-MM"
        ? Calendar.startOfDate(years, months, 1, zone)
        : Calendar.startOfDate(years, months - 1, days + 1, zone)
  return Result.succeed(new Filter(InstantSet.intersection(InstantSet.from(start), InstantSet.before(end))))
}

/**
 * The time up to, not including, an instant. Throws a `RangeError` for an infinite duration, and beyond the years 0 to
 * 9999.
 *
 * @example
 * String(CreatedAt.last("7 days", Timestamp.parseUnsafe("2024-09-08T12:00:00Z"))) // => "CreatedAt(gte:2024-09-01T12:00:00Z lt:2024-09-08T12:00:00Z)"
 */
export const last = (duration: Duration.Input, now: Timestamp.Timestamp): CreatedAt =>
  between(Timestamp.plus(now, Duration.negate(Duration.fromInputUnsafe(duration))), now)

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
export const and: Combine = dual(
  2,
  (self: CreatedAt, that: CreatedAt): CreatedAt => new Filter(InstantSet.intersection(setOf(self), setOf(that))),
)

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

/**
 * The normal form: sorted ranges that neither overlap nor touch. Equal filters have the same ranges, with bounds in
 * UTC, each in the shorter of its two notations.
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

// ---------------------------------------------------------------------------------------------------- the parameter

/**
 * The values of `created_at` that request a range: at most one lower and one upper bound.
 *
 * A bound within a second is widened to the whole second, and `lte` becomes `lt` of the next second unless the dialect
 * has a token for it. The service then returns the whole range whatever its precision, and `exact` is false.
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
 * The filter of some values of `created_at`, all of which must hold. The inverse of {@link toParams}. `lteToken` is the
 * operator for "less than or equal", by default `lte`, or `undefined` if there is none.
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
      ? `${timestamp.failure.reason}. A + in a URL means a space: write it as %2B`
      : `${timestamp.failure.reason}. Write an RFC 3339 timestamp, such as 2024-09-01T00:00:00Z`,
  )
}

const operatorOf = (
  token: string,
  lteToken: string | undefined,
): ((at: Timestamp.Timestamp) => CreatedAt) | undefined =>
  token === lteToken ? lte : token === "gte" ? gte : token === "lt" ? lt : token === "gt" ? gt : undefined

/**
 * The requests that cover a filter. Their windows do not overlap, so no transfer is in two of them. If a window is
 * wider than the filter, its `residual` is the filter to apply to the results. An empty filter needs no request.
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
 * The exact bounds of a range as text. {@link toParams} has the bounds that a request can express.
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
 * A plan as readable text: a line per request, with the filter still to be applied.
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
