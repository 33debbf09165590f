/** The `created_at` parameter of a search: ranges as its values, and back. */
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import type * as Dialect from "../../Dialect.ts"
import * as Timestamp from "../../Timestamp.ts"
import * as InstantSet from "../time/InstantSet.ts"
import * as Intervals from "../time/Interval.ts"
import { all, Filter, type Range } from "./Filter.ts"
import * as RequestBounds from "./RequestBounds.ts"

/** The values of `created_at` for one request. If not `exact`, they admit up to a second more than the range. */
export interface Params {
  readonly values: ReadonlyArray<string>
  readonly exact: boolean
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

/**
 * The values of `created_at` that request a range: at most one lower and one upper bound.
 *
 * A bound within a second is widened to the whole second, `gt` becomes `gte`, and `lte` becomes `lt` of the next second
 * unless the dialect has a token for it. The service then returns the whole range whatever its precision, and `exact` is false.
 *
 * @example
 * CreatedAt.toParams({ upper: { at: Timestamp.parseUnsafe("2024-09-01T00:00:00Z"), inclusive: true } }, Dialect.standard) // => { values: ["lt:2024-09-01T00:00:01Z"], exact: false }
 */
export const toParams = (range: Range, dialect: Dialect.Dialect): Params => {
  const interval = {
    first:
      range.lower && (range.lower.inclusive ? range.lower.at.epochNanoseconds : range.lower.at.epochNanoseconds + 1n),
    end:
      range.upper && (range.upper.inclusive ? range.upper.at.epochNanoseconds + 1n : range.upper.at.epochNanoseconds),
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
): Result.Result<Filter, InvalidCreatedAt> => {
  if (values.length === 0) return Result.succeed(all)
  let set = InstantSet.everything
  for (const value of values) {
    const read = fromParam(value, options.lteToken)
    if (Result.isFailure(read)) return Result.fail(read.failure)
    set = InstantSet.intersection(set, read.success)
  }
  return Result.succeed(new Filter(set))
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
  if (Result.isSuccess(timestamp)) return Result.succeed(operator(timestamp.success.epochNanoseconds))
  return reject(
    / \d\d:\d\d$/.test(text)
      ? `${timestamp.failure.reason}. A + in a URL means a space: write it as %2B`
      : `${timestamp.failure.reason}. Write an RFC 3339 timestamp, such as 2024-09-01T00:00:00Z`,
  )
}

const operatorOf = (
  token: string,
  lteToken: string | undefined,
): ((instant: bigint) => InstantSet.InstantSet) | undefined => {
  if (token === lteToken) return (instant) => InstantSet.before(instant + 1n)
  if (token === "gt") return (instant) => InstantSet.from(instant + 1n)
  return token === "gte" ? InstantSet.from : token === "lt" ? InstantSet.before : undefined
}
