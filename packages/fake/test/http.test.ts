/** HTTP itself: the bytes on the wire, requests that are too long, too slow or malformed, and the shutdown. */
import * as http from "node:http"
import * as net from "node:net"
import * as zlib from "node:zlib"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import * as Duration from "effect/Duration"
import { expect, test, vi } from "vitest"
import { basic, call, raw, request } from "../../../scripts/test/partner.ts"

const search = "/v1/transfers/search"

test("sends gzip only if the client accepts it", async () => {
  await using fake = await startFakeServer({ transfers: 20 })
  const plain = await raw(fake.url, request(search))
  expect(plain.text).not.toMatch(/content-encoding/i)
  const get = (accepted: string) =>
    new Promise<{ readonly encoding: string | undefined; readonly body: Buffer }>((resolve, reject) => {
      const headers = { authorization: basic("demo:demo-secret"), "accept-encoding": accepted }
      http
        .get(fake.url + search, { headers, agent: false }, (response) => {
          const chunks: Array<Buffer> = []
          response.on("data", (chunk: Buffer) => chunks.push(chunk))
          const encoding = response.headers["content-encoding"]
          response.on("end", () => resolve({ encoding, body: Buffer.concat(chunks) }))
        })
        .on("error", reject)
    })
  for (const accepted of ["gzip", "br, gzip;q=0.5", "*", "*;q=0, gzip", "X-GZIP;q=1.000"]) {
    const { encoding, body } = await get(accepted)
    expect(encoding).toBe("gzip")
    expect(plain.text.endsWith(zlib.gunzipSync(body).toString("latin1"))).toBe(true)
  }
  for (const accepted of ["identity", "gzip;q=0", "br", "gzipped", "gzip;q=0.000, *", "*, gzip ; q=0", "*;q=0"]) {
    expect((await get(accepted)).encoding, accepted).toBe(undefined)
  }
})

test("keeps connections open, and responds to pipelined requests in order", async () => {
  await using fake = await startFakeServer({ transfers: 5 })
  const kept = request(`${search}?limit=1`).replace("connection: close\r\n", "")
  const { text } = await raw(fake.url, kept + kept + request("/nowhere"))
  expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(["200", "200", "404"])
  expect([...text.matchAll(/x-request-id: (\S+)/g)].map(([, id]) => id)).toEqual(["req-1", "req-2", "req-3"])
})

test("accepts a proxy's absolute form and a query without parameters", async () => {
  await using fake = await startFakeServer()
  for (const target of [`http://elsewhere${search}`, `${search}?`, `${search}?&&`]) {
    expect((await raw(fake.url, request(target))).text, target).toMatch(/^HTTP\/1\.1 200 /)
  }
})

test.each([
  ["a path without end", request(`/${"x".repeat(9000)}`), 414],
  ["headers without end", request("/", [`x-long: ${"x".repeat(20_000)}`]), 431],
  ["something else than HTTP", "EHLO fake\r\n\r\n", 400],
  ["a TLS handshake", Buffer.from("16030100a5010000a10303", "hex"), 400],
  ["no Host", "GET /v1/capabilities HTTP/1.1\r\nconnection: close\r\n\r\n", 400],
  ["an expectation that it cannot meet", request("/v1/capabilities", ["expect: 200-ok"]), 417],
  ["to be a proxy's tunnel", "CONNECT elsewhere:443 HTTP/1.1\r\nhost: elsewhere:443\r\n\r\n", 405],
  ["two lengths", request("/_fake/reset", ["content-length: 1", "content-length: 2"], "POST"), 400],
  ["a header with a line break in it", request("/", ["x: a\nb"]), 400],
])("rejects %s", async (_, bytes, status) => {
  await using fake = await startFakeServer()
  const { text } = await raw(fake.url, bytes)
  expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(text).toMatch(/\r\nx-request-id: \S+\r\n/)
  expect(text).toMatch(/\r\n\r\n\{"errors":\[\{"code":"\w+","message":"[^"]+"\}\]\}$/)
  expect((await call(`${fake.url}/v1/capabilities`)).status).toBe(200)
})

test.each([
  ["the head of a request", "GET /v1/capabilities HTTP/1.1\r\nx-slow: ", "a"],
  ["a body", "POST /_fake/reset HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n", "a"],
  ["nothing at all", "", ""],
])("ends a connection that sends %s too slowly", async (_, opening, drop) => {
  const limits = { headTimeLimit: Duration.millis(200), requestTimeLimit: Duration.millis(400) }
  await using fake = await startFakeServer(limits)
  const sockets = Array.from({ length: 20 }, () => {
    const socket = net.connect(Number(new URL(fake.url).port), "127.0.0.1")
    const dripping = setInterval(() => drop !== "" && socket.write(drop), 20)
    let text = ""
    socket.on("data", (chunk) => (text += chunk.toString("latin1")))
    socket.on("error", () => {})
    socket.write(opening)
    return new Promise<string>((resolve) => socket.on("close", () => (clearInterval(dripping), resolve(text))))
  })
  expect((await call(`${fake.url}/v1/capabilities`)).status).toBe(200)
  for (const text of await Promise.all(sockets)) {
    expect(text).toMatch(/^HTTP\/1\.1 408 /)
    expect(text).toContain('{"errors":[{"code":"bad_request"')
  }
  expect(fake.requests()).toHaveLength(1)
})

test("rejects a body larger than 16 MiB", async () => {
  await using fake = await startFakeServer()
  const body = "x".repeat(17 * 1024 * 1024)
  const { text } = await raw(fake.url, request("/_fake/transfers", [`content-length: ${body.length}`], "POST"), body)
  expect(text).toMatch(/^HTTP\/1\.1 413 /)
})

test("ignores a body of a GET", async () => {
  await using fake = await startFakeServer()
  const { text } = await raw(fake.url, request("/v1/capabilities", ["content-length: 5"]), "hello")
  expect(text).toMatch(/^HTTP\/1\.1 200 /)
})

test("completes the requests under way before it stops, and accepts no new ones", async () => {
  const fake = await startFakeServer({ faults: [{ faults: [{ fault: "latency", ms: 300 }] }] })
  const idle = net.connect(Number(new URL(fake.url).port), "127.0.0.1")
  await new Promise((resolve) => idle.once("connect", resolve))
  const slow = call(`${fake.url}/v1/capabilities`)
  await expect.poll(() => fake.requests()).toHaveLength(1)
  const closing = fake.close()
  expect((await slow).status).toBe(200)
  idle.destroy()
  await closing
  await expect(call(`${fake.url}/v1/capabilities`)).rejects.toBeInstanceOf(Error)
})

test("survives a CONNECT that is reset at once", async () => {
  await using fake = await startFakeServer()
  for (let n = 0; n < 50; n++) {
    const socket = net.connect(Number(new URL(fake.url).port), "127.0.0.1")
    await new Promise((resolve) => socket.once("connect", resolve))
    socket.on("error", () => {})
    socket.write("CONNECT elsewhere:443 HTTP/1.1\r\nhost: elsewhere:443\r\n\r\n")
    if (n % 2 === 0) await new Promise((resolve) => setImmediate(resolve))
    socket.resetAndDestroy()
  }
  expect((await call(`${fake.url}/v1/capabilities`)).status).toBe(200)
})

test("does not require Host before HTTP/1.1", async () => {
  await using fake = await startFakeServer()
  const { text } = await raw(fake.url, request("/v1/capabilities").replace("1.1\r\nhost: localhost", "1.0"))
  expect(text).toMatch(/^HTTP\/1\.1 200 /)
})

test("responds to HEAD on the stream of requests at once", async () => {
  await using fake = await startFakeServer()
  const { text } = await raw(fake.url, request("/_fake/events", [], "HEAD"))
  expect(text).toMatch(/^HTTP\/1\.1 200 /)
  expect(text).toMatch(/content-type: text\/event-stream/)
})

test("stops while a client streams the journal", async () => {
  const fake = await startFakeServer()
  const response = await fetch(`${fake.url}/_fake/events`)
  await call(`${fake.url}/v1/capabilities`)
  const [text] = await Promise.all([response.text(), fake.close()])
  expect(text).toMatch(/event: request\ndata: \{"id":"req-1"/)
})

test("streams to a hundred readers, and to another one when one of them has ended", async () => {
  await using fake = await startFakeServer()
  const ends = Array.from({ length: 100 }, () => new AbortController())
  const open = ({ signal }: AbortController) => fetch(`${fake.url}/_fake/events`, { signal })
  const statuses = (await Promise.all(ends.map(open))).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  const rejected = await call(`${fake.url}/_fake/events`)
  expect([rejected.status, rejected.json.errors[0].code]).toEqual([503, "too_many_readers"])
  ends[0]?.abort()
  await vi.waitUntil(async () => (await open(new AbortController())).status === 200)
})

test("limits the rate of each partner, with Retry-After", async () => {
  await using fake = await startFakeServer({ partners: ["a:1", "b:2"], rateLimit: { requests: 3, perMs: 60_000 } })
  const ask = (credentials: string) => call(`${fake.url}/v1/capabilities`, { credentials })
  const replies = [await ask("a:1"), await ask("a:1"), await ask("a:1"), await ask("a:1"), await ask("b:2")]
  expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 429, 200])
  expect(Number(replies[3]?.headers.get("retry-after"))).toBeGreaterThan(15)
  expect(replies[3]?.json.errors[0].code).toBe("rate_limited")
})

test("ignores unknown parameters if it is lenient", async () => {
  await using fake = await startFakeServer({ lenient: true, defaultLimit: 2, transfers: 5 })
  const { json } = await call(`${fake.url}${search}?colour=red`)
  expect(json.results).toHaveLength(2)
  expect((await call(`${fake.url}/v1/capabilities?x`)).status).toBe(200)
})

test("uses the configured operator for less than or equal", async () => {
  await using none = await startFakeServer({ lteToken: undefined })
  await using le = await startFakeServer({ lteToken: "le" })
  const status = async (url: string, operator: string) =>
    (await call(`${url}${search}?created_at=${operator}:2024-01-01T00:00:00Z`)).status
  expect([await status(none.url, "lte"), await status(none.url, "lt")]).toEqual([400, 200])
  expect([await status(le.url, "lte"), await status(le.url, "le")]).toEqual([400, 200])
})
