/** A service, recorded by a proxy and replayed by a fake. */
import * as fs from "node:fs/promises"
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import * as zlib from "node:zlib"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { Recorder, type RecorderOptions } from "@transferkit/fake/Recorder"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { call, pageThrough, raw, request } from "../../../scripts/test/partner.ts"

const search = "/v1/transfers/search"

let folder: string
let out: string
let service: RunningFakeServer

beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "fake-"))
  out = path.join(folder, "recording.ndjson")
  service = await startFakeServer({ partners: ["live:live-secret"], transfers: 45, order: "oldest-first" })
})

afterEach(async () => {
  await service.close()
  await fs.rm(folder, { recursive: true })
})

/** The recording of what is done with a recorder. */
const record = async (use: (url: string) => Promise<unknown>, options: Partial<RecorderOptions> = {}) => {
  const layer = Recorder.layer({ target: service.url, out, ...options })
  await Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(Layer.build(layer), (context) => Effect.promise(() => use(Context.get(context, Recorder).url))),
    ),
  )
  return await fs.readFile(out, "utf8")
}

const html = {
  fault: "status",
  status: 503,
  body: "<html>",
  headers: { "retry-after": "7", "content-type": "text/html" },
} as const

const asLive = { credentials: "live:live-secret" }

describe("a recorder", () => {
  test.each([
    ["more than 16 MiB", "x".repeat((16 << 20) + 1), "the body is larger than 16777216 bytes"],
    ["more than 250,000 identifiers", '"id":1 '.repeat(250_001), "the body has more than 250000 identifiers"],
  ])("counts a body of %s as a broken connection", async (_, body, failure) => {
    service.addFaults({ faults: [{ fault: "status", status: 503, body }] })
    const recording = await record(async (url) => {
      await expect(fetch(`${url}${search}`)).rejects.toBeInstanceOf(TypeError)
    })
    expect(recording).toContain(`"failure":"${failure}"`)
  })

  test("takes a body with 250,000 identifiers", async () => {
    service.addFaults({ faults: [{ fault: "status", status: 503, body: '"id":1 '.repeat(250_000) }] })
    await record(async (url) => expect((await fetch(`${url}${search}`)).status).toBe(503))
  })

  test("passes responses on unchanged, also odd ones", async () => {
    service.addFaults({ when: { request: [1, 2] }, faults: [html] })
    await record(async (url) => {
      for (const query of ["", "", "?limit=3", "?limit=0"]) {
        const [passed, direct] = [
          await call(`${url}${search}${query}`, asLive),
          await call(`${service.url}${search}${query}`, asLive),
        ]
        expect([passed.status, passed.text]).toEqual([direct.status, direct.text])
        expect(passed.headers.get("retry-after")).toBe(direct.headers.get("retry-after"))
      }
    })
    expect(service.requests().map(({ status }) => status)).toEqual([503, 503, 200, 200, 200, 200, 400, 400])
  })

  test("writes no credentials, and pseudonyms of identifiers that still join", async () => {
    const first = (await call(`${service.url}${search}?limit=1`, asLive)).json.results[0]
    const text = await record(async (url) => {
      const page = await call(`${url}${search}?limit=2`, asLive)
      await call(`${url}${search}?limit=2&after_cursor=${page.json.page_info.end_cursor}`, asLive)
      await call(`${url}${search}?external_id=${first.external_id}`, asLive)
      await call(`${url}${search}?limit=2&after_cursor=${first.external_id}`, asLive)
      await call(`${url}${search}`, { credentials: "live:wrong-secret" })
    })
    const takes = text
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => JSON.parse(line))
    expect(takes.map(({ status }) => status)).toEqual([200, 200, 200, 400, 401])
    const sent = ["live-secret", "wrong-secret", btoa("live:live-secret"), "Basic bGl2"]
    const hidden = [first.id, first.external_id, first.wallet_address, first.network_transaction_id]
    for (const secret of [...sent, ...hidden]) expect(text).not.toContain(secret)
    const [page, , found] = takes.map(({ body }) => JSON.parse(body))
    expect(found.results[0]).toEqual(page.results[0])
    expect(page.results[0]).toEqual({
      ...first,
      id: expect.stringMatching(/^anon-[\w-]{22}$/),
      external_id: new URLSearchParams(takes[2].query).get("external_id"),
      wallet_address: expect.stringMatching(/^anon-/),
      network_transaction_id: expect.stringMatching(/^anon-/),
    })
    expect(new URLSearchParams(takes[1].query).get("after_cursor")).toBe(page.page_info.end_cursor)
    expect(Number((await fs.stat(out)).mode & 0o777)).toBe(0o600)
  })

  test("keeps the pseudonyms for the same key, and the identifiers if an option says so", async () => {
    const ids = async (options: Partial<RecorderOptions>) => {
      const text = await record((url) => call(`${url}${search}?limit=1`, asLive), options)
      await fs.rm(out)
      return JSON.parse(JSON.parse(text.split("\n")[1] ?? "").body).results[0].id
    }
    const real = (await call(`${service.url}${search}?limit=1`, asLive)).json.results[0].id
    expect(await ids({ key: "a" })).toBe(await ids({ key: "a" }))
    expect(await ids({ key: "a" })).not.toBe(await ids({ key: "b" }))
    expect(await ids({})).not.toBe(await ids({}))
    expect(await ids({ keepIdentifiers: true })).toBe(real)
  })

  test("hides identifiers in text that is cut off, in numbers, and wherever the request named them", async () => {
    const body = '{"results":[{"id":4711,"external_id":"or\\u0064er-9","x":"4711"},{"wallet_address":"0xabcdef'
    service.addFaults({ faults: [{ ...html, status: 200, body: `order-9 ${body}` }] })
    const text = await record((url) => call(`${url}${search}?external_id=order-9`, asLive))
    const { body: kept } = JSON.parse(text.split("\n")[1] ?? "")
    expect(kept).toMatch(
      /^(anon-[\w-]{22}) \{"results":\[\{"id":"anon-[\w-]{22}","external_id":"\1","x":"4711"\},\{"wallet_address":"anon-[\w-]{22}"$/,
    )
  })

  test("only reads, does not serve web pages, and overwrites nothing", async () => {
    await record(async (url) => {
      expect((await call(url + search, { method: "POST", body: {} })).status).toBe(405)
      expect((await call(url + search, { headers: { origin: "https://evil.example" } })).status).toBe(403)
      const status = async (text: string) => Number((await raw(url, text)).text.split(" ")[1])
      expect(await status(request(search).replace("host: localhost", "host: evil.example"))).toBe(421)
      expect(await status(request("http://evil.example/"))).toBe(400)
      expect(await status("nonsense\r\n\r\n")).toBe(400)
    })
    expect(service.requests()).toEqual([])
    await expect(record(async () => {})).rejects.toMatchObject({
      message: expect.stringMatching(/Cannot record to .*: there is such a file already/),
    })
  })

  test.each(["http://example.com", "https://a:b@example.com", "ftp://localhost", "example.com"])(
    "does not take %j for a service",
    async (target) => {
      await expect(record(async () => {}, { target })).rejects.toMatchObject({
        message: expect.stringContaining("must be an https: URL"),
      })
    },
  )

  test("records that a connection failed, and fails it", async () => {
    service.addFaults({ faults: [{ fault: "reset", at: "body" }] })
    const text = await record(async (url) => {
      expect((await raw(url, request(search))).error).toBe("ECONNRESET")
    })
    expect(JSON.parse(text.split("\n")[1] ?? "")).toMatchObject({
      path: search,
      query: "",
      failure: expect.any(String),
    })
  })
})

/** A recording whose second line has these headers. */
const withHeaders = (headers: Readonly<Record<string, string>>): string =>
  `{"recording":1}\n${JSON.stringify({ path: search, query: "", ms: 1, status: 304, headers })}\n`

const noSuchHeader = /line 2 is not a recorded request.*no other headers than content-type, retry-after/s

describe("a replay", () => {
  const replayed = (options = {}) => startFakeServer({ replayFile: out, ...options })

  test("serves the recorded transfers by content, to requests that were never recorded", async () => {
    await record((url) => pageThrough(url, "limit=7", "live:live-secret"), { keepIdentifiers: true })
    const { ids } = await pageThrough(service.url, "", "live:live-secret")
    await using fake = await replayed({ order: "oldest-first" })
    expect(ids).toHaveLength(45)
    expect((await pageThrough(fake.url, "limit=13")).ids).toEqual(ids)
    expect((await call(`${fake.url}/v1/capabilities`)).json).toEqual(
      (await call(`${service.url}/v1/capabilities`, asLive)).json,
    )
  })

  test("serves a transfer as it was last updated, and the recorded capabilities", async () => {
    const changed = { id: "own", kind: "cash_in", created_at: "2024-06-01T00:00:00Z" }
    service.insert([{ ...changed, status: "old", updated_at: "2024-06-01T00:00:00Z" }])
    const capabilities = (await call(`${service.url}/v1/capabilities`, asLive)).json
    const fewer = { ...capabilities, supported_countries: [] }
    await call(`${service.url}/_fake/capabilities`, { method: "PUT", body: fewer })
    await record(
      async (url) => {
        await pageThrough(url, "", "live:live-secret")
        await call(`${url}/v1/capabilities`, asLive)
        const body = { status: "new", updated_at: "2024-06-02T00:00:00Z" }
        await call(`${service.url}/_fake/transfers/own`, { method: "PATCH", body, ...asLive })
        await pageThrough(url, "", "live:live-secret")
      },
      { keepIdentifiers: true },
    )
    await using fake = await replayed()
    expect((await call(`${fake.url}/_fake/transfers/own`)).json.status).toBe("new")
    expect((await call(`${fake.url}/v1/capabilities`)).json.supported_countries).toEqual([])
  })

  test("passes on that a compressed body broke off", async () => {
    const whole = zlib.gzipSync(JSON.stringify({ results: [], page_info: {} }))
    const cut = http.createServer((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip", "content-length": whole.length })
      response.write(whole.subarray(0, whole.length - 9), () => response.destroy())
    })
    await new Promise<void>((listening) => cut.listen(0, "127.0.0.1", listening))
    const { port } = cut.address() as AddressInfo
    const text = await record(
      async (url) => expect(await call(`${url}${search}`, asLive).catch(() => "failed")).toBe("failed"),
      { target: `http://127.0.0.1:${port}` },
    )
    cut.close()
    expect(JSON.parse(text.trimEnd().split("\n")[1] ?? "")).toMatchObject({ failure: "ECONNRESET" })
  })

  test("gives odd responses literally: passing ones when it is their turn, final ones always", async () => {
    service.addFaults(
      {
        when: { request: 2 },
        faults: [html],
      },
      { when: { request: 3 }, faults: [{ fault: "reset", at: "before" }] },
    )
    const steps = async (url: string, credentials: string) => {
      const seen: Array<string> = []
      for (const query of ["limit=20", "limit=20", "limit=20", "limit=20", "limit=0", "limit=0"]) {
        const reply = await call(`${url}${search}?${query}`, { credentials }).catch(() => undefined)
        seen.push(reply === undefined ? "failed" : `${reply.status} ${reply.headers.get("retry-after")}`)
      }
      return seen
    }
    const expected = ["200 null", "503 7", "failed", "200 null", "400 null", "400 null"]
    await record(async (url) => expect(await steps(url, "live:live-secret")).toEqual(expected))
    await using fake = await replayed()
    expect(await steps(fake.url, "demo:demo-secret")).toEqual(expected)
    expect(await steps(fake.url, "demo:demo-secret")).toEqual(
      Array.from({ length: 6 }, (_, n) => (n < 4 ? "200 null" : "400 null")),
    )
    await call(`${fake.url}/_fake/reset`, { method: "POST" })
    expect((await steps(fake.url, "demo:demo-secret"))[1]).toBe("503 7")
    expect((await call(`${fake.url}${search}?limit=0`)).text).toBe(
      (await call(`${service.url}${search}?limit=0`, asLive)).text,
    )
  })

  test("of credentials that were wrong is up to the fake's own", async () => {
    await record((url) => call(url + search, { credentials: "live:wrong" }))
    await using fake = await replayed()
    expect((await call(fake.url + search)).status).toBe(200)
    expect((await call(fake.url + search, { credentials: "demo:wrong" })).status).toBe(401)
  })

  test.each<[string, string, RegExp]>([
    ["nothing", "", /line 1 is not that of a recording/],
    ["another file", '{"id":"tr_1"}\n', /line 1 is not that of a recording/],
    ["a wrong line", '{"recording":1}\n{"path":1}\n', /line 2 is not a recorded request/],
    ["a length of a body", withHeaders({ "content-length": "-1" }), noSuchHeader],
    ["the encoding of a transfer", withHeaders({ date: "now", "transfer-encoding": "chunked" }), noSuchHeader],
    ["a cookie", withHeaders({ "set-cookie": "a=b" }), noSuchHeader],
    ["a header in capitals", withHeaders({ "Content-Type": "text/plain" }), noSuchHeader],
    [
      "a header of several lines",
      withHeaders({ location: "/\r\nset-cookie: a=b" }),
      /line 2 is not a recorded request/,
    ],
    ["a header beyond Latin-1", withHeaders({ location: "/€" }), /line 2 is not a recorded request/],
  ])("of %s is rejected", async (_, text, reason) => {
    await fs.writeFile(out, text)
    await expect(replayed()).rejects.toThrow(reason)
  })

  test("of a recording that ended in the middle of a line leaves that line out", async () => {
    await record((url) => call(`${url}${search}?limit=2`, asLive))
    await fs.appendFile(out, '{"path":"/v1/tra')
    await using fake = await replayed()
    expect((await pageThrough(fake.url)).ids).toHaveLength(2)
  })
})

test.each([199, 600, 999])(
  "a response with the status %i is recorded as a failure, and replayed as one",
  async (status) => {
    const odd = http.createServer((_request, response) => {
      response.socket?.end(`HTTP/1.1 ${status} Odd\r\ncontent-length: 2\r\n\r\n{}`)
    })
    await new Promise<void>((listening) => odd.listen(0, "127.0.0.1", listening))
    const { port } = odd.address() as AddressInfo
    const failed = async (url: string) => (await call(`${url}${search}`).catch(() => "failed")) === "failed"
    const text = await record(async (url) => expect(await failed(url)).toBe(true), {
      target: `http://127.0.0.1:${port}`,
    })
    odd.close()
    const reason =
      status < 200 ? expect.any(String) : `its status is ${status}, and a recording has those from 200 to 599`
    expect(JSON.parse(text.trimEnd().split("\n")[1] ?? "")).toMatchObject({ failure: reason })
    await using fake = await startFakeServer({ replayFile: out })
    expect(await failed(fake.url)).toBe(true)
  },
)

test("a service that is down is a failure to record, too", async () => {
  const gone = http.createServer().listen(0)
  const address = gone.address()
  await new Promise((resolve) => gone.close(resolve))
  const target = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
  const text = await record((url) => raw(url, request(search)), { target })
  expect(text).toContain('"failure":"ECONNREFUSED"')
})
