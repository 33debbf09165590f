/** The orders of results, over HTTP. */
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { sortOrders } from "@transferkit/in-memory/TransferStore"
import { expect, test } from "vitest"
import { call, pageThrough } from "../../../scripts/test/partner.ts"

test.each(sortOrders)(
  "%s: lists one displaced transfer last, and all others as usual, also after a reset",
  async (order) => {
    const data = [{ id: "own", kind: "cash_in", status: "new", created_at: "2024-06-01T00:00:00Z" }]
    await using usual = await startFakeServer({ transfers: 60, order, data })
    await using fake = await startFakeServer({ transfers: 60, order, data, displaced: 1, seed: 1 })
    const expected = (await pageThrough(usual.url, "limit=7")).ids
    const { ids } = await pageThrough(fake.url, "limit=7")
    expect(ids).not.toEqual(expected)
    expect(ids).toEqual([...expected.filter((id) => id !== ids.at(-1)), ids.at(-1)])
    await call(`${fake.url}/_fake/transfers/${ids[3]}`, { method: "DELETE" })
    await call(`${fake.url}/_fake/reset`, { method: "POST" })
    expect((await pageThrough(fake.url, "limit=20")).ids).toEqual(ids)
  },
)

test("by-updated: lists a transfer first once it changes", async () => {
  await using fake = await startFakeServer({ transfers: 60, order: "by-updated" })
  const { ids } = await pageThrough(fake.url)
  const body = { status: "declined", updated_at: "2025-02-01T00:00:00Z" }
  await call(`${fake.url}/_fake/transfers/${ids[30]}`, { method: "PATCH", body })
  expect((await pageThrough(fake.url)).ids[0]).toBe(ids[30])
})

test("lists generated transfers that were deleted and inserted again, in any order", async () => {
  await using fake = await startFakeServer({ transfers: 60, order: "shuffled" })
  const { ids } = await pageThrough(fake.url)
  for (const id of ids.slice(0, 30)) {
    const url = `${fake.url}/_fake/transfers/${id}`
    const { json } = await call(url)
    await call(url, { method: "DELETE" })
    fake.insert([json])
  }
  expect((await pageThrough(fake.url, "limit=7")).ids.toSorted()).toEqual(ids.toSorted())
})
