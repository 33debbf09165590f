/** The journal records requests, without secrets. */
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { type Filter, UnexpectedRequests } from "@transferkit/fake/RequestFilter"
import { expect, test } from "vitest"
import { call, pageThrough } from "../../../scripts/test/partner.ts"

const search = "/v1/transfers/search"

test("records a request and its outcome", async () => {
  await using fake = await startFakeServer({ transfers: 3 })
  const reply = await call(
    `${fake.url}${search}?limit=2&created_at=gte:2024-01-01T00:00:00Z&created_at=lt:2025-01-01T00:00:00Z`,
  )
  const [entry] = fake.requests()
  expect(entry).toMatchObject({
    id: reply.headers.get("x-request-id"),
    method: "GET",
    path: search,
    parameters: { limit: "2", created_at: ["gte:2024-01-01T00:00:00Z", "lt:2025-01-01T00:00:00Z"] },
    partner: "demo",
    status: 200,
    faults: [],
    page: 1,
  })
  expect(entry?.bytes).toBe(Buffer.byteLength(reply.text))
  expect(entry?.duration_ms).toBeGreaterThan(0)
  expect(Math.abs(Date.now() - Date.parse(entry?.at ?? ""))).toBeLessThan(60_000)
})

test("can be read over HTTP, filtered, and cleared", async () => {
  await using fake = await startFakeServer({ transfers: 45 })
  await pageThrough(fake.url)
  await call(`${fake.url}/nowhere`)
  await call(`${fake.url}${search}`, { credentials: "demo:wrong" })
  const count = async (query: string) => (await call(`${fake.url}/_fake/requests?${query}`)).json.requests.length
  expect(await count("")).toBe(5)
  expect(await count("status=200")).toBe(3)
  expect(await count("status=404")).toBe(1)
  expect(await count("page=2")).toBe(1)
  expect(await count("partner=demo&path=/v1/transfers/search")).toBe(3)
  expect(await count("method=POST")).toBe(0)
  expect((await call(`${fake.url}/_fake/requests`, { method: "DELETE" })).status).toBe(204)
  expect(await count("")).toBe(0)
})

test("contains no secret, and neither does any response", async () => {
  await using fake = await startFakeServer({ partners: ["p:correct-horse"], adminToken: "battery-staple" })
  const replies = [
    await call(`${fake.url}${search}`, { credentials: "p:correct-horse" }),
    await call(`${fake.url}${search}`, { credentials: "p:correct-hors" }),
    await call(`${fake.url}/_fake/requests`, { headers: { "x-fake-token": "battery-staple" } }),
    await call(`${fake.url}/_fake/health`),
  ]
  expect(replies.map((reply) => reply.status)).toEqual([200, 401, 200, 200])
  const told = JSON.stringify(replies.map((reply) => reply.text)) + JSON.stringify(fake.requests())
  expect(told).toContain("/v1/transfers/search")
  for (const secret of ["correct-hors", Buffer.from("p:correct-hors").toString("base64").slice(0, 16), "battery"]) {
    expect(told).not.toContain(secret)
  }
})

test("lists the requests when an assertion fails", async () => {
  await using fake = await startFakeServer({ transfers: 45 })
  await pageThrough(fake.url)
  fake.expectRequests({ page: 2 }, 1)
  fake.expectRequests({ status: 500 }, 0)
  expect(() => fake.expectRequests({ page: 2 }, 2)).toThrow(UnexpectedRequests)
  expect(() => fake.expectRequests({ page: 4 }, 1)).toThrow(/page 3/)
})

test("names the request that nearly met an expectation, and the parameter that differs", async () => {
  await using fake = await startFakeServer({ transfers: 45 })
  const days = "created_at=gte:2024-01-01T00:00:00Z&created_at=lt:2025-01-01T00:00:00Z"
  await call(`${fake.url}${search}?limit=20&external_id=a`)
  await call(`${fake.url}${search}?limit=10&${days}`)
  await call(`${fake.url}/v1/capabilities`)
  fake.expectRequests({ path: search, limit: "10", created_at: "lt:2025-01-01T00:00:00Z" }, 1)
  const failure = (filter: Filter, times = 1): string => {
    try {
      fake.expectRequests(filter, times)
    } catch (error) {
      return error instanceof Error ? (error.message.split(" There were:")[0] ?? "") : ""
    }
    return "none"
  }
  expect(failure({ path: search, limit: "10", external_id: "b" })).toBe(
    `Expected 1 requests like {"path":"${search}","limit":"10","external_id":"b"}, not 0. The closest is GET ${search} ` +
      '{"limit":"10","created_at":["gte:2024-01-01T00:00:00Z","lt:2025-01-01T00:00:00Z"]} → 200, page 1: ' +
      'its external_id is missing, not "b".',
  )
  expect(failure({ external_id: "a", limit: "21", path: search })).toMatch(
    / 200, page 1: its limit is "20", not "21"\.$/,
  )
  expect(failure({ path: search, created_at: "gt:x" })).toMatch(/: its created_at is \["gte:.*"\], not "gt:x"\.$/)
  // Nothing in common is not close, and too many need no closest one.
  expect(failure({ status: 500 })).toBe('Expected 1 requests like {"status":500}, not 0.')
  expect(failure({ path: search }, 1)).toBe(`Expected 1 requests like {"path":"${search}"}, not 2.`)
  const { json } = await call(`${fake.url}/_fake/requests?limit=10`)
  expect(json.requests).toHaveLength(1)
})

test("numbers a page by its cursor, even if a fault repeats it", async () => {
  await using fake = await startFakeServer({ transfers: 100 })
  const { cursors } = await pageThrough(fake.url)
  fake.addFaults({ when: { request: [1, 2] }, faults: [{ fault: "repeated_cursor" }] })
  for (let n = 0; n < 3; n++) await call(`${fake.url}${search}?after_cursor=${cursors[1]}`)
  expect(fake.requests().map(({ page }) => page)).toEqual([1, 2, 3, 4, 5, 2, 2, 2])
})

test("names the page of each request as it arrives, however few are kept", async () => {
  const arrived: Array<number | undefined> = []
  await using fake = await startFakeServer({
    transfers: 45,
    journalSize: 2,
    onRequest: ({ page }) => arrived.push(page),
  })
  await pageThrough(fake.url)
  expect(arrived).toEqual([1, 2, 3])
  expect(fake.requests().map(({ page }) => page)).toEqual([2, 3])
})

test("keeps only the latest requests, in order", async () => {
  await using fake = await startFakeServer({ journalSize: 3 })
  for (let n = 0; n < 5; n++) await call(`${fake.url}/${n}`)
  expect(fake.requests().map((entry) => entry.path)).toEqual(["/2", "/3", "/4"])
})
