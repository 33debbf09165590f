/** Pages as partner-api.md shows them, and the errors of pages that break the contract. */
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import { describe, expect, test } from "vitest"
import * as Transfer from "../src/Transfer.ts"
import * as TransferPage from "../src/TransferPage.ts"
import { transferJson } from "./fixtures/service.ts"

const pageJson = (transfer: string, info = '{"end_cursor":"c1","has_next_page":true}') =>
  `{"results":[${transfer}],"page_info":${info}}`

const read = (text: string) => Result.getOrThrow(TransferPage.fromJson(text))
const minimal = { id: "tr_1", kind: "cash_in", status: "complete", created_at: "2024-09-01T00:00:00Z" }

describe("a page of the contract", () => {
  const page = read(pageJson(transferJson))
  const [transfer] = page.results

  test("decodes its fields", () => {
    expect(page.page_info).toEqual({ end_cursor: "c1", has_next_page: true })
    expect(transfer?.source_total?.amount.toFixed(2)).toBe("105.00")
    expect(transfer?.destination_total?.text).toBe("0.031234567890123456")
    expect(transfer?.updated_at?.epochNanoseconds).toBe(1_725_186_600_000_000_000n)
  })

  test("serializes to the same JSON, character by character", () => {
    expect(JSON.stringify(transfer)).toBe(transferJson)
    expect(JSON.stringify(page)).toBe(pageJson(transferJson))
  })

  test("encodes to the wire object through the schema", () => {
    expect(transfer && JSON.stringify(S.encodeSync(Transfer.Schema)(transfer))).toBe(transferJson)
  })

  test.each(["7", "null", '"x"', "[]", "true"])("has an object for its page_info, not %s", (info) => {
    expect(Result.isFailure(TransferPage.fromJson(pageJson(transferJson, info)))).toBe(true)
  })

  test("needs no cursor on the last page", () => {
    expect(read('{"results":[],"page_info":{"has_next_page":false}}').page_info).toEqual({ has_next_page: false })
    expect(read('{"results":[],"page_info":{"has_next_page":false,"end_cursor":null}}').page_info).toEqual({
      has_next_page: false,
    })
  })
})

describe("where the contract is silent", () => {
  test("requires only id, kind, status and created_at of a transfer", () => {
    const [transfer] = read(pageJson(JSON.stringify(minimal))).results
    expect(Object.keys(transfer ?? {})).toEqual(["id", "kind", "status", "created_at"])
  })

  test("reads null as absent, for every optional field", () => {
    const optional = Object.keys(Transfer.Wire.fields).filter((name) => !(name in minimal))
    expect(optional).toHaveLength(Object.keys(Transfer.fields).length - 4)
    const nulls = Object.fromEntries(optional.map((name) => [name, null]))
    const [transfer] = read(pageJson(JSON.stringify({ ...minimal, ...nulls }))).results
    expect(Object.keys(transfer ?? {})).toEqual(["id", "kind", "status", "created_at"])
  })

  test("keeps unknown kinds, statuses and fields, even __proto__", () => {
    const json =
      '{"id":"tr_1","kind":"swap","status":"frozen","created_at":"2024-09-01T00:00:00Z","nested":{"a":[1,null]},"__proto__":{"polluted":true}}'
    const [transfer] = read(pageJson(json)).results
    expect(JSON.stringify(transfer)).toBe(json)
    expect(transfer && "polluted" in transfer).toBe(false)
  })
})

describe("a broken contract is reported with its first invalid value", () => {
  const without = (name: keyof typeof minimal) => {
    const { [name]: _, ...rest } = minimal
    return JSON.stringify(rest)
  }
  const withField = (fields: Record<string, unknown>) => JSON.stringify({ ...minimal, ...fields })

  test.each([
    ["", "", "JSON", "empty"],
    ["<html>", "", "JSON", "<html>"],
    ['{"results":[', "", "JSON", '{"results":['],
    ["[]", "", "a page of transfers: an object", "an array"],
    ["null", "", "a page of transfers: an object", "null"],
    ['{"results":{},"page_info":{"has_next_page":false}}', "/results", "a list", "an object"],
    ['{"results":[]}', "/page_info", "present", "missing"],
    ['{"results":[],"page_info":{}}', "/page_info/has_next_page", "present", "missing"],
    [
      '{"results":[],"page_info":{"has_next_page":"no"}}',
      "/page_info/has_next_page",
      "true or false",
      'the string "no"',
    ],
    [
      '{"results":[],"page_info":{"has_next_page":true,"end_cursor":7}}',
      "/page_info/end_cursor",
      "text",
      "the number 7",
    ],
    [pageJson("null"), "/results/0", "a transfer: an object", "null"],
    [pageJson(without("id")), "/results/0/id", "present", "missing"],
    [pageJson(withField({ id: "" })), "/results/0/id", "length of at least 1", 'the string ""'],
    [pageJson(without("created_at")), "/results/0/created_at", "present", "missing"],
    [
      pageJson(withField({ created_at: "2024-09-01" })),
      "/results/0/created_at",
      "an RFC 3339 timestamp",
      'the string "2024-09-01"',
    ],
    [pageJson(withField({ created_at: null })), "/results/0/created_at", "an RFC 3339 timestamp", "null"],
    [
      pageJson(withField({ updated_at: "soon" })),
      "/results/0/updated_at",
      "an RFC 3339 timestamp",
      'the string "soon"',
    ],
    [pageJson(withField({ kind: 3 })), "/results/0/kind", "text", "the number 3"],
    [
      pageJson(withField({ source_total: "5" })),
      "/results/0/source_total",
      "an object with amount and currency_code or null",
      'the string "5"',
    ],
    [
      pageJson(withField({ source_total: { amount: 5, currency_code: "fiat/USD" } })),
      "/results/0/source_total/amount",
      "an amount as text",
      "the number 5",
    ],
    [
      pageJson(withField({ source_total: { amount: "5e3", currency_code: "fiat/USD" } })),
      "/results/0/source_total/amount",
      "a plain decimal number",
      'the string "5e3"',
    ],
    [
      pageJson(withField({ network_fee: { amount: "5", currency_code: "USD" } })),
      "/results/0/network_fee/currency_code",
      "a currency code",
      'the string "USD"',
    ],
    [
      pageJson(withField({ network_fee: { amount: "5" } })),
      "/results/0/network_fee/currency_code",
      "present",
      "missing",
    ],
    [
      pageJson(`${JSON.stringify(minimal)},${withField({ external_id: 1 })}`),
      "/results/1/external_id",
      "text",
      "the number 1",
    ],
  ])("%s", (text, pointer, expected, actual) => {
    const result = TransferPage.fromJson(text)
    if (Result.isSuccess(result)) throw new Error("was accepted")
    expect(result.failure).toMatchObject({ _tag: "MalformedResponse", pointer, actual })
    expect(result.failure.expected).toContain(expected)
  })
})

describe("an unknown field is bounded in depth", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels)
  const withColour = (json: string) =>
    pageJson(`${JSON.stringify(minimal)},${JSON.stringify(minimal).slice(0, -1)},"colour":${json}}`)

  test("keeps 32 levels below it", () => {
    const text = withColour(nested(33))
    expect(JSON.stringify(read(text))).toBe(text)
  })

  test.each([33, 200_000])("rejects %i levels below it, and names the place", (levels) => {
    const result = TransferPage.fromJson(withColour(nested(levels + 1)))
    expect(result).toMatchObject({
      failure: {
        _tag: "MalformedResponse",
        pointer: `/results/1/colour${"/0".repeat(33)}`,
        expected: "at most 32 levels below a field",
        actual: "deeper",
        isRetryable: false,
      },
    })
  })

  test("rejects a single transfer alike, and its schema does too", () => {
    const text = `${JSON.stringify(minimal).slice(0, -1)},"colour":${nested(200_000)}}`
    expect(Transfer.fromJson(text)).toMatchObject({ failure: { pointer: `/colour${"/0".repeat(33)}` } })
    expect(Result.isFailure(S.decodeUnknownResult(Transfer.Schema)(JSON.parse(text)))).toBe(true)
  })

  test("ignores depth where nothing is kept", () => {
    const text = pageJson(JSON.stringify(minimal), `{"has_next_page":false,"x":${nested(200_000)}}`)
    expect(read(text).page_info).toEqual({ has_next_page: false })
  })
})
