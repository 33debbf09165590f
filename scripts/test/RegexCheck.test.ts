/** `pnpm lint:regex` finds regular expressions that take more than linear time. */
import { check } from "recheck"
import { describe, expect, test } from "vitest"
import * as RegexCheck from "../RegexCheck.ts"

describe("find", () => {
  test("names the place of each literal, and of what is put together at run time", () => {
    const source = [
      "const a: RegExp = /a+/gu",
      "// /not this/",
      'const b = new RegExp(`${"b"}+`), c = RegExp("c")',
      "const d = <T,>(t: T) => `${/d/.test(String(t))}`",
    ].join("\n")
    expect(RegexCheck.find("x.ts", source)).toEqual([
      { place: "x.ts:1", literal: { pattern: "a+", flags: "gu" } },
      { place: "x.ts:3" },
      { place: "x.ts:3" },
      { place: "x.ts:4", literal: { pattern: "d", flags: "" } },
    ])
  })
})

describe("problems", () => {
  test("rates each literal once, and accepts only those of linear time", async () => {
    const rated: Array<string> = []
    const rate: RegexCheck.Rate = async (pattern) => {
      rated.push(pattern)
      return pattern === "a" ? "linear" : "exponential"
    }
    const literal = (pattern: string) => ({ place: `x.ts:${pattern}`, literal: { pattern, flags: "" } })
    const problems = await RegexCheck.problems([literal("a"), literal("b"), literal("b"), { place: "y.ts:1" }], rate)
    expect(rated).toEqual(["a", "b"])
    expect(problems).toEqual([
      "x.ts:b: /b/ takes exponential time",
      "x.ts:b: /b/ takes exponential time",
      expect.stringContaining("y.ts:1: a regular expression that is put together at run time"),
    ])
  })
})

test.each([
  ["(a+)+$", "vulnerable"],
  ["0+$", "vulnerable"],
  ["^(.*[^0])0*$", "safe"],
])("the tool rates /%s/ as %s", async (pattern, status) => {
  expect((await check(pattern, "", { timeout: 20_000 })).status).toBe(status)
})
