/** The wire, byte by byte, against files written by hand from partner-api.md. */
import * as fs from "node:fs/promises"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { expect, test } from "vitest"
import { call } from "../../../scripts/test/partner.ts"

const golden = (name: string) => fs.readFile(new URL(`golden/${name}`, import.meta.url), "utf8")

const start = async () => startFakeServer({ data: JSON.parse(await golden("transfers.json")) })

test("a page is the contract's, every text unchanged and unknown fields kept", async () => {
  await using fake = await start()
  const response = await call(`${fake.url}/v1/transfers/search`)
  expect(response.status).toBe(200)
  expect(response.headers.get("content-type")).toBe("application/json")
  const { end_cursor } = response.json.page_info
  expect(end_cursor).toMatch(/^[A-Za-z0-9_-]+$/)
  expect(response.text.replace(end_cursor, "<cursor>")).toBe(await golden("page.json"))
})

test("a search that finds nothing has no end_cursor", async () => {
  await using fake = await start()
  const response = await call(`${fake.url}/v1/transfers/search?external_id=none`)
  expect(response.text).toBe('{"results":[],"page_info":{"has_next_page":false}}')
})

test.each([
  ["external_id=invoice-77", ["tr_01"]],
  ["created_at=gt:2024-09-01T08:30:00Z", ["tr_02"]],
  ["created_at=gte:2024-09-01T08:30:00Z", ["tr_02", "tr_01"]],
  ["created_at=lt:2024-09-01T22:00:00.000000001Z", ["tr_01"]],
  ["created_at=lte:2024-09-01T22:00:00.000000001Z", ["tr_02", "tr_01"]],
  ["created_at=gte:2024-09-01T00:00:00Z&created_at=lt:2024-09-01T12:00:00%2B01:00", ["tr_01"]],
  ["created_at=gte:2025-01-01T00:00:00Z&created_at=lt:2024-01-01T00:00:00Z", []],
  ["limit=1", ["tr_02"]],
])("a search by %s finds %j", async (query, ids) => {
  await using fake = await start()
  const page = await call(`${fake.url}/v1/transfers/search?${query}`)
  expect(page.json.results.map((transfer: { id: string }) => transfer.id)).toEqual(ids)
})
