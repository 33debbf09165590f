/** `CreatedAt` as requests, as parsed from parameters, and as text. */
import { inspect } from "node:util"
import * as Equal from "effect/Equal"
import * as Hash from "effect/Hash"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as CreatedAt from "../src/CreatedAt.ts"
import * as Dialect from "../src/Dialect.ts"
import * as Timestamp from "../src/Timestamp.ts"

const at = Timestamp.parseUnsafe
const native = { ...Dialect.standard, lteToken: "lte" }

describe("the requests of a plan", () => {
  test.each([
    ["everything", CreatedAt.all, Dialect.standard, "1 request\n  1. no created_at"],
    ["nothing", CreatedAt.none, Dialect.standard, "no request: the filter holds nothing"],
    [
      "gte",
      CreatedAt.gte(at("2024-09-01T02:00:00+02:00")),
      Dialect.standard,
      "1 request\n  1. created_at=gte:2024-09-01T00:00:00Z",
    ],
    [
      "gt",
      CreatedAt.gt(at("2024-09-01T00:00:00Z")),
      Dialect.standard,
      "1 request\n  1. created_at=gte:2024-09-01T00:00:00Z, then keep gt:2024-09-01T00:00:00Z",
    ],
    [
      "lt",
      CreatedAt.lt(at("2024-09-01T00:00:00Z")),
      Dialect.standard,
      "1 request\n  1. created_at=lt:2024-09-01T00:00:00Z",
    ],
    [
      "lte without a token",
      CreatedAt.lte(at("2024-09-01T00:00:00Z")),
      Dialect.standard,
      "1 request\n  1. created_at=lt:2024-09-01T00:00:01Z, then keep lte:2024-09-01T00:00:00Z",
    ],
    [
      "lte with one",
      CreatedAt.lte(at("2024-09-01T00:00:00Z")),
      native,
      "1 request\n  1. created_at=lte:2024-09-01T00:00:00Z",
    ],
    [
      "a bound within a second",
      CreatedAt.gt(at("2024-09-01T00:00:00.25Z")),
      native,
      "1 request\n  1. created_at=gte:2024-09-01T00:00:00Z, then keep gt:2024-09-01T00:00:00.25Z",
    ],
    [
      "all but an instant",
      CreatedAt.or(CreatedAt.lt(at("2024-09-01T00:00:00Z")), CreatedAt.gt(at("2024-09-01T00:00:00Z"))),
      native,
      "1 request\n  1. no created_at, then keep lt:2024-09-01T00:00:00Z or gt:2024-09-01T00:00:00Z",
    ],
    [
      "two months apart",
      CreatedAt.or(
        CreatedAt.between(at("2024-01-01T00:00:00Z"), at("2024-02-01T00:00:00Z")),
        CreatedAt.between(at("2024-03-01T00:00:00Z"), at("2024-04-01T00:00:00Z")),
      ),
      native,
      "2 requests\n  1. created_at=gte:2024-01-01T00:00:00Z created_at=lt:2024-02-01T00:00:00Z\n  2. created_at=gte:2024-03-01T00:00:00Z created_at=lt:2024-04-01T00:00:00Z",
    ],
    [
      "two bits of one second",
      CreatedAt.or(
        CreatedAt.between(at("2024-01-01T00:00:00.1Z"), at("2024-01-01T00:00:00.2Z")),
        CreatedAt.between(at("2024-01-01T00:00:00.3Z"), at("2024-01-01T00:00:00.4Z")),
      ),
      native,
      "1 request\n  1. created_at=gte:2024-01-01T00:00:00Z created_at=lt:2024-01-01T00:00:01Z, then keep gte:2024-01-01T00:00:00.1Z lt:2024-01-01T00:00:00.2Z or gte:2024-01-01T00:00:00.3Z lt:2024-01-01T00:00:00.4Z",
    ],
    [
      "up to the end of time",
      CreatedAt.lte(Timestamp.latest),
      Dialect.standard,
      "1 request\n  1. no created_at, then keep lte:9999-12-31T23:59:59.999999999-23:59",
    ],
    [
      "after the end of time",
      CreatedAt.gt(Timestamp.latest),
      Dialect.standard,
      "1 request\n  1. created_at=gte:9999-12-31T23:59:59-23:59, then keep gt:9999-12-31T23:59:59.999999999-23:59",
    ],
    [
      "from the start of time",
      CreatedAt.gt(Timestamp.earliest),
      Dialect.standard,
      "1 request\n  1. created_at=gte:0000-01-01T00:00:00+23:59, then keep gt:0000-01-01T00:00:00+23:59",
    ],
  ])("%s", (_, filter, dialect, explained) => {
    expect(CreatedAt.explain(CreatedAt.plan(filter, dialect))).toBe(explained)
  })
})

describe("fromParams", () => {
  test("combines values of the same operator", () => {
    const filter = Result.getOrThrow(
      CreatedAt.fromParams(["gte:2024-01-01T00:00:00Z", "gte:2024-02-01T00:00:00Z", "lt:2024-03-01T00:00:00Z"]),
    )
    expect(String(filter)).toBe("CreatedAt(gte:2024-02-01T00:00:00Z lt:2024-03-01T00:00:00Z)")
  })

  test("reads no values as every instant", () => {
    expect(Result.map(CreatedAt.fromParams([]), String)).toEqual(Result.succeed("CreatedAt(everything)"))
  })

  test("of no values, or of all with any filter, make no new object, so that readers see that nothing is to be compared", () => {
    const since = CreatedAt.gte(at("2024-09-01T00:00:00Z"))
    expect(Result.getOrThrow(CreatedAt.fromParams([]))).toBe(CreatedAt.all)
    expect(CreatedAt.and(CreatedAt.all, CreatedAt.all)).toBe(CreatedAt.all)
    expect(CreatedAt.and(CreatedAt.all, since)).toBe(since)
    expect(CreatedAt.and(since, CreatedAt.all)).toBe(since)
  })

  test.each([
    ["foo", "write <operator>:<timestamp>, the operator one of gt, gte, lt, lte, such as gte:2024-09-01T00:00:00Z"],
    ["", "write <operator>:<timestamp>"],
    ["eq:2024-09-01T00:00:00Z", "write <operator>:<timestamp>"],
    ["2024-09-01T00:00:00Z", "write <operator>:<timestamp>"],
    ["GTE:2024-09-01T00:00:00Z", "write <operator>:<timestamp>"],
    ["constructor:2024-09-01T00:00:00Z", "write <operator>:<timestamp>"],
    ["gte:yesterday", "it does not start with a date YYYY-MM-DD. Write an RFC 3339 timestamp"],
    ["gte:", "it does not start with a date YYYY-MM-DD. Write an RFC 3339 timestamp"],
    ["gte:2024-09-01T00:00:00 02:00", "A + in a URL means a space: write it as %2B"],
  ])("rejects %j and names the accepted values", (value, reason) => {
    const result = CreatedAt.fromParams([value])
    if (Result.isSuccess(result)) throw new Error("was accepted")
    expect(result.failure.message).toContain(`created_at cannot be ${JSON.stringify(value)}: `)
    expect(result.failure.message).toContain(reason)
  })

  test("rejects an operator that the dialect does not have", () => {
    const result = CreatedAt.fromParams(["lte:2024-09-01T00:00:00Z"], { lteToken: undefined })
    expect(Result.isFailure(result) && result.failure.message).toContain("one of gt, gte, lt, such as")
    expect(Result.isSuccess(CreatedAt.fromParams(["le:2024-09-01T00:00:00Z"], { lteToken: "le" }))).toBe(true)
  })

  test("truncates long input in the error", () => {
    const result = CreatedAt.fromParams(["x".repeat(1_000_000)])
    expect(Result.isFailure(result) && result.failure.message.length).toBeLessThan(400)
  })
})

test("writes a bound in the shorter of its two notations", () => {
  const spelled = (filter: CreatedAt.CreatedAt) => JSON.stringify(CreatedAt.ranges(filter))
  expect(spelled(CreatedAt.gt(at("2024-09-01T00:00:00.123Z")))).toBe(
    '[{"lower":{"at":"2024-09-01T00:00:00.123Z","inclusive":false}}]',
  )
  expect(spelled(CreatedAt.lte(at("2024-09-01T00:00:00.999999999Z")))).toBe(
    '[{"upper":{"at":"2024-09-01T00:00:01Z","inclusive":false}}]',
  )
})

test("between is empty unless the end is after the start", () => {
  const [a, b] = [at("2024-09-01T00:00:00Z"), at("2024-08-01T00:00:00Z")]
  expect(CreatedAt.isEmpty(CreatedAt.between(a, a))).toBe(true)
  expect(CreatedAt.isEmpty(CreatedAt.between(a, b))).toBe(true)
})

test("between has no bound where none is given", () => {
  const a = at("2024-09-01T00:00:00Z")
  expect(CreatedAt.equals(CreatedAt.between(a, undefined), CreatedAt.gte(a))).toBe(true)
  expect(CreatedAt.equals(CreatedAt.between(undefined, a), CreatedAt.lt(a))).toBe(true)
})

test("a bound before 1970 is widened to the whole second that covers it", () => {
  const bounds = (filter: CreatedAt.CreatedAt) => CreatedAt.plan(filter).requests.map((request) => request.created_at)
  expect(bounds(CreatedAt.gte(at("1969-12-31T23:59:58.5Z")))).toEqual([["gte:1969-12-31T23:59:58Z"]])
  expect(bounds(CreatedAt.lt(at("1969-12-31T23:59:58.5Z")))).toEqual([["lt:1969-12-31T23:59:59Z"]])
  expect(bounds(CreatedAt.gt(at("2024-09-01T00:00:00Z")))).toEqual([["gte:2024-09-01T00:00:00Z"]])
  // The first nanosecond after a second, and the last before one.
  expect(bounds(CreatedAt.lt(at("2024-09-01T00:00:00.000000001Z")))).toEqual([["lt:2024-09-01T00:00:01Z"]])
  expect(bounds(CreatedAt.gte(at("2024-09-01T00:00:00.999999999Z")))).toEqual([["gte:2024-09-01T00:00:00Z"]])
})

test("is written alike by JSON.stringify, a template string and inspect", () => {
  const september = CreatedAt.between(at("2024-09-01T00:00:00Z"), at("2024-10-01T00:00:00Z"))
  const text = "CreatedAt(gte:2024-09-01T00:00:00Z lt:2024-10-01T00:00:00Z)"
  expect([`${september}`, inspect(september)]).toEqual([text, text])
  expect(JSON.parse(JSON.stringify(september))).toEqual([
    { lower: { at: "2024-09-01T00:00:00Z", inclusive: true }, upper: { at: "2024-10-01T00:00:00Z", inclusive: false } },
  ])
})

test("equal filters are Equal and hash alike, and no other value is Equal to one", () => {
  const [a, b] = [CreatedAt.gt(at("2024-09-01T00:00:00Z")), CreatedAt.gt(at("2024-09-01T02:00:00+02:00"))]
  expect([Equal.equals(a, b), Hash.hash(a) === Hash.hash(b)]).toEqual([true, true])
  expect(Equal.equals(a, CreatedAt.not(a))).toBe(false)
  expect(Equal.equals(a, {})).toBe(false)
  expect(Hash.hash(a)).not.toBe(Hash.hash(CreatedAt.not(a)))
})

test.each([
  ["gte:2024-09-01T00:00:00.000000012Z", CreatedAt.gte(at("2024-09-01T00:00:00.000000012Z"))],
  ["gte:2024-09-01T00:00:00.00000001Z", CreatedAt.gte(at("2024-09-01T00:00:00.00000001Z"))],
  ["gt:2024-09-01T00:00:00.00000001Z", CreatedAt.gte(at("2024-09-01T00:00:00.000000011Z"))],
  ["lt:2024-09-01T00:00:00.000000012Z", CreatedAt.lt(at("2024-09-01T00:00:00.000000012Z"))],
  ["lte:2024-09-01T00:00:00Z", CreatedAt.lt(at("2024-09-01T00:00:00.000000001Z"))],
])("writes the bound %s with the fewest digits, and with itself if both have as many", (text, filter) => {
  expect(CreatedAt.ranges(filter).flatMap(CreatedAt.printRange)).toEqual([text])
})

test("is equal to the same filter only, whatever their hashes are", () => {
  const filter = CreatedAt.gte(at("2024-09-01T00:00:00Z"))
  const others = [CreatedAt.gte(at("2024-09-01T00:00:01Z")), CreatedAt.all, CreatedAt.none, {}, null]
  expect(filter[Equal.symbol](CreatedAt.gte(at("2024-09-01T02:00:00+02:00")))).toBe(true)
  expect(others.map((other) => filter[Equal.symbol](other))).toEqual(others.map(() => false))
})
