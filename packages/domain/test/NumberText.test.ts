/** Numbers in fields that we do not know keep their text, from the wire to JSON. */
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as Seeds from "../../../scripts/test/Seeds.ts"
import * as NumberText from "../src/internal/decimal/NumberText.ts"
import * as JsonDepth from "../src/JsonDepth.ts"
import * as Transfer from "../src/Transfer.ts"
import * as TransferPage from "../src/TransferPage.ts"
import { oneOf, random } from "./scan/History.ts"

const transfer = (rest: string) =>
  `{"id":"tr_1","kind":"cash_in","status":"complete","created_at":"2024-09-01T00:00:00Z"${rest}}`

const again = (text: string) => JSON.stringify(Result.getOrThrow(Transfer.fromJson(text)))

const texts = ["9007199254740993", "1.10", "1e400", "-0", "1E5", "0.0000001", "100000000000000000000000", "-1.50"]

test.each(texts)("%s keeps its text, wherever it stands in an unknown field", (number) => {
  for (const rest of [
    `,"rate":${number}`,
    `,"rates":[${number},${number}]`,
    `,"fees":{"a":{"b":[true,${number}]},"c":${number}}`,
    `,"__proto__":${number}`,
  ]) {
    expect(again(transfer(rest))).toBe(transfer(rest))
    const page = `{"results":[${transfer("")},${transfer(rest)}],"page_info":{"has_next_page":false}}`
    expect(JSON.stringify(Result.getOrThrow(TransferPage.fromJson(page)))).toBe(page)
  }
})

test.each(["0", "42", "-1.5", "1e+21", "9007199254740991"])("%s stays a number", (number) => {
  const value = Result.getOrThrow(Transfer.fromJson(transfer(`,"rate":${number},"other":1.10`)))
  expect(Reflect.get(value, "rate")).toBe(Number(number))
})

test("is as deep as the number that it is", () => {
  const nested = (levels: number) => transfer(`,"x":${"[".repeat(levels)}1.10${"]".repeat(levels)}`)
  expect(again(nested(JsonDepth.maxDepth + 1))).toBe(nested(JsonDepth.maxDepth + 1))
  expect(Result.isFailure(Transfer.fromJson(nested(JsonDepth.maxDepth + 2)))).toBe(true)
})

test("what looks like a number within a text changes nothing", () => {
  const text = transfer(`,"note":"at 1: 1.10, or [1.10]","n":1`)
  expect([NumberText.isNeeded(text), again(text)]).toEqual([false, text])
})

test("a text is read alike, whether the one before it had such a number or not", () => {
  const others = [
    transfer(""),
    transfer(`,"n":1.50,"note":"1.10, \\"1.10\\": 1.10, \\\\"`),
    transfer(`,"note":"\uE0001.10","n":1.50`),
    transfer(`,"note":"\\ue0001.10","n":1.50`),
    transfer(`,"\\uE0001.10":1.50`),
    transfer(`,"n":[1.50, -0 ,{"a":1E5}]`),
    transfer(`,"source_total":{"amount":1.10,"currency_code":"fiat/USD"}`),
    transfer(`,"kind":1.10`),
    transfer(`,1.10:2`),
    transfer(`,"n":01.10`),
    transfer(`,"n":1.10.5`),
    transfer(`,"n":-`),
    transfer(`,"n":1.10x`),
    transfer(`,"note":"unfinished \\"`),
    transfer(`,"n":${"[".repeat(20_000)}1.10${"]".repeat(20_000)}`),
  ]
  const after = (before: string, text: string) => {
    Transfer.fromJson(before)
    const result = Transfer.fromJson(text)
    return Result.isSuccess(result) ? JSON.stringify(result.success) : result.failure.message
  }
  for (const text of others) expect(after(transfer(`,"n":1.10`), text)).toBe(after(transfer(""), text))
})

test("a transfer without such a number is parsed once: neither its amounts nor its times look like one", () => {
  const money = `,"source_total":{"amount":"1.10","currency_code":"fiat/USD"},"updated_at":"2024-09-01T10:00:00.100+02:00"`
  expect(NumberText.isNeeded(transfer(`${money},"n":[1,2.5,-3]`))).toBe(false)
})

describe("any number of JSON", () => {
  test("is written as it came, and is found if it would not be", () => {
    const chance = random([...Seeds.drawn].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) >>> 0, 0))
    const digits = (most: number) =>
      Array.from({ length: 1 + Math.floor(chance() * most) }, () => oneOf(chance, [..."0123456789"])).join("")
    const whole = () => (chance() < 0.3 ? "0" : `${1 + Math.floor(chance() * 9)}${chance() < 0.5 ? "" : digits(20)}`)
    const fraction = () => (chance() < 0.5 ? "" : `.${digits(20)}`)
    const exponent = () => (chance() < 0.7 ? "" : `${oneOf(chance, ["e", "E", "e+", "e-", "E-"])}${digits(3)}`)
    let needed = 0
    for (let run = 0; run < 5000; run++) {
      const number = `${chance() < 0.3 ? "-" : ""}${whole()}${fraction()}${exponent()}`
      const space = oneOf(chance, ["", " ", "\n\t", "\r\n  "])
      const text = `{${space}"a":${space}${number}${space},"b":[${space}${number}${space}]}`
      const parsed = JSON.stringify(NumberText.parse(text))
      expect(parsed).toBe(`{"a":${number},"b":[${number}]}`)
      expect(NumberText.isNeeded(text), text).toBe(JSON.stringify(JSON.parse(text)) !== parsed)
      if (NumberText.isNeeded(text)) needed++
    }
    expect([needed > 1000, needed < 4900]).toEqual([true, true])
  })
})
