/** Thousands of invalid requests: nothing breaks, nothing leaks, and memory is released. */
import * as http from "node:http"
import * as net from "node:net"
import * as v8 from "node:v8"
import * as vm from "node:vm"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import * as Draw from "@transferkit/in-memory/Draw"
import { expect, test } from "vitest"
import { basic, call, pageThrough, raw } from "../../../scripts/test/partner.ts"
import * as Seeds from "../../../scripts/test/Seeds.ts"
import * as Thorough from "../../../scripts/test/Thorough.ts"

const mark = "row-of-the-other-partner"

/** Draws for the n-th request. */
const dice = (n: number) => {
  const key = Draw.keyOf(Draw.hashText(Seeds.all[n % 2] ?? Seeds.fixed), n)
  let draws = 0
  const below = (size: number): number => Draw.below(key, draws++, size)
  const pick = <A>(...choices: readonly [A, ...ReadonlyArray<A>]): A => choices[below(choices.length)] ?? choices[0]
  const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => below(256)))
  const text = (length: number): string => encodeURIComponent(bytes(length).toString("latin1"))
  return { below, pick, bytes, text }
}

type Dice = ReturnType<typeof dice>

const methods = [
  "GET",
  "GET",
  "GET",
  "GET",
  "GET",
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "PROPFIND",
] as const

const pathOf = ({ pick, text, below }: Dice): string => {
  if (below(3) > 0) return "/v1/transfers/search"
  return pick(
    "/v1/capabilities",
    "/v1/transfers/search/",
    "/v1/../v1/capabilities",
    "/v1/%74ransfers/search",
    "//v1/transfers/search",
    `/${text(below(40))}`,
    `/v1/transfers/${text(8)}`,
    "/openapi.json",
    "/_fake/transfers/%ff?partner=a",
    "/_fake/clock",
    "/_fake/clock/advance",
    "/_fake/faults",
    "/_fake/capabilities",
    "*",
  )
}

const queryOf = (dice: Dice, foreignCursor: string): string => {
  const { below, pick, text } = dice
  const value = (): string =>
    pick(
      text(below(30)),
      String(below(40) - 5),
      "%",
      "%zz",
      "%00",
      "a".repeat(below(3000)),
      "gte:2024-01-01T00:00:00Z",
      `${pick("gt", "gte", "lt", "lte", "eq", "__proto__")}:${2000 + below(60)}-${pick("01", "13", "0")}-31T00:00:00${pick("Z", "+02:00", "%2B02:00", "")}`,
      "gte:9999-12-31T23:59:59.999999999-23:59",
      foreignCursor,
      foreignCursor.slice(0, -below(9)),
      "AAAA",
    )
  const name = (): string =>
    pick(
      "limit",
      "created_at",
      "created_at",
      "external_id",
      "after_cursor",
      "partner",
      "__proto__",
      "constructor",
      text(4),
    )
  return Array.from({ length: below(6) }, () => `${name()}${pick("=", "=", "=", "", "==")}${value()}`).join(
    pick("&", "&", "&&", ";"),
  )
}

const headersOf = ({ pick, text, below }: Dice): http.OutgoingHttpHeaders => ({
  authorization: pick(
    basic("a:1"),
    basic("a:1"),
    basic("a:1"),
    basic("b:guess"),
    basic("a"),
    "Basic",
    `Basic ${text(20)}`,
    `Bearer ${text(9)}`,
    "",
  ),
  ...(below(4) === 0 && { "accept-encoding": pick("gzip", "gzip;q=0", "*", "zstd", ",,,") }),
  ...(below(6) === 0 && { [`x-${below(9)}`]: text(below(800)) }),
  ...(below(9) === 0 && { expect: pick("100-continue", "the unexpected") }),
  ...(below(9) === 0 && { "transfer-encoding": pick("chunked", "identity") }),
  ...(below(20) === 0 && { host: pick("", "elsewhere", "127.0.0.1:1") }),
})

interface Sent {
  readonly status: number
  readonly body: string
}

const send = (url: string, agent: http.Agent, n: number, foreignCursor: string) =>
  new Promise<Sent>((resolve) => {
    const rolled = dice(n)
    const { hostname, port } = new URL(url)
    const method = rolled.pick(...methods)
    const path = `${pathOf(rolled)}${rolled.pick("?", "?", "")}${queryOf(rolled, foreignCursor)}`
    const request = http.request({ hostname, port, agent, method, path, headers: headersOf(rolled) }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("close", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }))
    })
    request.on("error", (error) => resolve({ status: 0, body: error.message }))
    request.end(method === "GET" || method === "HEAD" ? undefined : rolled.bytes(rolled.below(200)))
  })

/** The heap after a full collection. */
const heapUsed = (): number => {
  v8.setFlagsFromString("--expose-gc")
  vm.runInNewContext("gc")()
  return process.memoryUsage().heapUsed
}

const requests = Thorough.times(2000, 19_000)

test(`survives ${requests} requests and more that are none, LAW_SEED=${Seeds.drawn}`, async () => {
  const data = Array.from({ length: 40 }, (_, n) => ({
    id: `${mark}-${n}`,
    external_id: mark,
    kind: "cash_in",
    status: "complete",
    created_at: "2024-06-01T00:00:00Z",
  }))
  await using fake = await startFakeServer({ partners: ["b:2", "a:1"], transfers: 200, data })
  const { cursors } = await pageThrough(fake.url, "", "b:2")
  const before = (await pageThrough(fake.url, "", "a:1")).ids
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 })
  const statuses = new Map<number, number>()
  const leaks: Array<number> = []
  const batch = async (from: number, to: number) => {
    let next = from
    const worker = async () => {
      for (let n = next++; n < to; n = next++) {
        const { status, body } = await send(fake.url, agent, n, cursors[1] ?? "")
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (body.includes(mark)) leaks.push(n)
      }
    }
    await Promise.all(Array.from({ length: 16 }, worker))
  }
  await batch(0, requests / 5)
  const heapBefore = heapUsed()
  await batch(requests / 5, requests)
  const garbage = await Promise.all(
    Array.from({ length: 900 }, async (_, n) => {
      const rolled = dice(100_000 + n)
      const lines = rolled.pick(
        "",
        "GET ",
        "GET /v1/capabilities HTTP/1.1\r\n",
        "POST /_fake/reset HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n",
      )
      return raw(fake.url, lines, rolled.bytes(1 + rolled.below(400)), "\r\n\r\n\r\n\r\n", "GET / HTTP/9.9\r\n\r\n")
    }),
  )
  const slow = Array.from({ length: 100 }, () => {
    const socket = net.connect(Number(new URL(fake.url).port), "127.0.0.1")
    socket.on("error", () => {})
    socket.write("GET /v1/capabilities HTTP/1.1\r\nx-slow: ")
    return socket
  })
  expect((await call(`${fake.url}/v1/capabilities`, { credentials: "a:1" })).status).toBe(200)
  for (const socket of slow) socket.destroy()
  agent.destroy()

  expect(leaks).toEqual([])
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([])
  for (const status of [200, 400, 401, 404, 405])
    expect(statuses.get(status), String(status)).toBeGreaterThan(requests / 100)
  expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(requests)
  for (const { text } of garbage) expect(text).not.toMatch(/HTTP\/1\.1 5/)
  expect((await pageThrough(fake.url, "", "a:1")).ids).toEqual(before)
  expect(heapUsed() - heapBefore).toBeLessThan(8 * 1024 * 1024)
})
