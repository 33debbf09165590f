/** What the fake refuses, and how it says so. */
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { expect, test } from "vitest"
import { basic, call } from "../../../scripts/test/partner.ts"

test.each([
  ["limit=0", "limit"],
  ["limit=21", "limit"],
  ["limit=abc", "limit"],
  ["limit=", "limit"],
  ["limit=1.0", "limit"],
  ["limit=1&limit=1", "limit"],
  ["created_at=foo", "created_at"],
  ["created_at=", "created_at"],
  ["created_at=gte:yesterday", "created_at"],
  ["created_at=eq:2024-09-01T00:00:00Z", "created_at"],
  ["created_at=gte:2024-09-01T00:00:00+02:00", "%2B"],
  ["external_id=", "external_id"],
  ["external_id=a&external_id=b", "external_id"],
  ["external_id=%ff", "external_id"],
  ["colour=red", '"colour"'],
  ["after_cursor=", "after_cursor"],
  ["after_cursor=foreign", "after_cursor"],
])("refuses ?%s with 400, naming %s", async (query, named) => {
  await using fake = await startFakeServer({ transfers: 1 })
  const { status, json } = await call(`${fake.url}/v1/transfers/search?${query}`)
  expect(status).toBe(400)
  expect(json.errors).toHaveLength(1)
  expect(json.errors[0].message).toContain(named)
  expect(Object.keys(json.errors[0])).toEqual(["code", "message"])
})

test.each([
  ["no credentials", undefined],
  ["a wrong secret", basic("demo:wrong")],
  ["a secret that only starts right", basic("demo:demo-secret2")],
  ["an unknown partner", basic("other:demo-secret")],
  ["an empty secret", basic("demo:")],
  ["credentials without a colon", basic("demo")],
  ["another scheme", "Bearer demo:demo-secret"],
  ["something that is not Base64", "Basic demo:demo-secret"],
])("refuses %s with 401 and asks for Basic", async (_, value) => {
  await using fake = await startFakeServer()
  const headers = value === undefined ? {} : { authorization: value }
  const response = await fetch(`${fake.url}/v1/transfers/search?limit=0`, { headers })
  expect(response.status).toBe(401)
  expect(response.headers.get("www-authenticate")).toMatch(/^Basic realm=/)
  const text = await response.text()
  expect(JSON.parse(text).errors[0].code).toBe("unauthorized")
  expect(text).not.toContain("demo-secret")
})

test("accepts the scheme's name in any case", async () => {
  await using fake = await startFakeServer()
  const headers = { authorization: basic("demo:demo-secret").replace("Basic", "bASIC") }
  expect((await fetch(`${fake.url}/v1/capabilities`, { headers })).status).toBe(200)
})

test("answers 404 elsewhere and 405 with Allow to other methods", async () => {
  await using fake = await startFakeServer()
  for (const path of ["/v2/capabilities", "/v1/transfers", "/v1/transfers/search/", "/v1//capabilities"]) {
    const { status, json } = await call(fake.url + path)
    expect(status, path).toBe(404)
    expect(json.errors[0].code).toBe("not_found")
  }
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    const { status, headers } = await call(`${fake.url}/v1/transfers/search`, { method })
    expect(status, method).toBe(405)
    expect(headers.get("allow")).toBe("GET, HEAD")
  }
})

test("answers HEAD like GET, without the body", async () => {
  await using fake = await startFakeServer({ transfers: 3 })
  const url = `${fake.url}/v1/transfers/search`
  const head = await call(url, { method: "HEAD" })
  const get = await call(url)
  expect(head.status).toBe(200)
  for (const name of ["content-length", "content-type", "content-encoding"]) {
    expect(head.headers.get(name)).toBe(get.headers.get(name))
  }
  expect(Number(head.headers.get("content-length"))).toBeGreaterThan(100)
  expect(get.json.results).toHaveLength(3)
  expect(head.text).toBe("")
})

test("names every answer with an x-request-id of its own", async () => {
  await using fake = await startFakeServer()
  const ids = await Promise.all(
    ["/v1/capabilities", "/nowhere", "/v1/transfers/search", "/_fake/health", "/_fake/nowhere", "/openapi.json"].map(
      async (path) => {
        const response = await fetch(fake.url + path)
        return response.headers.get("x-request-id")
      },
    ),
  )
  const events = await fetch(`${fake.url}/_fake/events`)
  ids.push(events.headers.get("x-request-id"))
  await events.body?.cancel()
  expect(new Set(ids).size).toBe(7)
  expect(ids).not.toContain(null)
})

test("shows a partner its own transfers only, and does not take the cursor of another", async () => {
  await using fake = await startFakeServer({ partners: ["a:one", "b:two:2"], transfers: 30 })
  const page = (credentials: string, query = "") =>
    call(`${fake.url}/v1/transfers/search?limit=20${query}`, { credentials })
  const [a, b] = [await page("a:one"), await page("b:two:2")]
  const ids = new Set([...a.json.results, ...b.json.results].map((transfer: { id: string }) => transfer.id))
  expect(ids.size).toBe(40)
  const cursor = `&after_cursor=${a.json.page_info.end_cursor}`
  expect((await page("a:one", cursor)).status).toBe(200)
  expect((await page("b:two:2", cursor)).status).toBe(400)
})
