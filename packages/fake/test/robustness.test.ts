/** No request ends a fake, and no web page controls it. */
import * as http from "node:http"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import type { Rule } from "@transferkit/fake/FaultRule"
import { describe, expect, test, vi } from "vitest"
import { call, pageThrough, raw, request } from "../../../scripts/test/partner.ts"

const search = "/v1/transfers/search"
const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`

describe("a deep body", () => {
  test.each([
    ["POST", "transfers", `{"x":${deep}}`],
    ["PATCH", "transfers/own", `{"x":${deep}}`],
    ["POST", "faults", `{"x":${deep}}`],
    ["POST", "faults", `{"faults":[{"fault":"drift","pointer":"/x","value":${deep}}]}`],
    ["PUT", "capabilities", `{"x":${deep}}`],
    ["POST", "clock/advance", `{"by":${deep}}`],
  ])("gets 400 from %s /_fake/%s", async (method, path, body) => {
    const data = [{ id: "own", kind: "cash_in", status: "new", created_at: "2024-06-01T00:00:00Z" }]
    await using fake = await startFakeServer({ data })
    const { status, json } = await call(`${fake.url}/_fake/${path}`, { method, body })
    expect([status, json.errors[0].message]).toEqual([400, expect.stringContaining("nested more than")])
    expect((await pageThrough(fake.url)).ids).toEqual(["own"])
  })

  test("is rejected in a program and in data, too", async () => {
    const x: unknown = JSON.parse(deep)
    await using fake = await startFakeServer()
    expect(() => fake.insert([{ x }])).toThrow("nested more than")
    expect(() => fake.addFaults(JSON.parse(`{"faults":[{"fault":"drift","pointer":"/x","value":${deep}}]}`))).toThrow(
      "levels of nesting",
    )
    const data = [{ id: "own", kind: "cash_in", status: "new", created_at: "2024-06-01T00:00:00Z", x }]
    await expect(startFakeServer({ data })).rejects.toMatchObject({
      message: expect.stringContaining("nested more than"),
    })
  })
})

const manyHeaders = Object.fromEntries(Array.from({ length: 1000 }, (__, index) => [`x-${index}`, "a"]))

describe("a rule that would end the process is rejected", () => {
  test.each<[string, object]>([
    [
      "drift after deep nesting",
      [
        { fault: "nesting", depth: 100_000 },
        { fault: "drift", pointer: "/x", value: 1 },
      ],
    ],
    ["a huge index", [{ fault: "drift", pointer: "/results/4000000000", value: 1 }]],
    ["endless padding", [{ fault: "padding", bytes: 256 * 1024 * 1024 }]],
    ["a huge value for every row", [{ fault: "drift", pointer: "/results/*/*", value: "x".repeat(100_000) }]],
    ["a fault that is repeated a thousand times", Array.from({ length: 1000 }, () => ({ fault: "bom" }))],
    ["a million rows", [{ fault: "extra_rows", count: 1_000_000 }]],
    [
      "a million rows by a hundred faults",
      Array.from({ length: 100 }, () => ({ fault: "duplicate_rows", count: 10_000 })),
    ],
    ["10,001 rows by two faults", [{ fault: "extra_rows" }, { fault: "duplicate_rows", count: 10_000 }]],
    ["padding by three faults", Array.from({ length: 3 }, () => ({ fault: "padding", bytes: 64 << 20 }))],
    ["a thousand headers", [{ fault: "status", status: 500, headers: manyHeaders }]],
    ["a pointer of 20,000 characters", [{ fault: "drift", pointer: "/0".repeat(10_000), value: 1 }]],
    ["a million insertions", [{ fault: "insert", count: 1_000_000 }]],
  ])("%s", async (_, faults) => {
    await using fake = await startFakeServer({ transfers: 3 })
    const body = { faults }
    expect((await call(`${fake.url}/_fake/faults`, { method: "POST", body })).status).toBe(400)
    expect((await call(fake.url + search)).status).toBe(200)
  })
})

describe("faults that cannot act say so in the journal, and the response stays as it was", () => {
  test.each<[string, ReadonlyArray<Rule>, string]>([
    [
      "a body that other rules nested too deeply",
      [{ faults: [{ fault: "nesting", depth: 100_000 }] }, { faults: [{ fault: "drift", pointer: "/x", value: 1 }] }],
      "drift: the body is nested too deeply",
    ],
    [
      "a body that other rules padded too much",
      [
        { faults: [{ fault: "padding", bytes: 64 << 20 }] },
        { faults: [{ fault: "padding", bytes: 64 << 20 }] },
        { faults: [{ fault: "malformed" }] },
      ],
      "malformed: all faults of a response together may edit 134217728 bytes of text",
    ],
    [
      "the length of an array",
      [{ faults: [{ fault: "drift", pointer: "/results/length", value: 4_000_000_000 }] }],
      "drift: there is nothing at /results/length",
    ],
    [
      "an index beyond the end",
      [{ faults: [{ fault: "drift", pointer: "/results/99999", value: 1 }] }],
      "drift: there is nothing at /results/99999",
    ],
    [
      "a body that is no JSON",
      [
        {
          faults: [
            { fault: "status", status: 200, body: "{" },
            { fault: "drift", pointer: "/results", value: 1 },
          ],
        },
      ],
      "drift: the body is not JSON",
    ],
  ])("%s", async (_, rules, problem) => {
    await using fake = await startFakeServer({ transfers: 3 })
    fake.addFaults(...rules)
    const response = await fetch(fake.url + search, {
      headers: { authorization: `Basic ${Buffer.from("demo:demo-secret").toString("base64")}` },
    })
    expect(response.status).toBe(200)
    await response.arrayBuffer()
    expect(fake.requests().flatMap(({ problems = [] }) => problems)).toEqual([problem])
  })
})

/** Some of the rules that a fake can have, with all the faults that they can have together. */
const rulesOf = (count: number, fault: object) =>
  Array.from({ length: count }, () => ({ faults: Array.from({ length: 2000 / count }, () => fault) }))

describe("the work of rules is bounded", () => {
  test.each<
    [name: string, rules: ReadonlyArray<{ readonly faults: ReadonlyArray<object> }>, problem: string | undefined]
  >([
    ["rows twice, by each of 2,000 faults", rulesOf(20, { fault: "duplicate_rows" }), undefined],
    [
      "10,000 rows twice, by each of 1,000 rules",
      rulesOf(1000, { fault: "duplicate_rows", count: 5000 }),
      "duplicate_rows: all faults of a response together may add 10000 rows, not 5000 more",
    ],
    [
      "10,000 rows more, by each of 1,000 rules",
      rulesOf(1000, { fault: "extra_rows", count: 5000 }),
      "extra_rows: all faults of a response together may add 10000 rows, not 5000 more",
    ],
    ["a byte order mark of each", rulesOf(20, { fault: "bom" }), undefined],
    ["a blank of each", rulesOf(20, { fault: "padding", bytes: 1 }), undefined],
    [
      "a megabyte of garbage of each",
      rulesOf(20, { fault: "garbage", bytes: 1_000_000 }),
      "garbage: all faults of a response together may edit 4194304 bytes of text",
    ],
    ["a cycle of each", rulesOf(20, { fault: "cursor_cycle" }), undefined],
    ["a clock of each", rulesOf(20, { fault: "clock_skew", seconds: 60 }), undefined],
  ])("%s", async (_, rules, problem) => {
    await using fake = await startFakeServer({ transfers: 20_000 })
    expect((await call(`${fake.url}/_fake/faults`, { method: "POST", body: { rules } })).status).toBe(201)
    const begun = performance.now()
    await call(fake.url + search).catch(() => {})
    expect(performance.now() - begun).toBeLessThan(5000)
    const [request] = fake.requests()
    expect(request?.bytes).toBeLessThan(32 << 20)
    expect(request?.problems?.at(-1)).toBe(problem)
  })

  test("rows of a megabyte are sent twice until 128 MiB are added", async () => {
    await using fake = await startFakeServer({ transfers: 0 })
    const big = { payment_reference: "x".repeat(1 << 20) }
    expect((await call(`${fake.url}/_fake/transfers`, { method: "POST", body: [big] })).status).toBe(201)
    const body = { faults: Array.from({ length: 8 }, () => ({ fault: "duplicate_rows", count: 1000 })) }
    expect((await call(`${fake.url}/_fake/faults`, { method: "POST", body })).status).toBe(201)
    expect((await call(fake.url + search)).json.results).toHaveLength(128)
    expect(fake.requests()[0]?.problems).toEqual([
      "duplicate_rows: all faults of a response together may add 134217728 bytes of rows",
    ])
  })

  test("2,000 faults are active, and no more", async () => {
    await using fake = await startFakeServer({ transfers: 3 })
    const add = (rules: unknown) => call(`${fake.url}/_fake/faults`, { method: "POST", body: { rules } })
    const bom = { fault: "bom" }
    const tooMany = [...rulesOf(20, bom), { faults: [bom] }]
    expect((await add(tooMany)).json.errors[0].message).toContain(
      "expected at most 2000 faults of all rules, not 2001, at /rules",
    )
    expect((await add(rulesOf(1000, bom).slice(1))).status).toBe(201)
    expect((await add([{ faults: [bom, bom, bom] }])).json.errors[0].message).toContain(
      "expected at most 2000 faults of all active rules, not 2001: remove some first",
    )
    expect((await add([{ faults: [bom, bom] }])).status).toBe(201)
  })

  test("a body that each drift multiplies is edited until the budget is spent", async () => {
    await using fake = await startFakeServer({ transfers: 20 })
    const faults = Array.from({ length: 40 }, (_, level) => ({
      fault: "drift",
      pointer: `/results${"/*".repeat(level + 1)}`,
      value: Array.from({ length: 20 }, () => []),
    }))
    await call(`${fake.url}/_fake/faults`, { method: "POST", body: { faults } })
    const before = process.cpuUsage()
    expect((await call(fake.url + search)).status).toBe(200)
    const { user } = process.cpuUsage(before)
    expect(user / 1e6).toBeLessThan(10)
    expect(fake.requests().at(-1)?.problems).toContain(
      "drift: all faults of a response together may edit 4194304 bytes of text",
    )
  })

  test("a thousand rules are active, and no more", async () => {
    await using fake = await startFakeServer({ transfers: 3 })
    const rules = (count: number) => Array.from({ length: count }, () => ({ faults: [{ fault: "bom" }] }))
    const add = (count: number) => call(`${fake.url}/_fake/faults`, { method: "POST", body: { rules: rules(count) } })
    const messageOf = async (count: number): Promise<string> => (await add(count)).json.errors[0].message
    expect(await messageOf(100_000)).toContain("expected at most 1000 rules, not 100000, at /rules")
    expect((await add(999)).status).toBe(201)
    expect(await messageOf(2)).toContain("expected at most 1000 active rules, not 1001: remove some first")
    expect((await add(1)).status).toBe(201)
  })
})

describe("drift", () => {
  test("cannot reach the prototype of anything", async () => {
    await using fake = await startFakeServer({ transfers: 3 })
    fake.addFaults({ faults: [{ fault: "drift", pointer: "/__proto__/delivery", value: { reset: "before" } }] })
    fake.addFaults({ faults: [{ fault: "drift", pointer: "/constructor/prototype/delivery", value: 1 }] })
    expect((await call(fake.url + search)).json.results).toHaveLength(3)
    fake.clearFaults()
    expect(Reflect.get({}, "delivery")).toBe(undefined)
    expect((await call(fake.url + search)).json.results).toHaveLength(3)
    fake.addFaults({ faults: [{ fault: "drift", pointer: "/__proto__", value: { polluted: true } }] })
    expect((await call(fake.url + search)).text).toContain('"__proto__":{"polluted":true}')
    expect(Reflect.get({}, "polluted")).toBe(undefined)
  })

  test("adds an element to an array, and removes elements without leaving a hole", async () => {
    await using fake = await startFakeServer({ transfers: 3 })
    fake.addFaults(
      { when: { request: 1 }, faults: [{ fault: "drift", pointer: "/results/3", value: 7 }] },
      { when: { request: 2 }, faults: [{ fault: "drift", pointer: "/results/0" }] },
      { when: { request: 3 }, faults: [{ fault: "drift", pointer: "/results/*" }] },
    )
    const results = async () => (await call(fake.url + search)).json.results
    expect((await results())[3]).toBe(7)
    expect(await results()).toEqual([expect.any(Object), expect.any(Object)])
    expect(await results()).toEqual([])
  })
})

describe("an exception", () => {
  test.each([
    ["of the contract", `${search}?limit=1`],
    ["of an operation", "/_fake/transfers"],
  ])("%s is a 500 with an id, an entry in the journal and a line on stderr", async (_, path) => {
    await using fake = await startFakeServer({ transfers: 3 })
    fake.addFaults({ when: { cursor: true }, faults: [{ fault: "bom" }] })
    const lines: Array<unknown> = []
    const stderr = vi.spyOn(process.stderr, "write").mockImplementation((line) => lines.push(line) > 0)
    const broken = vi.spyOn(URLSearchParams.prototype, "get").mockImplementation(() => {
      throw new RangeError("too much\nfor one line")
    })
    const { text } = await raw(fake.url, request(path))
    broken.mockRestore()
    stderr.mockRestore()
    expect(text).toMatch(/^HTTP\/1\.1 500 /)
    const [, id] = /\r\nx-request-id: (\S+)\r\n/.exec(text) ?? []
    expect(fake.requests()).toMatchObject([
      { id, status: 500, problems: ["exception: RangeError: too much\nfor one line"] },
    ])
    expect((await call(fake.url + path)).status).toBe(200)
    expect(lines).toEqual([`transfers-fake: GET ${path}: exception: RangeError: too much for one line\n`])
  })
})

/** A request as a browser or another client would send it. */
const send = (url: string, headers: http.OutgoingHttpHeaders, body = "", method = "POST") =>
  new Promise<{ readonly status: number | undefined; readonly text: string }>((resolve, reject) => {
    const outgoing = http.request(url, { method, headers, agent: false }, (response) => {
      let text = ""
      response.on("data", (chunk: Buffer) => (text += chunk.toString()))
      response.on("end", () => resolve({ status: response.statusCode, text }))
    })
    outgoing.on("error", reject)
    outgoing.end(body)
  })

describe("a web page", () => {
  const rule = JSON.stringify({ faults: [{ fault: "bom" }] })
  const json = { "content-type": "application/json" }

  test.each<[string, http.OutgoingHttpHeaders, number]>([
    ["of another origin", { ...json, origin: "https://evil.example" }, 403],
    ["of another port of this machine", { ...json, origin: "http://127.0.0.1:1" }, 403],
    ["in a sandbox", { ...json, origin: "null" }, 403],
    ["whose browser calls it cross-site", { ...json, "sec-fetch-site": "cross-site" }, 403],
    ["whose browser calls it same-site", { ...json, "sec-fetch-site": "same-site" }, 403],
    ["that sends a form's text", { "content-type": "text/plain" }, 415],
    ["that sends no type", {}, 415],
    ["by a name that was rebound", { ...json, host: "evil.example" }, 421],
  ])("%s cannot put a rule in force", async (_, headers, status) => {
    await using fake = await startFakeServer()
    const reply = await send(`${fake.url}/_fake/faults`, headers, rule)
    expect(reply.status).toBe(status)
    expect(reply.text).toMatch(/^\{"errors":\[\{"code":"\w+","message":"[^"]/)
    expect((await call(`${fake.url}/_fake/faults`)).json.rules).toEqual([])
  })

  test("of the fake itself can, as can a program", async () => {
    await using fake = await startFakeServer()
    const own = { ...json, origin: fake.url, "sec-fetch-site": "same-origin" }
    for (const headers of [own, { ...json, "sec-fetch-site": "none" }, json]) {
      expect((await send(`${fake.url}/_fake/faults`, headers, rule)).status).toBe(201)
    }
  })

  test("cannot frame the pages or sniff their types", async () => {
    await using fake = await startFakeServer()
    for (const path of ["/openapi.json", "/docs"]) {
      const { headers } = await call(fake.url + path)
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
      expect(headers.get("x-frame-options")).toBe("DENY")
      expect(headers.get("x-content-type-options")).toBe("nosniff")
    }
  })
})

describe("a Host", () => {
  const status = async (url: string, host: string) => (await send(`${url}/openapi.json`, { host }, "", "GET")).status

  test("other than this machine's is rejected on a loopback address, unless it is allowed", async () => {
    await using fake = await startFakeServer({ allowHosts: ["Fake.test"] })
    for (const host of ["127.0.0.1", "LOCALHOST:80", "app.localhost", "[::1]:1", "127.1.2.3:9", "fake.test:8787"]) {
      expect(await status(fake.url, host), host).toBe(200)
    }
    for (const host of ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "a b", "[x", ":1"]) {
      expect(await status(fake.url, host), host).toBe(421)
    }
  })

  test("on another address is an IP address, a name without a dot, or allowed", async () => {
    await using fake = await startFakeServer({ host: "0.0.0.0", allowHosts: ["fake.test"] })
    for (const host of ["fake", "transfers-fake:8787", "10.0.0.7:80", "[fd00::7]:80", "localhost", "fake.test"]) {
      expect(await status(fake.url, host), host).toBe(200)
    }
    for (const host of ["evil.example", "10.0.0.7.evil.example", "fake.", "a b"]) {
      expect(await status(fake.url, host), host).toBe(421)
    }
  })
})

test("a rule without conditions leaves other paths and other people's transfers alone", async () => {
  await using fake = await startFakeServer({
    transfers: 3,
    faults: [{ faults: [{ fault: "remove" }, { fault: "bom" }] }],
  })
  const reply = await call(`${fake.url}/nope`, { credentials: "nobody:wrong" })
  expect([reply.status, reply.text.startsWith("\uFEFF")]).toEqual([404, false])
  expect((await call(fake.url + search, { credentials: "nobody:wrong" })).status).toBe(401)
  fake.clearFaults()
  expect((await pageThrough(fake.url)).ids).toHaveLength(3)
})

test("the same seed gives the same run, also after a reset", async () => {
  await using fake = await startFakeServer({ rateLimit: { requests: 60, perMs: 3_600_000 } })
  const body = { when: { probability: 0.5 }, faults: [{ fault: "status", status: 503 }] }
  const run = async () => {
    await call(`${fake.url}/_fake/faults`, { method: "POST", body })
    const statuses: Array<number> = []
    for (let n = 0; n < 40; n++) statuses.push((await call(`${fake.url}/v1/capabilities`)).status)
    await call(`${fake.url}/_fake/reset`, { method: "POST" })
    return statuses
  }
  const first = await run()
  expect(new Set(first)).toEqual(new Set([200, 503]))
  expect(await run()).toEqual(first)
})

test("a filter that only looks like another one is not taken for it", async () => {
  await using fake = await startFakeServer({ transfers: 3 })
  const ask = async (query: string) => (await call(`${fake.url}${search}?${query}`)).status
  const [a, b] = ["gt:2024-01-01T00:00:00Z", "lt:2024-02-01T00:00:00Z"]
  expect(await ask(`created_at=${a}&created_at=${b}`)).toBe(200)
  expect(await ask(`created_at=${a}+${b}`)).toBe(400)
})

test("a status fault sends each header once", async () => {
  await using fake = await startFakeServer()
  const headers = { "Content-Type": "text/html", "X-Request-Id": "mine" }
  fake.addFaults({ faults: [{ fault: "status", status: 500, body: "<html>", headers }] })
  const { text } = await raw(fake.url, request("/v1/capabilities"))
  expect(text.match(/content-type:.*/gi)).toEqual(["content-type: text/html"])
  expect(text.match(/x-request-id:.*/gi)).toHaveLength(1)
})
