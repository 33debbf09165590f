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
    ["0.00", "0", false],
    ["0E5", "0", false],
    ["1E-400", "0", true],
    ["1E-120", `0.${"0".repeat(119)}1`, false],
    ["1E+23", "100000000000000000000000", false],
    ["-1.5E16", "-15000000000000000", false],
    // Excel writes 17 digits, others as many as the double has: the same number as with 15.
    ["9.949999999999999", "9.95", false],
    ["28.489999999999998436805981327779591083526611328125", "28.49", false],
    ["2.8489999999999998E+1", "28.49", false],
    ["0.000012300000000000000", "0.0000123", false],
    ["123456789012.3456", "123456789012.346", true],
    ["1234567890123456", "1234567890123460", true],
    ["1234567890123456.5", "1234567890123460", true],
    ["-1234567890123456.5", "-1234567890123460", true],
    ["12345678901234567", "12345678901234600", true],
    ["999999999999999.9", "1000000000000000", true],
    // No double is as close to these as their own digits.
    ["999999999999.999999", "1000000000000", true],
    ["99999999999.999999", "100000000000", true],
    ["-100000000000.000001", "-100000000000", true],
    ["28.4900000000000000001", "28.49", true],
    ["0.1000000000000000055511151231257827021181583404541015625000001", "0.1", true],
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

  test("reads a number of a megabyte of zeros", () => {
    expect(SheetNumber.read(`${"0".repeat(1 << 20)}1`)).toEqual({ text: "1", isRounded: false })
    expect(SheetNumber.read(`1.${"0".repeat(1 << 20)}1`)).toEqual({ text: "1", isRounded: true })
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
    ["44103.5", true, "2024-09-30T12:00:00"],
    ["59", false, "1900-02-28"],
    ["60", false, "1900-02-28"],
    ["0", false, "00:00:00"],
    ["1.00001", false, "1900-01-01T00:00:01"],
    ["2958465.99998", false, "9999-12-31T23:59:58"],
    ["2958465.999999", false, "9999-12-31T23:59:59"],
    ["2958465.999999999", false, undefined],
    ["45565.999999", false, "2024-09-30T23:59:59"],
    ["45565.99999", false, "2024-09-30T23:59:59"],
    ["2957004", true, undefined],
    ["1e400", false, undefined],
    [" ", false, undefined],
    ["x", false, undefined],
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
    "0.00;yyyy",
    " general ",
  ])("is false of %s", (code) => {
    expect(SheetNumber.isDateFormat(code)).toBe(false)
  })
})

test("isBuiltInDateFormat is true of the formats that show dates, also in East Asia", () => {
  const ids = Array.from({ length: 90 }, (_, id) => id).filter(SheetNumber.isBuiltInDateFormat)
  const east = [27, 28, 29, 30, 31, 32, 33, 34, 35, 36]
  const more = [50, 51, 52, 53, 54, 55, 56, 57, 58]
  expect(ids).toEqual([14, 15, 16, 17, 18, 19, 20, 21, 22, ...east, 45, 46, 47, ...more])
})

test("isTooLong is true of 16 digits and more", () => {
  expect([999_999_999_999_999, 1e15, -1e15, -1].map(SheetNumber.isTooLong)).toEqual([false, true, true, false])
})
