/** Every fault has its effect, when its rule applies, and does not change the store. */
import { startFakeServer } from "@transferkit/fake/FakeServer"
import type { Rule } from "@transferkit/fake/FaultRule"
import { describe, expect, test } from "vitest"
import { basic, call, pageThrough, raw, request } from "../../../scripts/test/partner.ts"

const search = "/v1/transfers/search"

const start = (...faults: ReadonlyArray<Rule>) =>
  startFakeServer({ partners: ["demo:demo-secret", "other:secret"], transfers: 45, faults })

const statuses = async (url: string, count: number) => {
  const seen: Array<number> = []
  for (let n = 0; n < count; n++) seen.push((await call(url + search)).status)
  return seen
}

describe("a rule", () => {
  const faults = [{ fault: "status", status: 503 }] as const

  test.each<[string, Rule["when"], ReadonlyArray<number>]>([
    ["by request number", { request: 2 }, [200, 503, 200, 200]],
    ["by several numbers", { request: [1, 4] }, [503, 200, 200, 503]],
    ["every second time", { request: { every: 2 } }, [200, 503, 200, 503]],
    ["from a number on", { request: { from: 3 } }, [200, 200, 503, 503]],
    ["for another path", { path: "/v1/capabilities" }, [200, 200, 200, 200]],
    ["for this path", { path: search }, [503, 503, 503, 503]],
    ["for another partner", { partner: "other" }, [200, 200, 200, 200]],
    ["for requests with a cursor", { cursor: true }, [200, 200, 200, 200]],
    ["for requests without one", { cursor: false }, [503, 503, 503, 503]],
  ])("applies %s", async (_, when, expected) => {
    await using fake = await start({ faults, ...(when !== undefined && { when }) })
    expect(await statuses(fake.url, 4)).toEqual(expected)
  })

  test("ends after its number of times", async () => {
    await using fake = await start({ times: 2, faults })
    expect(await statuses(fake.url, 4)).toEqual([503, 503, 200, 200])
  })

  test("applies with its probability, the same in every run", async () => {
    const run = async () => {
      await using fake = await start({ when: { probability: 0.5 }, faults })
      return await statuses(fake.url, 60)
    }
    const first = await run()
    const failed = first.filter((status) => status === 503).length
    expect(failed).toBeGreaterThan(15)
    expect(failed).toBeLessThan(45)
    expect(await run()).toEqual(first)
  })

  test("combines with others, in their order", async () => {
    await using fake = await start(
      { faults: [{ fault: "latency", ms: 60 }] },
      { faults: [{ fault: "drift", pointer: "/results/0/status", value: "frozen" }, { fault: "bom" }] },
    )
    const before = performance.now()
    const { text } = await call(`${fake.url}${search}?limit=1`)
    expect(performance.now() - before).toBeGreaterThan(55)
    expect(JSON.parse(text).results[0].status).toBe("frozen")
    expect(fake.requests().at(-1)?.faults).toEqual(["latency", "drift", "bom"])
  })

  test("can be added and removed while the fake runs", async () => {
    await using fake = await start()
    fake.addFaults({ when: { request: 1 }, faults })
    expect(await statuses(fake.url, 2)).toEqual([503, 200])
    fake.addFaults({ faults })
    fake.clearFaults()
    expect(await statuses(fake.url, 1)).toEqual([200])
  })
})

describe("a fault never skips or repeats data for a client that retries", () => {
  test.each<[string, Rule["faults"]]>([
    ["status", [{ fault: "status", status: 500 }]],
    ["rate_limited", [{ fault: "rate_limited", retry_after: "1" }]],
    ["malformed", [{ fault: "malformed" }]],
    ["reset", [{ fault: "reset", at: "body" }]],
    ["truncate", [{ fault: "truncate" }]],
    ["expired_cursor", [{ fault: "expired_cursor" }]],
  ])("%s", async (_, faults) => {
    await using calm = await start()
    await using fake = await start({ when: { request: { every: 2 } }, faults })
    const ids: Array<string> = []
    let cursor = ""
    let failures = 0
    for (let more = true; more;) {
      try {
        const { status, json } = await call(`${fake.url}${search}?limit=6${cursor}`)
        if (status !== 200) throw new Error("refused")
        ids.push(...json.results.map((transfer: { readonly id: string }) => transfer.id))
        more = json.page_info.has_next_page
        cursor = `&after_cursor=${json.page_info.end_cursor}`
      } catch {
        failures += 1
      }
    }
    expect(ids).toEqual((await pageThrough(calm.url, "limit=6")).ids)
    expect(failures).toBeGreaterThan(3)
  })
})

describe("a response can have", () => {
  test("another status, with any body and headers", async () => {
    await using fake = await start({
      faults: [{ fault: "status", status: 200, body: "<html>", headers: { "content-type": "text/html" } }],
    })
    const reply = await call(fake.url + search)
    expect([reply.status, reply.text, reply.headers.get("content-type")]).toEqual([200, "<html>", "text/html"])
    expect(reply.headers.get("x-request-id")).toBe("req-1")
  })

  test("status 204, without a body", async () => {
    await using fake = await start({ faults: [{ fault: "status", status: 204 }] })
    const { text } = await raw(fake.url, request(search))
    expect(text).toMatch(/^HTTP\/1\.1 204 /)
    expect(text.endsWith("\r\n\r\n")).toBe(true)
    expect(text).not.toMatch(/content-length/i)
  })

  test.each(["3", "Fri, 31 Dec 1999 23:59:59 GMT", "-1", "soon", "99999999999"])(
    "429 with Retry-After %s",
    async (retry_after) => {
      await using fake = await start({ faults: [{ fault: "rate_limited", retry_after }] })
      const reply = await call(fake.url + search)
      expect([reply.status, reply.headers.get("retry-after")]).toEqual([429, retry_after])
    },
  )

  test("a redirect to any location", async () => {
    await using fake = await start({ faults: [{ fault: "redirect", location: "http://127.0.0.1:9/", status: 307 }] })
    const reply = await call(fake.url + search)
    expect([reply.status, reply.headers.get("location")]).toEqual([307, "http://127.0.0.1:9/"])
  })

  test("another content type, or none", async () => {
    await using fake = await start(
      { when: { request: 1 }, faults: [{ fault: "content_type", value: "text/plain" }] },
      { when: { request: 2 }, faults: [{ fault: "content_type", value: null }] },
    )
    expect((await call(fake.url + search)).headers.get("content-type")).toBe("text/plain")
    expect((await call(fake.url + search)).headers.get("content-type")).toBe(null)
  })

  test("a wrong Date", async () => {
    await using fake = await start({ faults: [{ fault: "clock_skew", seconds: -7200 }] })
    const date = new Date((await call(fake.url + search)).headers.get("date") ?? "")
    expect(Math.abs(Date.now() - 7_200_000 - date.getTime())).toBeLessThan(60_000)
  })

  test("truncated JSON, a byte order mark, long padding, deep nesting", async () => {
    await using fake = await start(
      { when: { request: 1 }, faults: [{ fault: "malformed" }] },
      { when: { request: 2 }, faults: [{ fault: "bom" }] },
      { when: { request: 3 }, faults: [{ fault: "padding", bytes: 50_000_000 }] },
      { when: { request: 4 }, faults: [{ fault: "nesting", depth: 20_000 }] },
    )
    const headers = { authorization: basic("demo:demo-secret") }
    const get = async () => Buffer.from(await (await fetch(fake.url + search, { headers })).arrayBuffer())
    const [cut, marked, padded, nested] = [await get(), await get(), await get(), await get()]
    expect(() => JSON.parse(cut.toString())).toThrow(SyntaxError)
    expect([...marked.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(padded.byteLength).toBeGreaterThan(50_000_000)
    expect(JSON.parse(padded.toString()).results).toHaveLength(20)
    expect(nested.toString().startsWith(`{"nested":${"[".repeat(20_000)}`)).toBe(true)
  })

  test.each([
    ["/results/0/source_total/amount", 12.5],
    ["/results/0/status", "frozen"],
    ["/results/0/updated_at", null],
    ["/results/0/loyalty_tier", "gold"],
    ["/page_info/has_next_page", "yes"],
    ["/results", {}],
  ])("drift at %s to %j", async (pointer, value) => {
    await using fake = await start({ faults: [{ fault: "drift", pointer, value }] })
    const { json } = await call(fake.url + search)
    expect(
      pointer
        .slice(1)
        .split("/")
        .reduce((at, key) => at[key], json),
    ).toEqual(value)
  })

  test("a field removed by drift without a value", async () => {
    await using fake = await start({ faults: [{ fault: "drift", pointer: "/results/0/created_at" }] })
    const [first, second] = (await call(fake.url + search)).json.results
    expect(Object.keys(first)).toContain("id")
    expect(Object.keys(first)).not.toContain("created_at")
    expect(Object.keys(second)).toContain("created_at")
  })

  test("drift changes the body before malformed breaks it, whichever comes first in the rule", async () => {
    const faults = [
      { fault: "malformed" },
      { fault: "bom" },
      { fault: "drift", pointer: "/results/0/status", value: "drifted" },
    ] as const
    await using fake = await start({ faults: [...faults] })
    const authorization = `Basic ${Buffer.from("demo:demo-secret").toString("base64")}`
    const text = await (await fetch(fake.url + search, { headers: { authorization } })).text()
    expect(text).toContain('"status":"drifted"')
    expect(() => JSON.parse(text)).toThrow()
    expect(fake.requests().at(-1)).not.toHaveProperty("problems")
  })

  test("drift at * in every row", async () => {
    await using fake = await start({ faults: [{ fault: "drift", pointer: "/results/*/kind", value: "swap" }] })
    const { json } = await call(fake.url + search)
    expect(json.results.map((transfer: { readonly kind: string }) => transfer.kind)).toEqual(Array(20).fill("swap"))
  })
})
