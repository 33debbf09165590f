/** What the texts of an export look like, whole or with some columns only. */
import type { Transfer } from "@transferkit/domain/Transfer"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as TransferColumns from "../src/formats/TransferColumns.ts"
import * as TransferEncoder from "../src/formats/TransferEncoder.ts"

const transfersOf = (...wires: ReadonlyArray<object>): ReadonlyArray<Transfer> =>
  Result.getOrThrow(TransferPage.fromJson(JSON.stringify({ results: wires, page_info: { has_next_page: false } })))
    .results

const plain = { id: "tr_1", kind: "cash_in", status: "complete", created_at: "2024-09-01T00:00:00Z" }
const [one, two] = [JSON.stringify(plain), JSON.stringify({ ...plain, id: "tr_2" })]
const both = transfersOf(plain, { ...plain, id: "tr_2" })
const columns = TransferColumns.flat.filter(({ name }) => ["id", "external_id"].includes(name))

describe("JSON", () => {
  const encoder = TransferEncoder.make("json", { csvRaw: false })

  test("is one object, with a transfer a line, whatever the batches", () => {
    const text = encoder.open + encoder.batch(both.slice(0, 1), true) + encoder.batch(both.slice(1), false)
    expect(text + encoder.close).toBe(`{"results":[\n${one},\n${two}\n],"page_info":{"has_next_page":false}}\n`)
    expect(text + encoder.truncated).toBe(`{"results":[\n${one},\n${two}\n],"page_info":{"has_next_page":true}}\n`)
  })

  test("is the same from texts", () => {
    expect(encoder.ofTexts?.(`${one}\n${two}`, true)).toBe(encoder.batch(both, true))
    expect(encoder.ofTexts?.(`${one}\n${two}`, false)).toBe(encoder.batch(both, false))
  })

  test("has nothing for an empty batch", () => {
    expect(encoder.batch([], true)).toBe("")
  })

  test("with some columns has a flat object of texts for each transfer, and cannot be made from texts", () => {
    const flat = TransferEncoder.make("json", { csvRaw: false, columns })
    const transfers = transfersOf({ ...plain, external_id: "order-1" }, { ...plain, id: "tr_2" })
    expect(flat.batch(transfers, true)).toBe('\n{"id":"tr_1","external_id":"order-1"},\n{"id":"tr_2"}')
    expect(flat.ofTexts).toBeUndefined()
  })
})

test("NDJSON has a transfer a line, and is the same from texts", () => {
  const encoder = TransferEncoder.make("ndjson", { csvRaw: false })
  expect(encoder.open + encoder.batch(both, true) + encoder.close + encoder.truncated).toBe(`${one}\n${two}\n`)
  expect(encoder.ofTexts?.(`${one}\n${two}`, true)).toBe(`${one}\n${two}\n`)
})

test("CSV is not made from texts, and has no rows for an empty batch", () => {
  const encoder = TransferEncoder.make("csv", { csvRaw: false })
  expect(encoder.ofTexts).toBeUndefined()
  expect(encoder.batch([], true)).toBe("")
})

test("a column of fields that the contract does not name is empty if there are none", () => {
  const [transfer] = both
  if (transfer === undefined) throw new Error("no transfer")
  expect(TransferColumns.toCells(transfer).at(-1)).toBeUndefined()
})
