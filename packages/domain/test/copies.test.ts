/** Two copies of the package in one process, as two versions in a tree of dependencies, recognise each other's values. */
import * as Equal from "effect/Equal"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import { describe, expect, test, vi } from "vitest"
import * as CreatedAt from "../src/CreatedAt.ts"
import * as Money from "../src/Money.ts"
import * as Timestamp from "../src/Timestamp.ts"
import * as Transfer from "../src/Transfer.ts"
import { transferJson } from "./fixtures/service.ts"

vi.resetModules()
const [OtherCreatedAt, OtherMoney, OtherTimestamp, OtherTransfer] = await Promise.all([
  import("../src/CreatedAt.ts"),
  import("../src/Money.ts"),
  import("../src/Timestamp.ts"),
  import("../src/Transfer.ts"),
])

const own = Money.parseUnsafe("1.10", "fiat/USD")
const other = OtherMoney.parseUnsafe("1.1", "fiat/USD")
const ownTime = Timestamp.parseUnsafe("2024-09-01T00:00:00Z")
const otherTime = OtherTimestamp.parseUnsafe("2024-09-01T02:00:00+02:00")

const ownFilter = CreatedAt.gte(ownTime)
const otherFilter = OtherCreatedAt.lt(otherTime)

test("are two copies", () => {
  expect(otherFilter.constructor).not.toBe(ownFilter.constructor)
  expect(other.constructor).not.toBe(own.constructor)
  expect(otherTime.constructor).not.toBe(ownTime.constructor)
})

describe("Money of another copy", () => {
  test("is Money, and equal by value", () => {
    expect(Money.isMoney(other)).toBe(true)
    expect(Equal.equals(own, other)).toBe(true)
    expect(Equal.equals(other, own)).toBe(true)
  })

  test("is added, summed, compared and rounded", () => {
    expect(Result.map(Money.add(own, other), String)).toEqual(Result.succeed("2.20 fiat/USD"))
    expect(Result.map(Money.sum([other, own, other]), String)).toEqual(Result.succeed("3.30 fiat/USD"))
    expect(Money.compare(own, other)).toEqual(Result.succeed(0))
    expect(String(Money.round(other, 0, "half-even"))).toBe("1 fiat/USD")
  })
})

describe("a Timestamp of another copy", () => {
  test("is a Timestamp, and equal by instant", () => {
    expect(Timestamp.isTimestamp(otherTime)).toBe(true)
    expect(Equal.equals(ownTime, otherTime)).toBe(true)
    expect(Timestamp.compare(ownTime, otherTime)).toBe(0)
  })
})

describe("a CreatedAt filter of another copy", () => {
  test("is a filter, and equal by its instants", () => {
    expect(CreatedAt.isCreatedAt(otherFilter)).toBe(true)
    expect(Equal.equals(OtherCreatedAt.gte(ownTime), ownFilter)).toBe(true)
    expect(Equal.equals(ownFilter, OtherCreatedAt.gte(otherTime))).toBe(true)
    expect(CreatedAt.equals(ownFilter, otherFilter)).toBe(false)
  })

  test("is combined, matched, planned and printed", () => {
    expect(CreatedAt.isEmpty(CreatedAt.and(ownFilter, otherFilter))).toBe(true)
    expect(Equal.equals(CreatedAt.or(otherFilter, ownFilter), CreatedAt.all)).toBe(true)
    expect(CreatedAt.matches(otherFilter, ownTime)).toBe(false)
    expect(CreatedAt.plan(otherFilter).requests[0]?.created_at).toEqual(["lt:2024-09-01T00:00:00Z"])
  })
})

test.each<[string, unknown]>([
  ["bounds", { gte: "2024-09-01T00:00:00Z" }],
  ["a filter that was serialized", JSON.parse(JSON.stringify(ownFilter))],
  ["a filter that was spread", { ...ownFilter }],
  ["null", null],
])("what is no filter is rejected by name: %s", (_, value) => {
  expect(CreatedAt.isCreatedAt(value)).toBe(false)
  const filter = value as CreatedAt.CreatedAt
  const message = /^This is not a CreatedAt filter\. Make one with CreatedAt\.gte.*install only one\.$/
  expect(() => CreatedAt.matches(filter, ownTime)).toThrow(message)
  expect(() => CreatedAt.plan(filter)).toThrow(message)
})

test("a transfer of another copy is encoded", () => {
  const transfer = Result.getOrThrow(OtherTransfer.fromJson(transferJson))
  expect(Result.getOrThrow(S.encodeResult(Transfer.Schema)(transfer))).toEqual(JSON.parse(transferJson))
})

test.each(["@transferkit/domain/Money", "Symbol(@transferkit/domain/Money)", "_tag"])(
  "an object read from JSON is no Money, whatever its keys: %s",
  (key) => {
    const read = JSON.parse(JSON.stringify({ amount: "1", currency_code: "fiat/USD", [key]: key }))
    expect(Money.isMoney(read)).toBe(false)
    expect(Timestamp.isTimestamp(read)).toBe(false)
  },
)
