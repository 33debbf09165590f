/**
 * A filter of creation time as people say it: `2024-09 but not 2024-09-10`, `since 2024-09-20 or before 2024-02`. A span
 * is a day, a month, a year, an instant or a bound such as `gte:2024-09-01T00:00:00Z`.
 */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as TimeSpan from "@transferkit/domain/TimeSpan"
import type * as Timestamp from "@transferkit/domain/Timestamp"
import * as Result from "effect/Result"

/** Expressions to start from. */
export const samples: ReadonlyArray<string> = [
  "2024-09 but not 2024-09-10",
  "since 2024-09-20 and until 2024-10-03T12:00:00.5Z",
  "2024-03 or 2024-06 or 2024-09",
  "not (2024-02 or 2024-03)",
  "after 2024-09-01T08:00:00Z and before 2024-09-01T08:00:00.25Z",
]

/** A link may have any number of them, and each bracket is a call. */
const mostWords = 500

type Parsed = Result.Result<CreatedAt.CreatedAt, string>

/** Reads an expression; or says what stands where something else was expected. */
export const parse = (text: string, now: Timestamp.Timestamp): Parsed => {
  const words = text.match(/[()]|[^\s()]+/g) ?? []
  if (words.length > mostWords) return Result.fail(`Expected at most ${mostWords} words and brackets.`)
  let at = 0
  const take = (...accepted: ReadonlyArray<string>): boolean => {
    const isNext = accepted.every((word, index) => words[at + index]?.toLowerCase() === word)
    if (isNext) at += accepted.length
    return isNext
  }
  const either = (): Parsed => {
    let left = both()
    while (Result.isSuccess(left) && take("or")) left = combine(left.success, both(), CreatedAt.or)
    return left
  }
  const both = (): Parsed => {
    let left = one()
    for (;;) {
      if (Result.isFailure(left)) return left
      if (take("but", "not")) left = combine(left.success, one(), CreatedAt.difference)
      else if (take("and")) left = combine(left.success, one(), CreatedAt.and)
      else return left
    }
  }
  const one = (): Parsed => {
    if (take("not")) return Result.map(one(), CreatedAt.not)
    if (!take("(")) return term()
    const inner = either()
    return Result.isFailure(inner) || take(")") ? inner : Result.fail(`Expected ")" ${placeOf(words, at)}.`)
  }
  const term = (): Parsed => {
    for (const [word, filterOf] of sides) {
      if (take(word)) return Result.map(span(), filterOf)
    }
    const word = words[at] ?? ""
    if (!/^(?:gt|gte|lt|lte):/.test(word)) return Result.map(span(), within)
    at++
    return Result.mapError(CreatedAt.fromParams([word]), (error) => error.message)
  }
  const span = (): Result.Result<TimeSpan.TimeSpan, string> => {
    const word = words[at]
    if (word === undefined || word === "(" || word === ")") {
      return Result.fail(`Expected a day, a month, a year or an instant ${placeOf(words, at)}.`)
    }
    at++
    return Result.mapError(TimeSpan.parse(word, { now, name: word }), (error) => error.message)
  }
  const parsed = either()
  return Result.isFailure(parsed) || at === words.length
    ? parsed
    : Result.fail(`Expected "and", "or" or "but not" ${placeOf(words, at)}.`)
}

const combine = (left: CreatedAt.CreatedAt, right: Parsed, how: CreatedAt.Combine): Parsed =>
  Result.map(right, (filter) => how(left, filter))

const placeOf = (words: ReadonlyArray<string>, at: number): string =>
  words[at] === undefined ? "at the end" : `instead of ${JSON.stringify(words[at])}`

const isInstant = ({ from, to }: TimeSpan.TimeSpan): boolean => from.text === to.text

const within = (span: TimeSpan.TimeSpan): CreatedAt.CreatedAt =>
  isInstant(span)
    ? CreatedAt.and(CreatedAt.gte(span.from), CreatedAt.lte(span.from))
    : CreatedAt.between(span.from, span.to)

type Side = readonly [word: string, filterOf: (span: TimeSpan.TimeSpan) => CreatedAt.CreatedAt]

const sides: ReadonlyArray<Side> = [
  ["since", ({ from }) => CreatedAt.gte(from)],
  ["until", (span) => (isInstant(span) ? CreatedAt.lte(span.to) : CreatedAt.lt(span.to))],
  ["before", ({ from }) => CreatedAt.lt(from)],
  ["after", (span) => (isInstant(span) ? CreatedAt.gt(span.to) : CreatedAt.gte(span.to))],
]
