/** The fake without a socket says what the fake says over one. */
import { describe, expect, it } from "vitest"
import * as FakeFetch from "../src/FakeFetch.ts"
import { startFakeServer } from "../src/FakeServer.ts"

const options = { transfers: 45, seed: 3 }
const authorization = `Basic ${btoa("demo:demo-secret")}`
const json = { "content-type": "application/json" }

type Call = readonly [path: string, init?: RequestInit]

const calls: ReadonlyArray<Call> = [
  ["/v1/capabilities"],
  ["/v1/capabilities", { headers: { authorization } }],
  ["/v1/transfers/search?limit=3", { headers: { authorization } }],
  ["/v1/transfers/search?limit=3&created_at=gte:2024-06-01T00:00:00Z", { headers: { authorization } }],
  ["/v1/transfers/search?limit=x", { headers: { authorization } }],
  ["/v1/nothing", { headers: { authorization } }],
  ["/v1/transfers/search", { method: "POST", headers: { authorization } }],
  ["/_fake/health"],
  ["/_fake/transfers?limit=2"],
  ["/_fake/transfers", { method: "POST", headers: json, body: '{"id":"tr_mine","created_at":"2024-12-01T00:00:00Z"}' }],
  ["/_fake/transfers/tr_mine"],
  ["/_fake/clock/advance", { method: "POST", headers: json, body: '{"by":"15m"}' }],
  ["/_fake/faults", { method: "POST", headers: json, body: '{"times":1,"faults":[{"fault":"status","status":503}]}' }],
  ["/v1/capabilities", { headers: { authorization } }],
  ["/v1/capabilities", { headers: { authorization } }],
  ["/_fake/nothing"],
]

const long = "X".repeat(1_000_000)
const longCalls: ReadonlyArray<Call> = [
  ["/v1/capabilities", { method: long }],
  ["/_fake/transfers", { method: long }],
  [`/v1/${long}`],
  [`/_fake/${long}`],
  [`/_fake/transfers/${long}`],
  [`/_fake/transfers/${long}`, { method: "DELETE" }],
  [`/_fake/requests/${long}`],
  [`/_fake/faults/${long}`, { method: "DELETE" }],
  [`/_fake/reset?${long}`, { method: "POST" }],
  [`/_fake/transfers?${long}&${long}`],
  [`/_fake/health?partner=${long}`],
  [`/v1/transfers/search?${long}`, { headers: { authorization } }],
  [`/v1/transfers/search?limit=${long}`, { headers: { authorization } }],
  [`/v1/transfers/search?created_at=gte:${long}`, { headers: { authorization } }],
  [`/v1/transfers/search?created_at=${long}`, { headers: { authorization } }],
  [`/v1/transfers/search?after_cursor=${long}`, { headers: { authorization } }],
  [`/v1/capabilities?${long}`, { headers: { authorization } }],
]

/** A response without what a socket adds. */
const shown = async (response: Response) => ({
  status: response.status,
  type: response.headers.get("content-type"),
  body: (await response.text()).replace(/"now":"[^"]*"/, '"now":"…"'),
})

describe("a fake without a socket", () => {
  it("repeats no long part of a request", async () => {
    for (const [path, init] of longCalls) {
      const response = await FakeFetch.make(options)(`https://fake.example${path}`, init)
      expect(response.status, path.slice(0, 40)).toBeGreaterThanOrEqual(400)
      expect((await response.text()).length, path.slice(0, 40)).toBeLessThan(1000)
    }
  })

  it("responds to each call as the server does", async () => {
    await using server = await startFakeServer(options)
    const fetchFake = FakeFetch.make(options)
    for (const [path, init] of calls) {
      const [over, without] = [
        await fetch(server.url + path, init),
        await fetchFake(`https://fake.example${path}`, init),
      ]
      expect([path, await shown(without)]).toEqual([path, await shown(over)])
    }
  })

  it("rejects what a fault breaks, ends what it withholds with the signal, and delays what it delays", async () => {
    const fetchFake = FakeFetch.make({
      faults: [
        { when: { request: 1 }, faults: [{ fault: "reset", at: "body" }] },
        { when: { request: 2 }, faults: [{ fault: "no_reply" }] },
        { when: { request: 3 }, faults: [{ fault: "latency", ms: 30 }] },
        { when: { request: 4 }, faults: [{ fault: "truncate" }] },
      ],
    })
    const call = (signal?: AbortSignal) =>
      fetchFake("https://fake.example/v1/capabilities", { headers: { authorization }, ...(signal && { signal }) })
    await expect(call()).rejects.toThrow(TypeError)
    await expect(call(AbortSignal.timeout(20))).rejects.toThrow("timeout")
    expect((await call()).status).toBe(200)
    await expect(call()).rejects.toThrow("The connection was lost.")
    expect((await call()).status).toBe(200)
  })

  it("streams its requests as events until the reader ends", async () => {
    const seen: Array<string> = []
    const fetchFake = FakeFetch.make({ onRequest: ({ path }) => void seen.push(path) })
    const stopped = new AbortController()
    const stream = (await fetchFake("https://fake.example/_fake/events", { signal: stopped.signal })).body
    const reader = stream?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toMatch(/^: the requests/)
    await fetchFake("https://fake.example/v1/capabilities")
    expect((await reader?.read())?.value).toMatch(/^event: request\ndata: \{"id":"req-1"/)
    expect(seen).toEqual(["/v1/capabilities"])
    stopped.abort(new Error("enough"))
    await expect(reader?.read()).rejects.toThrow("enough")
  })

  it("throws for options that the server would reject", () => {
    expect(() => FakeFetch.make({ partners: [] })).toThrow("there must be at least one partner")
  })
})
