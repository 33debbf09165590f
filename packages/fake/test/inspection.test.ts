/** The operations that show a person what happened: responses as clients got them, and transfers by status. */
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { expect, test } from "vitest"
import { call } from "../../../scripts/test/partner.ts"

test("shows the response of a request as it was sent", async () => {
  await using fake = await startFakeServer({ transfers: 3 })
  fake.addFaults({ when: { request: 2 }, faults: [{ fault: "status", status: 503, headers: { "x-why": "test" } }] })
  const sent = [await call(`${fake.url}/v1/transfers/search`), await call(`${fake.url}/v1/transfers/search`)]
  const shown = [await call(`${fake.url}/_fake/requests/req-1`), await call(`${fake.url}/_fake/requests/req-2`)]
  expect(shown.map(({ json }) => json.response.body)).toEqual(sent.map(({ text }) => text))
  expect(shown[0]?.json).toMatchObject({ id: "req-1", path: "/v1/transfers/search", response: { status: 200 } })
  expect(shown[1]?.json.response).toMatchObject({ status: 503, headers: { "x-why": "test", "x-request-id": "req-2" } })
})

test("keeps the start of the latest 100 responses, until they are removed", async () => {
  await using fake = await startFakeServer({ transfers: 3 })
  const responseOf = async (id: string) => (await call(`${fake.url}/_fake/requests/${id}`)).json.response
  fake.addFaults({ when: { request: 1 }, faults: [{ fault: "padding", bytes: 40_000 }] })
  await call(`${fake.url}/v1/capabilities`)
  const { body } = await responseOf("req-1")
  expect(body).toHaveLength(32 * 1024)
  for (let n = 2; n <= 101; n++) await call(`${fake.url}/v1/capabilities`)
  expect(await responseOf("req-1")).toBe(undefined)
  expect((await responseOf("req-101")).body).toBe(body.trimEnd())
  await call(`${fake.url}/_fake/requests`, { method: "DELETE" })
  expect((await call(`${fake.url}/_fake/requests/req-101`)).status).toBe(404)
})

test("records how long a response was held back and sent in pieces", async () => {
  await using fake = await startFakeServer()
  fake.addFaults({ faults: [{ fault: "latency", ms: 30 }] }, { faults: [{ fault: "drip", bytes: 4000, every_ms: 7 }] })
  const { text } = await call(`${fake.url}/v1/capabilities`)
  expect(fake.requests()[0]).toMatchObject({ delay_ms: 30, drip_ms: (Math.ceil(text.length / 4000) - 1) * 7 })
  fake.clearFaults()
  await call(`${fake.url}/v1/capabilities`)
  expect(Object.keys(fake.requests()[1] ?? {})).not.toContain("delay_ms")
})

test("says what happened to a response on its way", async () => {
  await using fake = await startFakeServer()
  fake.addFaults(
    { when: { request: 1 }, faults: [{ fault: "truncate" }] },
    { when: { request: 2 }, faults: [{ fault: "reset", at: "before" }] },
    { when: { request: 3 }, faults: [{ fault: "garbage", bytes: 7 }] },
    { when: { request: 4 }, faults: [{ fault: "bad_gzip" }] },
  )
  const notes = []
  for (let n = 1; n <= 5; n++) {
    await fetch(`${fake.url}/v1/nothing`).then(
      (response) => response.text().catch(() => ""),
      () => "",
    )
    notes.push((await call(`${fake.url}/_fake/requests/req-${n}`)).json.response.notes)
  }
  expect(notes).toEqual([
    ["The connection ended after half of the body."],
    ["Nothing of this was sent: the connection was reset before."],
    ["Nothing of this was sent: the connection ended after 7 bytes that are not HTTP."],
    ["The body was compressed with a wrong checksum."],
    [],
  ])
})

test("pages through the transfers with a status", async () => {
  await using fake = await startFakeServer({ transfers: 500 })
  const all: Array<string> = []
  const declined: Array<string> = []
  const page = async (query: string) => (await call(`${fake.url}/_fake/transfers?${query}`)).json
  for (const [query, ids] of [
    ["", all],
    ["status=declined&limit=7&", declined],
  ] as const) {
    for (let cursor = ""; ;) {
      const { results, page_info } = await page(query + cursor)
      if (query !== "" && page_info.has_next_page) expect(results).toHaveLength(7)
      for (const { id, status } of results) if (query === "" ? status === "declined" : true) ids.push(id)
      if (page_info.has_next_page !== true) break
      cursor = `after_cursor=${page_info.end_cursor}`
    }
  }
  expect(all.length).toBeGreaterThan(14)
  expect(declined).toEqual(all)
  expect(await page("status=odd")).toMatchObject({ results: [], page_info: { has_next_page: false } })
})

test("reads at most 10,000 transfers for a page, and goes on from there", async () => {
  await using fake = await startFakeServer({ transfers: 10_050 })
  const search = async (query: string) => (await call(`${fake.url}/_fake/transfers?status=odd${query}`)).json
  const first = await search("")
  expect(first).toMatchObject({ results: [], page_info: { has_next_page: true } })
  const next = await search(`&after_cursor=${first.page_info.end_cursor}`)
  expect(next).toMatchObject({ results: [], page_info: { has_next_page: false } })
})

test("finds transfers by the start of an id or external id, and counts what a search finds", async () => {
  await using fake = await startFakeServer({ transfers: 400 })
  const get = async (path: string) => (await call(`${fake.url}/_fake/${path}`)).json
  const [{ id, external_id, created_at }] = (await get("transfers")).results
  for (const prefix of [id, external_id, external_id.slice(0, -1)]) {
    const query = `prefix=${encodeURIComponent(prefix)}`
    const { results } = await get(`transfers?${query}`)
    expect(results.map((row: { readonly id: string }) => row.id)).toContain(id)
    expect(await get(`count?${query}`)).toEqual({ count: results.length, is_complete: true })
  }
  expect(await get("count")).toEqual({ count: 400, is_complete: true })
  expect(await get(`count?prefix=${id.slice(1)}`)).toEqual({ count: 0, is_complete: true })
  expect(await get(`count?created_at=lt:${created_at}&limit=1`)).toEqual({ count: 399, is_complete: true })
  expect((await call(`${fake.url}/_fake/count?created_at=soon`)).status).toBe(400)
})

test("counts among the first 10,000 transfers, and says that there may be more", async () => {
  await using fake = await startFakeServer({ transfers: 10_050 })
  const counted = (await call(`${fake.url}/_fake/count?status=odd`)).json
  expect(counted).toEqual({ count: 0, is_complete: false })
})
