/** The operations under /_fake. */
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { expect, test } from "vitest"
import { call, pageThrough } from "../../../scripts/test/partner.ts"

test("inserts, reads, changes and removes transfers", async () => {
  await using fake = await startFakeServer({ transfers: 5 })
  const admin = (path: string, options = {}) => call(`${fake.url}/_fake/${path}`, options)
  const created = await admin("transfers", { method: "POST", body: { id: "mine/1", external_id: "ours" } })
  expect([created.status, created.json]).toEqual([201, { ids: ["mine/1"] }])
  const found = await call(`${fake.url}/v1/transfers/search?external_id=ours`)
  expect(found.json.results[0]).toMatchObject({ id: "mine/1", status: "executing", external_id: "ours" })
  expect((await admin("transfers", { method: "POST", body: { id: "mine/1" } })).status).toBe(400)
  const changed = await admin("transfers/mine%2F1", { method: "PATCH", body: { status: "parked", external_id: null } })
  expect(changed.json).toMatchObject({ id: "mine/1", status: "parked" })
  expect((await call(`${fake.url}/v1/transfers/search?external_id=ours`)).json.results).toEqual([])
  expect((await admin("transfers/mine%2F1", { method: "PATCH", body: { id: "other" } })).status).toBe(400)
  expect((await admin("transfers/mine%2F1", { method: "PATCH", body: { created_at: "now" } })).status).toBe(400)
  expect((await admin("transfers/mine%2F1", { method: "DELETE" })).status).toBe(204)
  expect((await admin("transfers/mine%2F1")).status).toBe(404)
  expect((await pageThrough(fake.url)).ids).toHaveLength(5)
})

test("changes and removes generated transfers, and restores all of them on reset", async () => {
  await using fake = await startFakeServer({ transfers: 30 })
  const { ids } = await pageThrough(fake.url)
  const [first = "", second = "", third = ""] = ids
  const admin = (path: string, options = {}) => call(`${fake.url}/_fake/${path}`, options)
  await admin(`transfers/${first}`, { method: "PATCH", body: { status: "declined" } })
  await admin(`transfers/${second}`, { method: "PATCH", body: { created_at: "2024-01-01T00:00:00Z" } })
  await admin(`transfers/${third}`, { method: "DELETE" })
  const changed = await pageThrough(fake.url)
  expect(changed.ids).toHaveLength(29)
  expect(changed.ids[0]).toBe(first)
  expect(changed.ids).toContain(second)
  expect(changed.ids[1]).not.toBe(second)
  expect((await admin(`transfers/${first}`)).json.status).toBe("declined")
  await admin("transfers", { method: "DELETE" })
  expect((await pageThrough(fake.url)).ids).toEqual([])
  await admin("reset", { method: "POST" })
  expect((await pageThrough(fake.url)).ids).toEqual(ids)
})

test("inserts all transfers of a body or none", async () => {
  await using fake = await startFakeServer()
  const body = [{ id: "a" }, { id: "b", kind: 7 }]
  const reply = await call(`${fake.url}/_fake/transfers`, { method: "POST", body })
  expect(reply.status).toBe(400)
  expect(reply.json.errors[0].message).toContain("/kind")
  expect((await pageThrough(fake.url)).ids).toEqual([])
})

test("inserts at most 10,000 transfers of a body", async () => {
  await using fake = await startFakeServer()
  const insert = (count: number) =>
    call(`${fake.url}/_fake/transfers`, { method: "POST", body: Array.from({ length: count }, () => ({})) })
  const { status, json } = await insert(10_001)
  expect(status).toBe(400)
  expect(json.errors[0].message).toBe("Send at most 10000 transfers in a request, not 10001.")
  expect((await call(`${fake.url}/_fake/health`)).json.partners[0].transfers).toBe(0)
  expect((await insert(10_000)).status).toBe(201)
})

test.each([
  ["commas", `[1${",1".repeat(1_000_001)}]`, "POST", "transfers"],
  ["lists", "[".repeat(1_000_001) + "]".repeat(1_000_001), "POST", "faults"],
  ["objects", '{"a":'.repeat(1_000_001) + "1" + "}".repeat(1_000_001), "PUT", "capabilities"],
])("reads no body with more than a million %s", async (_, body, method, path) => {
  await using fake = await startFakeServer()
  const headers = { "content-type": "application/json" }
  const response = await fetch(`${fake.url}/_fake/${path}`, { method, headers, body })
  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 413,
    body: { errors: [{ code: "too_large", message: "The body has more than 1000000 values: send it in parts." }] },
  })
})

test("adds no rule that has a name twice", async () => {
  await using fake = await startFakeServer()
  const headers = { "content-type": "application/json" }
  const body = '{"faults":[{"fault":"bom",\n"fault":"malformed"}]}'
  const response = await fetch(`${fake.url}/_fake/faults`, { method: "POST", headers, body })
  expect(response.status).toBe(400)
  const message = 'Not fault rules: line 2, column 1: its object has "fault" already: remove one of the two.'
  expect(await response.json()).toEqual({ errors: [{ code: "invalid_request", message }] })
  expect((await call(`${fake.url}/_fake/faults`)).json.rules).toEqual([])
})

test("applies to the partner of the credentials or of the parameter", async () => {
  await using fake = await startFakeServer({ partners: ["a:1", "b:2"] })
  const insert = (options: object, query = "") =>
    call(`${fake.url}/_fake/transfers${query}`, { method: "POST", body: {}, ...options })
  await insert({ headers: { authorization: "" } })
  await insert({ credentials: "b:2" })
  await insert({ credentials: "a:1" }, "?partner=b")
  expect((await pageThrough(fake.url, "", "a:1")).ids).toHaveLength(1)
  expect((await pageThrough(fake.url, "", "b:2")).ids).toHaveLength(2)
  expect((await insert({}, "?partner=c")).status).toBe(404)
})

test("advances statuses with the clock: executing, approved, complete or declined", async () => {
  await using fake = await startFakeServer({ transfers: 200 })
  const admin = (path: string, options = {}) => call(`${fake.url}/_fake/${path}`, options)
  const body = [{ id: "new" }, { id: "odd", status: "parked" }]
  await admin("transfers", { method: "POST", body })
  const status = async (id: string) => (await admin(`transfers/${id}`)).json.status
  const advance = async (by: string) => (await admin("clock/advance", { method: "POST", body: { by } })).json.now
  expect(await advance("59s")).toBe("2025-01-01T00:00:59Z")
  expect(await status("new")).toBe("executing")
  await advance("1s")
  expect(await status("new")).toBe("approved")
  await advance("10m")
  expect(["complete", "declined"]).toContain(await status("new"))
  const { json } = await admin("transfers/new")
  expect(json.updated_at).toBe("2025-01-01T00:11:00Z")
  if (json.status === "complete") expect(json.network_transaction_id).toMatch(/^\w{60,}$/)
  const count = async () => {
    const open = []
    const { ids } = await pageThrough(fake.url)
    for (const id of ids) if (!["complete", "declined"].includes(await status(id))) open.push(id)
    return open
  }
  expect((await count()).length).toBeGreaterThan(2)
  await advance("4d")
  expect(await count()).toEqual(["odd"])
  for (const by of ["", "-1s", "soon", "999999999d"]) {
    expect((await admin("clock/advance", { method: "POST", body: { by } })).status).toBe(400)
  }
})

test("replaces capabilities, but only by valid ones", async () => {
  await using fake = await startFakeServer()
  const capabilities = {
    supported_countries: [],
    supported_currencies: [],
    supported_payment_methods: [],
    transfer_limits: { "fiat/USD": { min_transfer: "1.00", max_transfer: "2.00" } },
  }
  const put = (body: unknown) => call(`${fake.url}/_fake/capabilities`, { method: "PUT", body })
  expect((await put({ ...capabilities, transfer_limits: { "fiat/USD": { min_transfer: 1 } } })).status).toBe(400)
  expect((await put("nonsense")).status).toBe(400)
  expect((await put(capabilities)).status).toBe(204)
  expect((await call(`${fake.url}/v1/capabilities`)).json).toEqual(capabilities)
})

test("adds and removes fault rules, and rejects invalid ones with their place", async () => {
  await using fake = await startFakeServer()
  const faults = (method: string, body?: unknown) =>
    call(`${fake.url}/_fake/faults`, { method, ...(body !== undefined && { body }) })
  expect((await faults("POST", { times: 1, faults: [{ fault: "status", status: 500 }] })).status).toBe(201)
  expect((await call(`${fake.url}/v1/capabilities`)).status).toBe(500)
  expect((await faults("GET")).json.rules).toMatchObject([{ seen: 1, applied: 1, rule: { times: 1 } }])
  expect((await faults("DELETE")).status).toBe(204)
  expect((await faults("GET")).json.rules).toEqual([])
  for (const body of ["{", {}, { faults: [] }, { faults: [{ fault: "fire" }] }, { faults: [{ fault: "status" }] }]) {
    expect((await faults("POST", body)).status, JSON.stringify(body)).toBe(400)
  }
  const misspelt = await faults("POST", { whem: {}, faults: [{ fault: "bom" }] })
  expect(misspelt.json.errors[0].message).toContain("whem")
})

test("requires the admin token if there is one", async () => {
  await using fake = await startFakeServer({ adminToken: "let-me-in" })
  const reset = (headers: Record<string, string>) => call(`${fake.url}/_fake/reset`, { method: "POST", headers })
  expect((await reset({})).status).toBe(401)
  expect((await reset({ "x-fake-token": "let-me-im" })).status).toBe(401)
  expect((await reset({ "x-fake-token": "let-me-in" })).status).toBe(204)
  expect((await call(`${fake.url}/_fake/health`)).status).toBe(200)
})

test("reports health, and rejects other methods and paths", async () => {
  await using fake = await startFakeServer({ transfers: 12 })
  const admin = (path: string, method = "GET") => call(`${fake.url}/_fake/${path}`, { method })
  const { json } = await admin("health")
  expect(json).toMatchObject({ status: "ok", partners: [{ partner: "demo", transfers: 12 }] })
  expect((await admin("reset")).status).toBe(405)
  expect((await admin("reset")).headers.get("allow")).toBe("POST")
  for (const path of ["", "nothing", "transfers/1/2", "clock", "clock/rewind"]) {
    expect((await admin(path)).status, path).toBe(404)
  }
})

test("serves a repeated request like a new one after each change", async () => {
  await using fake = await startFakeServer({ transfers: 30 })
  const url = `${fake.url}/v1/transfers/search?limit=3`
  const admin = (method: string, path: string, body?: unknown) =>
    call(`${fake.url}/_fake/${path}`, { method, ...(body !== undefined && { body }) })
  const [{ id }] = (await call(url)).json.results
  const steps: ReadonlyArray<() => Promise<unknown>> = [
    () => admin("POST", "transfers", { id: "new" }),
    () => admin("PATCH", "transfers/new", { status: "odd" }),
    () => admin("PATCH", `transfers/${id}`, { status: "odd" }),
    () => admin("DELETE", `transfers/${id}`),
    () => admin("POST", "reset"),
    () => admin("POST", "transfers", { id: "other" }),
    () => admin("POST", "clock/advance", { by: "5m" }),
    () => admin("DELETE", "transfers"),
  ]
  for (let again = 0; again < 3; again++) await call(url)
  const texts = [(await call(url)).text]
  for (const step of steps) {
    await step()
    texts.push((await call(url)).text)
    for (let again = 0; again < 3; again++) expect((await call(url)).text).toBe(texts.at(-1))
    expect(texts.at(-1)).not.toBe(texts.at(-2))
    expect((await call(`${url}&`)).text).toBe(texts.at(-1))
  }
})
