import * as JsonBounds from "@transferkit/domain/JsonBounds"
import * as JsonDepth from "@transferkit/domain/JsonDepth"
import * as JsonText from "@transferkit/domain/JsonText"
import * as Result from "effect/Result"
import { expect, test } from "vitest"

test.each([
  ["commas", `[${"1,".repeat(250_001)}1]`],
  ["lists", "[".repeat(20_000_000)],
  ["objects", '{"a":'.repeat(250_001)],
])("parses no text with far more %s than text, in little time", (_, text) => {
  const begun = performance.now()
  const most = JsonBounds.ofLength(text.length)
  expect(JsonText.parse(text)).toEqual(Result.fail(`it has more than ${most} commas, lists or objects`))
  expect(performance.now() - begun).toBeLessThan(2000)
})

test("keeps no text of numbers where there are far more values than text", () => {
  expect(JsonDepth.parse("[".repeat(300_000))).toEqual(Result.fail("it has more than 250000 commas, lists or objects"))
})

test("reads as many as a text of its length may have", () => {
  const text = `[${'"0123456789abc",'.repeat(300_000)}1]`
  expect(Result.getOrThrow(JsonText.parse(text))).toHaveLength(300_001)
})

test.each([
  ["deep", `{"a":${"[".repeat(33)}${"]".repeat(33)}}`, `the value at /a${"/0".repeat(32)} is more than 32 levels deep`],
  ["very deep", "[".repeat(2e5) + "]".repeat(2e5), `the value at ${"/0".repeat(33)} is more than 32 levels deep`],
  ["no JSON", "[1,]", "it is not JSON: line 3, column 4: expected a value, found ]"],
  ["twice", '{"a":\n{"b":1, "b":2}}', 'line 4, column 9: its object has "b" already: remove one of the two'],
])("says of a text that is %s where it is wrong", (_, text, reason) => {
  expect(JsonText.parse(text, { firstLine: 3 })).toEqual(Result.fail(reason))
})

test("finds the place of a mistake after millions of lines, letters and returns", () => {
  const reason = "expected a value, found x"
  expect(JsonText.parse(`${"\n".repeat(3e6)}${"\r\n".repeat(1e6)}  x`)).toEqual(
    Result.fail(`it is not JSON: line 4000001, column 3: ${reason}`),
  )
  expect(JsonText.parse(`["${"\u{1f600}".repeat(3e6)}",x]`)).toEqual(
    Result.fail(`it is not JSON: line 1, column 3000005: ${reason}`),
  )
})
