import { describe, expect, test } from "vitest"
import * as SheetNumber from "../src/ledgers/SheetNumber.ts"

describe("read", () => {
  test.each<[string, string, boolean]>([
    ["28.49", "28.49", false],
    ["28.489999999999998", "28.49", false],
    ["0.30000000000000004", "0.3", true],
    ["0.1", "0.1", false],
    ["1.241E3", "1241", false],
    ["-1E-7", "-0.0000001", false],
    ["100", "100", false],
    ["0", "0", false],
    ["-0", "0", false],
    ["999999999999999", "999999999999999", false],
    ["123456789012.345", "123456789012.345", false],
    ["1E+20", "100000000000000000000", false],
  ])("reads %s as %s", (stored, text, isRounded) => {
    expect(SheetNumber.read(stored)).toEqual({ text, isRounded })
  })

  test("reads every amount of up to 15 digits as it was entered", () => {
    let count = 0
    for (let unit = 1; unit < 10 ** 15; unit = unit * 3 + 1) {
      for (const scale of [0, 2, 8]) {
        const digits = String(unit).padStart(scale + 1, "0")
        const fraction = digits.slice(digits.length - scale).replace(/0+$/, "")
        const text = `${digits.slice(0, digits.length - scale)}${scale === 0 || fraction === "" ? "" : `.${fraction}`}`
        expect(SheetNumber.read(String(Number(text)))).toEqual({ text, isRounded: false })
        count++
      }
    }
    expect(count).toBeGreaterThan(90)
  })

  test.each(["", " ", "x", "NaN", "Infinity", "1e999"])("takes %j for no number", (stored) => {
    expect(SheetNumber.read(stored)).toBeUndefined()
  })
})

describe("dateOf", () => {
  test.each<[string, boolean, string | undefined]>([
    ["45565", false, "2024-09-30"],
    ["45566.427083333336", false, "2024-10-01T10:15:00"],
    ["45566.999999999", false, "2024-10-02"],
    ["61", false, "1900-03-01"],
    ["1", false, "1900-01-01"],
    ["0.5", false, "12:00:00"],
    ["44103", true, "2024-09-30"],
    ["-1", false, undefined],
    ["2958466", false, undefined],
    ["", false, undefined],
  ])("of %s (from 1904: %s) is %s", (stored, from1904, date) => {
    expect(SheetNumber.dateOf(stored, from1904)).toBe(date)
  })
})

describe("isDateFormat", () => {
  test.each(["dd.mm.yyyy;@", "[$-F800]dddd, mmmm dd, yyyy", "m/d/yy h:mm", "[$-409]d-mmm-yy;@", "yyyy\\-mm\\-dd"])(
    "is true of %s",
    (code) => {
      expect(SheetNumber.isDateFormat(code)).toBe(true)
    },
  )

  test.each([
    "General",
    "0.00",
    '#,##0.00 "days"',
    "[Red]-0.00",
    "#,##0.00\\ [$USD]",
    "0\\d",
    '_-* #,##0.00 _d_-;0"y"',
    "@",
    "[h]",
  ])("is false of %s", (code) => {
    expect(SheetNumber.isDateFormat(code)).toBe(false)
  })
})
