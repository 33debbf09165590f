import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import * as Expression from "../src/filter/Expression.ts"

const now = Timestamp.parseUnsafe("2025-01-01T00:00:00Z")

const shown = (text: string) =>
  Result.match(Expression.parse(text, now), {
    onFailure: (reason) => reason,
    onSuccess: (filter) =>
      CreatedAt.ranges(filter)
        .map((range) => CreatedAt.printRange(range).join(" "))
        .join(" | "),
  })

describe("an expression of creation times", () => {
  it("has a limit, so that no link overflows the stack", () => {
    for (const text of ["(".repeat(100_000), "not ".repeat(100_000), "2024 or ".repeat(100_000)])
      expect(shown(text)).toBe("Expected at most 500 words and brackets.")
  })

  it.each([
    ["2024-09", "gte:2024-09-01T00:00:00Z lt:2024-10-01T00:00:00Z"],
    ["2024-09-01T00:00:00.5Z", "gte:2024-09-01T00:00:00.5Z lte:2024-09-01T00:00:00.5Z"],
    ["since 2024-09", "gte:2024-09-01T00:00:00Z"],
    ["until 2024-09", "lt:2024-10-01T00:00:00Z"],
    ["until 2024-09-01T00:00:00Z", "lte:2024-09-01T00:00:00Z"],
    ["before 2024-09", "lt:2024-09-01T00:00:00Z"],
    ["after 2024-09", "gte:2024-10-01T00:00:00Z"],
    ["after 2024-09-01T00:00:00Z", "gt:2024-09-01T00:00:00Z"],
    ["24h", "gte:2024-12-31T00:00:00Z lte:2024-12-31T00:00:00Z"],
    ["since 24h", "gte:2024-12-31T00:00:00Z"],
    ["lt:2024-09-01T00:00:00Z", "lt:2024-09-01T00:00:00Z"],
    [
      "2024-09 but not 2024-09-10 or 2024-11",
      "gte:2024-09-01T00:00:00Z lt:2024-09-10T00:00:00Z | gte:2024-09-11T00:00:00Z lt:2024-10-01T00:00:00Z | gte:2024-11-01T00:00:00Z lt:2024-12-01T00:00:00Z",
    ],
    ["2024-09 BUT NOT (2024-09-10 or since 2024-09-11)", "gte:2024-09-01T00:00:00Z lt:2024-09-10T00:00:00Z"],
    ["not 2024", "lt:2024-01-01T00:00:00Z | gte:2025-01-01T00:00:00Z"],
    ["2024-09 and 2024-10", ""],
  ])("%s", (text, expected) => expect(shown(text)).toBe(expected))

  it.each([
    ["", "Expected a day, a month, a year or an instant at the end."],
    ["soon", '"soon" is not a time'],
    ["2024-09 2024-10", 'Expected "and", "or" or "but not" instead of "2024-10".'],
    ["2024-09 or", "Expected a day, a month, a year or an instant at the end."],
    ["(2024-09", 'Expected ")" at the end.'],
    ["2024-09)", 'Expected "and", "or" or "but not" instead of ")".'],
    ["gte:soon", "gte:soon"],
    ["2024-13", "2024-13"],
  ])("%s says what was expected", (text, reason) => expect(shown(text)).toContain(reason))

  it.each(Expression.samples)("the sample %s is one", (text) =>
    expect(Result.isSuccess(Expression.parse(text, now))).toBe(true),
  )
})
