import { describe, expect, test } from "vitest"
import { escapeControls, escapeData } from "../src/SafeText.ts"

describe("escapeControls", () => {
  test("leaves no character that a terminal interprets", () => {
    const characters = Array.from({ length: 0x10_ffff }, (_, code) => String.fromCodePoint(code))
    const obeyed = characters.filter((character) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(escapeControls(character)))
    expect(obeyed).toEqual([])
  })

  test.each([
    ["\u001b[31mred", "\\x1b[31mred"],
    ["two\nlines\tand a tab", "two\\nlines\\tand a tab"],
    ["\u009b2J", "\\x9b2J"],
    ["safe\u202etxt.exe", "safe\\u202etxt.exe"],
    ["日本 👩‍👧 é", "日本 👩‍👧 é"],
    ["a\u200db", "a\\u200db"],
    ["\u{e0041}tag", "\\u{e0041}tag"],
    ["a\u115f\u1160\u3164\uffa0b", "a\\u115f\\u1160\\u3164\\uffa0b"],
    ["a\u034f\u180e\u2800\ufe0f\u{e0100}b", "a\\u034f\\u180e\\u2800\\ufe0f\\u{e0100}b"],
    ["❤️ 1️⃣ ☎︎", "❤️ 1️⃣ ☎︎"],
  ])("shows %j as %s", (text, shown) => {
    expect(escapeControls(text)).toBe(shown)
  })
})

describe("escapeData", () => {
  test("leaves no character that a terminal interprets, but line breaks and tabs, in JSON of the same value", () => {
    const value = Array.from({ length: 0x10_ffff }, (_, code) => String.fromCodePoint(code)).filter((character) =>
      /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(character),
    )
    const text = escapeData(JSON.stringify(value, undefined, 1))
    expect(text.replaceAll(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    expect(JSON.parse(text)).toEqual(value)
  })
})
