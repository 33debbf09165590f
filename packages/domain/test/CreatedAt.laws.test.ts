/** `CreatedAt` is a Boolean algebra, agrees with predicates on every instant, and survives the wire. */
import * as Result from "effect/Result"
import { describe, expect } from "vitest"
import * as CreatedAt from "../src/CreatedAt.ts"
import type { Dialect } from "../src/Dialect.ts"
import * as DialectModule from "../src/Dialect.ts"
import * as Timestamp from "../src/Timestamp.ts"
import { filter, oneOf, probes, specified, timestamp } from "./fixtures/arbitraries.ts"
import { law } from "./fixtures/law.ts"

const { all, and, difference, equals, implies, none, not, or } = CreatedAt
const matches = (self: CreatedAt.CreatedAt, instant: bigint) =>
  CreatedAt.matches(self, Timestamp.fromEpochNanoseconds(instant))

describe("is a Boolean algebra", () => {
  law(
    "and, or are associative",
    { a: filter, b: filter, c: filter },
    ({ a, b, c }) => equals(and(and(a, b), c), and(a, and(b, c))) && equals(or(or(a, b), c), or(a, or(b, c))),
  )
  law(
    "and, or are commutative",
    { a: filter, b: filter },
    ({ a, b }) => equals(and(a, b), and(b, a)) && equals(or(a, b), or(b, a)),
  )
  law(
    "and, or absorb each other",
    { a: filter, b: filter },
    ({ a, b }) => equals(and(a, or(a, b)), a) && equals(or(a, and(a, b)), a),
  )
  law(
    "and, or distribute over each other",
    { a: filter, b: filter, c: filter },
    ({ a, b, c }) =>
      equals(and(a, or(b, c)), or(and(a, b), and(a, c))) && equals(or(a, and(b, c)), and(or(a, b), or(a, c))),
  )
  law("and, or are idempotent", { a: filter }, ({ a }) => equals(and(a, a), a) && equals(or(a, a), a))
  law("all is neutral without a copy", { a: filter }, ({ a }) => and(a, all) === a && and(all, a) === a)
  law(
    "all, none are neutral and dominate",
    { a: filter },
    ({ a }) =>
      equals(and(a, all), a) && equals(or(a, none), a) && equals(and(a, none), none) && equals(or(a, all), all),
  )
  law(
    "not is the complement",
    { a: filter },
    ({ a }) => equals(and(a, not(a)), none) && equals(or(a, not(a)), all) && equals(not(not(a)), a),
  )
  law(
    "De Morgan",
    { a: filter, b: filter },
    ({ a, b }) => equals(not(and(a, b)), or(not(a), not(b))) && equals(not(or(a, b)), and(not(a), not(b))),
  )
  law("difference is and not", { a: filter, b: filter }, ({ a, b }) => equals(difference(a, b), and(a, not(b))))
  law(
    "implies is a partial order, with and as the meet",
    { a: filter, b: filter, c: filter },
    ({ a, b, c }) =>
      implies(a, a) &&
      implies(and(a, b), a) &&
      implies(a, or(a, b)) &&
      implies(a, b) === equals(and(a, b), a) &&
      (!(implies(a, b) && implies(b, a)) || equals(a, b)) &&
      (!(implies(a, b) && implies(b, c)) || implies(a, c)),
  )
})

describe("contains the instants that its definition says", () => {
  law("matches agrees with the predicate", { specified }, ({ specified: { filter, holds } }) =>
    probes.every((instant) => matches(filter, instant) === holds(instant)),
  )
  law(
    "is empty only if nothing matches",
    { a: filter },
    ({ a }) => !CreatedAt.isEmpty(a) || probes.every((instant) => !matches(a, instant)),
  )
  law("split neither loses nor duplicates an instant", { a: filter, at: timestamp }, ({ a, at }) => {
    const [before, after] = CreatedAt.split(a, at)
    return (
      equals(or(before, after), a) &&
      CreatedAt.isEmpty(and(before, after)) &&
      implies(before, CreatedAt.lt(at)) &&
      implies(after, CreatedAt.gte(at))
    )
  })
})

describe("ranges is a normal form", () => {
  law("is sorted and disjoint, and its union is the filter", { a: filter }, ({ a }) => {
    const parts = CreatedAt.ranges(a).map(CreatedAt.fromRange)
    parts.forEach((part, index) => {
      const next = parts[index + 1]
      expect(CreatedAt.isEmpty(part)).toBe(false)
      if (next !== undefined) expect(CreatedAt.ranges(or(part, next))).toHaveLength(2)
    })
    return equals(parts.reduce(or, none), a)
  })
  law(
    "is the same for the same set",
    { a: filter, b: filter },
    ({ a, b }) => JSON.stringify(and(a, b)) === JSON.stringify(not(or(not(a), not(b)))),
  )
})

const dialects: ReadonlyArray<Dialect> = [
  DialectModule.standard,
  { ...DialectModule.standard, lteToken: "lte" },
  { ...DialectModule.standard, lteToken: "le" },
]
const dialect = oneOf(dialects)

describe("round-trips through the wire", () => {
  law("exact params are read back as the range", { a: filter, dialect }, ({ a, dialect }) =>
    CreatedAt.ranges(a).every((range) => {
      const { values, exact } = CreatedAt.toParams(range, dialect)
      const back = Result.getOrThrow(CreatedAt.fromParams(values, dialect))
      const sent = CreatedAt.fromRange(range)
      return values.length <= 2 && implies(sent, back) && exact === equals(sent, back)
    }),
  )

  // A service that keeps only milliseconds or seconds cuts both its rows and what it is asked for.
  const precision = oneOf([1n, 1_000_000n, 1_000_000_000n])
  law(
    "plan finds each instant of the filter once, whatever precision the service keeps",
    { specified, dialect, precision },
    ({ specified: { filter, holds }, dialect, precision }) => {
      const plan = CreatedAt.plan(filter, dialect)
      const cut = (instant: bigint) => instant - (((instant % precision) + precision) % precision)
      const serves = (values: ReadonlyArray<string>, row: bigint) =>
        values.every((value) => {
          const [, operator = "", text = ""] = /^(\w+):(.*)$/.exec(value) ?? []
          const limit = cut(Timestamp.parseUnsafe(text).epochNanoseconds)
          if (operator === "gt") return row > limit
          if (operator === "gte") return row >= limit
          return operator === "lt" ? row < limit : operator === dialect.lteToken && row <= limit
        })
      return probes.map(cut).every((row) => {
        const found = plan.requests.filter(
          ({ created_at, residual }) => serves(created_at, row) && (residual === undefined || matches(residual, row)),
        )
        return found.length === (holds(row) ? 1 : 0)
      })
    },
  )
})
