import { describe, expect, test } from "vitest"
import { escapeControls, neutraliseFormula } from "../src/terminal/Escape.ts"

describe("escapeControls", () => {
  test("leaves no character that a terminal obeys", () => {
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
  ])("shows %j as %s", (text, shown) => {
    expect(escapeControls(text)).toBe(shown)
  })
})

describe("neutraliseFormula", () => {
  test.each(["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "＝1+1", "-1e3", "-", "'=1"])(
    "puts a quote before %j",
    (cell) => {
      expect(neutraliseFormula(cell)).toBe(`'${cell}`)
    },
  )

  test.each(["-1.50", "0", "a=1", "", "2024-09-01T00:00:00Z", "'quoted"])("leaves %j as it is", (cell) => {
    expect(neutraliseFormula(cell)).toBe(cell)
  })
})
