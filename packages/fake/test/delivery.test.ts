/** What faults do to a connection, seen on a socket. */
import * as net from "node:net"
import * as zlib from "node:zlib"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import type { Fault } from "@transferkit/fake/Fault"
import * as Latency from "@transferkit/fake/Latency"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import { call, raw, request } from "../../../scripts/test/partner.ts"

const search = "/v1/transfers/search"

const start = (...faults: readonly [Fault, ...ReadonlyArray<Fault>]) =>
  startFakeServer({ transfers: 45, faults: [{ faults }] })

/** The head and the body of a response, and how its connection ended. */
const exchange = async (url: string, headers: ReadonlyArray<string> = []) => {
  const { text, error } = await raw(url, request(search, headers))
  const [head = "", ...body] = text.split("\r\n\r\n")
  return { text, head, body: body.join("\r\n\r\n"), error }
}

const announced = (head: string): number => Number(/content-length: (\d+)/i.exec(head)?.[1])

describe("a connection", () => {
  test("never gets a response, and does not keep the fake from stopping", async () => {
    const fake = await start({ fault: "no_reply" })
    const { hostname, port } = new URL(fake.url)
    const socket = net.connect(Number(port), hostname)
    let received = 0
    socket.on("data", (chunk) => (received += chunk.byteLength))
    socket.write(request(search))
    await expect.poll(() => fake.requests()[0]?.faults).toEqual(["no_reply"])
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect([received, socket.destroyed]).toEqual([0, false])
    const ended = new Promise((resolve) => socket.on("close", resolve))
    await fake.close()
    await ended
    expect(received).toBe(0)
  })

  test("ends without a response", async () => {
    await using fake = await start({ fault: "empty_reply" })
    expect(await exchange(fake.url)).toMatchObject({ text: "", error: undefined })
  })

  test("gets bytes that are not HTTP, the same in every run", async () => {
    await using fake = await start({ fault: "garbage", bytes: 300 })
    const { text, error } = await exchange(fake.url)
    expect([text.length, /^[\u0080-\u00ff]+$/.test(text), error]).toEqual([300, true, undefined])
    await using again = await start({ fault: "garbage", bytes: 300 })
    expect((await exchange(again.url)).text).toBe(text)
    expect((await exchange(again.url)).text).not.toBe(text)
    await expect(call(again.url + search)).rejects.toMatchObject({ message: expect.stringContaining("fetch failed") })
  })

  test("gets half a body and a chunk without a size", async () => {
    await using fake = await start({ fault: "bad_chunk" })
    const { head, body } = await exchange(fake.url)
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(head).toMatch(/transfer-encoding: chunked/i)
    const [, size = "", rest = ""] = /^([0-9a-f]+)\r\n([^]*)$/.exec(body) ?? []
    expect(rest.slice(0, 11)).toBe('{"results":')
    expect(rest.slice(Number.parseInt(size, 16))).toBe("\r\nnot a size\r\n")
    await expect(call(fake.url + search)).rejects.toBeInstanceOf(Error)
  })

  test("gets a compressed body that does not match its checksum", async () => {
    await using fake = await start({ fault: "bad_gzip" })
    const { head, body } = await exchange(fake.url)
    expect(head).toMatch(/content-encoding: gzip/i)
    expect(announced(head)).toBe(body.length)
    const bytes = Buffer.from(body, "latin1")
    expect(() => zlib.gunzipSync(bytes)).toThrow("incorrect data check")
    const text = zlib.inflateRawSync(bytes.subarray(10, -8)).toString()
    expect(JSON.parse(text).results).toHaveLength(20)
    await expect(call(fake.url + search)).rejects.toBeInstanceOf(Error)
  })
})

describe("faults of the delivery combine", () => {
  test.each<[string, readonly [Fault, ...ReadonlyArray<Fault>], string | undefined]>([
    [
      "truncate and drip",
      [
        { fault: "drip", bytes: 10, every_ms: 20 },
        { fault: "truncate", bytes: 100 },
      ],
      undefined,
    ],
    [
      "truncate, reset and drip",
      [
        { fault: "truncate", bytes: 100 },
        { fault: "reset", at: "body" },
        { fault: "drip", bytes: 10, every_ms: 20 },
      ],
      "ECONNRESET",
    ],
  ])("%s", async (_, faults, error) => {
    await using fake = await start(...faults)
    const before = performance.now()
    const reply = await exchange(fake.url)
    expect(performance.now() - before).toBeGreaterThan(9 * 20 - 20)
    expect(announced(reply.head)).toBeGreaterThan(10_000)
    expect([reply.body.length, reply.error]).toEqual([100, error])
  })

  test("reset and drip", async () => {
    await using fake = await start({ fault: "reset", at: "body" }, { fault: "drip", bytes: 5000, every_ms: 30 })
    const before = performance.now()
    const { head, body, error } = await exchange(fake.url)
    expect(performance.now() - before).toBeGreaterThan(30)
    expect([body.length, error]).toEqual([Math.floor(announced(head) / 2), "ECONNRESET"])
  })
})

describe("a latency", () => {
  const drawn = (text: string) => {
    const latency = Result.getOrThrow(Latency.parse(text))
    return Array.from({ length: 2000 }, (_, key) => Latency.draw(latency, key)).toSorted((a, b) => a - b)
  }
  const share = (values: ReadonlyArray<number>, below: number) =>
    values.filter((value) => value < below).length / values.length

  test("is always the same, between two durations, or log-normal", () => {
    expect(new Set(drawn("20ms"))).toEqual(new Set([20]))
    const uniform = drawn("20ms..80ms")
    expect([uniform[0] ?? 0, 80 - (uniform.at(-1) ?? 0)].every((gap) => gap > 0 && gap < 21)).toBe(true)
    expect(share(uniform, 50)).toBeCloseTo(0.5, 1)
    const skewed = drawn("lognormal(50ms, 0.5)")
    expect(share(skewed, 50)).toBeCloseTo(0.5, 1)
    // One sigma above the median is 50 ms × e^0.5; two are 50 ms × e.
    expect(share(skewed, 50 * Math.exp(0.5))).toBeCloseTo(0.841, 1)
    expect(share(skewed, 50 * Math.E)).toBeCloseTo(0.977, 1)
    expect(skewed.at(-1)).toBeGreaterThan(150)
  })

  test.each(["", "20", "80ms..20ms", "20ms..", "1ms..2ms..3ms", "2h", "lognormal(50ms)", "lognormal(50ms, 4)", "-1ms"])(
    "is not %j",
    (text) => {
      expect(Result.isFailure(Latency.parse(text))).toBe(true)
    },
  )

  test.each(["60ms..90ms", "lognormal(70ms, 0.01)"])("of a rule delays its responses: %s", async (distribution) => {
    await using fake = await start({ fault: "latency", distribution })
    for (let n = 0; n < 3; n++) {
      const before = performance.now()
      expect((await call(fake.url + search)).status).toBe(200)
      expect(performance.now() - before).toBeGreaterThan(55)
    }
  })

  test("of a rule is either a number or a distribution", async () => {
    await using fake = await startFakeServer()
    const add = async (fault: object) =>
      (await call(`${fake.url}/_fake/faults`, { method: "POST", body: { faults: [{ fault: "latency", ...fault }] } }))
        .text
    expect(await add({})).toContain("expected either ms or distribution")
    expect(await add({ ms: 1, distribution: "1ms" })).toContain("expected either ms or distribution")
    expect(await add({ distribution: "slow" })).toContain("expected a latency such as 20ms, 20ms..80ms")
  })
})
