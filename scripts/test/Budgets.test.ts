/** A budget's limit, and the test that is said to enforce it, must not drift apart. */
import { describe, expect, it } from "vitest"
import type { Test } from "../../bench/src/budgets/Budget.ts"
import * as Budget from "../../bench/src/budgets/Budget.ts"
import { budgets } from "../../bench/src/budgets/Budgets.ts"
import * as TestGuard from "../../bench/src/budgets/TestGuard.ts"

const guarded = budgets.flatMap((budget) =>
  budget.guards.flatMap((guard) => (guard.kind === "test" ? [{ budget, guard }] : [])),
)

it("every test that guards a budget asserts its limit", () => {
  expect(guarded.length).toBeGreaterThan(8)
  expect(guarded.map(({ budget, guard }) => TestGuard.problem(budget, guard)).filter(Boolean)).toEqual([])
})

it("budgets have distinct titles, under which their ratios are kept", () => {
  const titles = budgets.map(Budget.titleOf)
  expect(new Set(titles).size).toBe(titles.length)
})

describe("a guard", () => {
  const budget = { name: "waste", limit: { atMost: 1, unit: "× the pages" } }
  const guard: Test = { kind: "test", file: "a.test.ts", name: "is small", asserts: "expect(waste).toBeLessThan(1)" }
  const source = `
it("is small", () => {
  expect(waste).toBeLessThan(1)
  expect(more).toBeLessThan(2)
})
it("is another", () => {
  expect(other).toBeLessThan(1)
})`
  const problem = (changes: Partial<Test>, text = source) =>
    TestGuard.problem(budget, { ...guard, ...changes }, () => text)

  it.each<[string, Partial<Test>, string]>([
    ["whose test does not exist", { name: "is tiny" }, 'a.test.ts has no test "is tiny"'],
    ["whose assertion is in another test", { asserts: "expect(other).toBeLessThan(1)" }, "does not assert"],
    ["that asserts another number", { asserts: "expect(more).toBeLessThan(2)" }, "asserts 2"],
  ])("%s is rejected", (_, changes, reason) => {
    expect(problem(changes)).toContain(reason)
  })

  it("whose file does not exist is rejected", () => {
    expect(TestGuard.problem(budget, { ...guard, file: "no/such.test.ts" })).toContain("has no test")
  })

  it("may assert another number for a reason that is printed, or in another unit", () => {
    expect(problem({})).toBeUndefined()
    expect(problem({ asserts: "expect(more).toBeLessThan(2)", differs: "× on a busy machine" })).toBeUndefined()
    expect(problem({ asserts: "expect(more).toBeLessThan(2)", per: 2 })).toBeUndefined()
  })
})

it("a budget may be a lower bound", () => {
  const limit = { atLeast: 14, unit: "× the speed" }
  expect([13, 14].map((value) => Budget.isWithin(limit, value))).toEqual([false, true])
})
