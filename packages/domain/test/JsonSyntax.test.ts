/** The first mistake of a text that should be JSON, and no mistake exactly where `JSON.parse` finds none. */
import { describe, expect, test } from "vitest"
import * as JsonSyntax from "../src/JsonSyntax.ts"

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** All texts of up to `most` of these parts. */
function* textsOf(parts: ReadonlyArray<string>, most: number, start = ""): Generator<string> {
  yield start
  if (most > 0) for (const part of parts) yield* textsOf(parts, most - 1, start + part)
}

describe("agrees with JSON.parse on every text", () => {
  test.each([
    ["of brackets, commas and values", ["{", "}", "[", "]", ",", ":", '"a"', "1", "\n"], 5, 100],
    ["of digits and signs", ["-", "+", ".", "0", "1", "e", "E", " "], 5, 300],
    ["of quotes, escapes and controls", ['"', "\\", "n", "u", "00e9", "\t", "\r\n", "é"], 5, 300],
    ["of words", ["true", "null", "[", "]", ",", "T", "_"], 4, 5],
  ])("%s", (_, parts, most, least) => {
    let valid = 0
    for (const text of textsOf(parts, most)) {
      const isValid = isJson(text)
      if (isValid) valid++
      if ((JsonSyntax.faultOf(text) === undefined) !== isValid) expect(text).toBe(isValid ? "JSON" : "no JSON")
    }
    expect(valid).toBeGreaterThan(least)
  })

  test("nested as deep as it is long", () => {
    const deep = "[".repeat(100_000)
    expect(JsonSyntax.faultOf(deep + "]".repeat(100_000))).toBeUndefined()
    expect(JsonSyntax.faultOf(deep)).toContain("column 100001: expected a value or ], found the end of the text")
  })
})

test.each([
  ["a comma too many", '{\n  "a": 1,\n}', "line 3, column 1: expected a name in double quotes, found }"],
  ["a missing comma", '[\n  {"a": 1}\n  {"a": 2}\n]', "line 3, column 3: expected a comma or ], found {"],
  ["a missing colon", '{"a" 1}', "line 1, column 6: expected a colon, found 1"],
  ["single quotes", "{'a': 1}", "line 1, column 2: expected a name in double quotes or }, found '"],
  ["a word", '{"a": None}', "line 1, column 7: expected a value, found None"],
  ["a number that JSON writes otherwise", "[01.5]", "line 1, column 2: expected a value or ], found 01.5"],
  [
    "a quote that is never closed",
    '{\r\n"a": "b,\r\n"c": 1}',
    "line 2, column 6: the quotes opened here are not closed on this line",
  ],
  [
    "a path of Windows",
    '{"a": "C:\\temp\\x"}',
    "line 1, column 15: \\x is no escape in quotes: write \\\\ for a backslash",
  ],
  ["a tab in quotes", '{"a": "b\tc"}', "line 1, column 9: write \\t for this character in quotes"],
  ["a text that ends early", '{"a": [1, 2', "line 1, column 12: expected a comma or ], found the end of the text"],
  ["something behind its end", '{"a": 1}\n{"a": 2}', "line 2, column 1: expected the end of the text, found {"],
  [
    "a character that takes two units",
    '{"👩": 1, 👩}',
    'line 1, column 10: expected a name in double quotes, found "👩"',
  ],
  ["a page", "<html>", "line 1, column 1: expected a value, found <"],
  ["nothing", "", "line 1, column 1: expected a value, found the end of the text"],
])("names %s", (_, text, fault) => {
  expect(JsonSyntax.faultOf(text)).toBe(`it is not JSON: ${fault}`)
})

test.each([
  ["in an object", '{"a": 1,\n  "a": 2}', 'line 2, column 3: its object has "a" already'],
  ["written with an escape", '{"a": 1, "\\u0061": 1}', 'line 1, column 10: its object has "a" already'],
  [
    "after an object that has it, too",
    '[{"a": {"a": 1}, "b": [{"b": 1}], "b": 1}]',
    'column 35: its object has "b" already',
  ],
  ["of Object.prototype", '{"__proto__": 1, "__proto__": 2}', 'column 18: its object has "__proto__" already'],
])("finds a name twice %s", (_, text, found) => {
  expect(JsonSyntax.faultOf(text)).toBeUndefined()
  expect(JsonSyntax.repeatOf(text)).toContain(found)
})

test("finds no name twice in objects beside and within each other, and in values", () => {
  for (const text of ['[{"a": "a"}, {"a": ["a", "a"]}, {"b": {"a": {"a": 1}}, "a": 1}]', '{"toString": 1}', '{"a" 1}'])
    expect(JsonSyntax.repeatOf(text)).toBeUndefined()
  const many = `{${Array.from({ length: 200_000 }, (_, index) => `"${index}":1`).join()}}`
  expect(JsonSyntax.repeatOf(many)).toBeUndefined()
})

test("counts lines from that of the text in its file", () => {
  expect(JsonSyntax.faultOf("{]", 7)).toContain("line 7, column 2: ")
})
