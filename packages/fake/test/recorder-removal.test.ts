/** A recording that may hold a secret is removed: one that was sent later, or that cannot be searched for. */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs/promises"
import * as http from "node:http"
import * as zlib from "node:zlib"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import { expect, test } from "vitest"
import { basic } from "../../../scripts/test/partner.ts"
import * as Recordings from "./Recordings.ts"

const { place, record } = Recordings.useFolder()
const { escapedKey, escapes } = Recordings

test.each(
  escapes.flatMap(([name, echo]) => [
    [name, Buffer.from(echo)] as const,
    [`${name} among bytes`, Buffer.concat([Buffer.from([255]), Buffer.from(echo)])] as const,
  ]),
)("a recording that holds a later key in %s is removed", async (_, echo) => {
  const exit = await record(
    (_, response) => response.end(echo),
    async (url) => {
      await fetch(`${url}/v1/capabilities`)
      await fetch(`${url}/v1/capabilities`, { headers: { authorization: basic(`live:${escapedKey}`) } })
    },
  )
  expect(exit).toEqual(Exit.fail(expect.objectContaining({ _tag: "SecretRecorded" })))
})

test("a recording that holds a key which is sent later is removed, and the recorder fails", async () => {
  const exit = await record(
    (_, response) => response.end("see key-of-tomorrow"),
    async (url) => {
      await fetch(`${url}/v1/capabilities`)
      await fetch(`${url}/v1/capabilities`, { headers: { authorization: basic("live:key-of-tomorrow") } })
    },
  )
  expect(exit).toEqual(Exit.fail(expect.objectContaining({ _tag: "SecretRecorded", path: place.out })))
  await expect(fs.access(place.out)).rejects.toThrow("ENOENT")
})

/** Requests with a key that the service never answers, or never gets. */
const unanswered: ReadonlyArray<readonly [string, http.RequestOptions]> = [
  ["a request that has no response when the recorder ends", { path: "/v1/open" }],
  ["a POST, which is rejected", { method: "POST" }],
  ["a HEAD, which is rejected", { method: "HEAD" }],
  ["a CONNECT, which is rejected", { method: "CONNECT", path: "example.com:443" }],
  ["a request with Expect, which is rejected", { headers: { expect: "something" } }],
  ["a path outside of the service, which is rejected", { path: "/%2e%2e/.." }],
]

test.each(unanswered)("a recording that holds a key of %s is removed", async (_, options) => {
  const waiting = Promise.withResolvers<void>()
  const exit = await record(
    (request, response) => (request.url === "/base/v1/open" ? waiting.resolve() : response.end("see key-of-tomorrow")),
    async (url) => {
      await fetch(`${url}/v1/capabilities`)
      const headers = { ...options.headers, authorization: basic("live:key-of-tomorrow") }
      const request = http.request(url, { path: "/v1/capabilities", ...options, headers }).end()
      const closed = new Promise((resolve) =>
        request.on("response", resolve).on("error", resolve).on("connect", resolve),
      )
      await Promise.race([waiting.promise, closed])
      request.destroy()
    },
    "/base",
  )
  const error = expect.objectContaining({ _tag: "SecretRecorded", path: place.out })
  expect(defectOf(exit)).toEqual(error)
  expect(await fs.readdir(place.folder)).toEqual([])
})

test.each([
  ["an object", '{"status":"complete","id":"t"}', { cookie: `seen=${encodeURIComponent('"complete","id"')}` }],
  ["a list", '[["complete","open"]]', { cookie: `shown=${encodeURIComponent('["complete","open"]')}` }],
  ["a number", '{"session":1234567890123456}', { "x-session": "1234567890123456" }],
])("a recording is removed if %s of a response is no JSON without a secret", async (_, body, headers) => {
  const exit = await record(
    (_, response) => response.end(body),
    (url) => fetch(`${url}/v1/capabilities`, { headers }).catch(() => new Promise(() => {})),
  )
  const error = { _tag: "SecretRecorded", isBroken: true, message: expect.stringContaining("is none without") }
  expect(exit).toEqual(Exit.fail(expect.objectContaining(error)))
  expect(await fs.readdir(place.folder)).toEqual([])
})

test("a recording that cannot be searched any more is removed", async () => {
  const exit = await record(
    (_, response) => response.end("{}"),
    async (url) => {
      await fetch(`${url}/v1/capabilities`)
      await fs.truncate(`${place.out}.recording`, 20)
      await fetch(`${url}/v1/capabilities`, { headers: { authorization: basic("live:key-of-today") } })
    },
  )
  expect(exit).toEqual(Exit.fail(expect.objectContaining({ _tag: "SecretRecorded", isHidden: true })))
  expect(await fs.readdir(place.folder)).toEqual([])
})

test("a key that is sent later is found in any line", async () => {
  let asked = 0
  const exit = await record(
    (_, response) => response.end(asked++ === 3 ? "see key-of-tomorrow" : JSON.stringify({ text: "é".repeat(1000) })),
    async (url) => {
      for (let request = 0; request < 6; request++) await fetch(`${url}/v1/capabilities`)
      await fetch(`${url}/v1/capabilities`, { headers: { authorization: basic("live:key-of-tomorrow") } })
    },
  )
  expect(exit).toEqual(Exit.fail(expect.objectContaining({ _tag: "SecretRecorded" })))
})

test("a recording that was moved away, for a pipe in its place, is emptied", async () => {
  const moved = `${place.out}.moved`
  const exit = await record(
    (_, response) => response.end("see key-of-tomorrow"),
    async (url) => {
      await fetch(`${url}/v1/capabilities`)
      await fs.rename(`${place.out}.recording`, moved)
      execFileSync("mkfifo", [`${place.out}.recording`])
      await fetch(`${url}/v1/capabilities`, { headers: { authorization: basic("live:key-of-tomorrow") } })
    },
  )
  expect(exit).toEqual(Exit.fail(expect.objectContaining({ _tag: "SecretRecorded", path: place.out })))
  expect(await fs.readFile(moved, "utf8")).toBe("")
})

const sessionOf = (response: number) => (0x9e3779b97f4a7c15n * BigInt(response + 1)).toString(36)

const defectOf = (exit: Exit.Exit<unknown, unknown>) => Exit.isFailure(exit) && Cause.squash(exit.cause)

test(
  "a recorder takes linear time for a cookie with each response, and finds each at the end",
  { timeout: 60_000 },
  async () => {
    const recordMany = async (responses: number, body: (response: number) => string) => {
      let asked = 0
      const began = process.cpuUsage()
      const exit = await record(
        (_, response) => {
          response.setHeader("set-cookie", `session=${sessionOf(asked)}; Path=/`)
          response.end(body(asked++))
        },
        async (url) => {
          for (let request = 0; request < responses; request++) await fetch(`${url}/v1/capabilities`)
        },
      )
      return { exit, milliseconds: process.cpuUsage(began).user / 1000 }
    }
    const page = JSON.stringify({ text: "a page of transfers ".repeat(100) })
    await recordMany(20, () => page)
    await fs.rm(place.out)
    const few = await recordMany(100, () => page)
    expect(few.exit).toEqual(Exit.void)
    await fs.rm(place.out)
    const many = await recordMany(400, () => page)
    expect(many.exit).toEqual(Exit.void)
    // It took 16 times as long, and two minutes.
    expect(many.milliseconds).toBeLessThan(8 * few.milliseconds)
    await fs.rm(place.out)
    // The value is in a body that was recorded before the response that sets it as a cookie.
    const early = await recordMany(100, (response) => (response === 97 ? `${page} ${sessionOf(99)}` : page))
    expect(defectOf(early.exit)).toMatchObject({ _tag: "SecretRecorded", path: place.out })
    expect(await fs.readdir(place.folder)).toEqual([])
  },
)

test("a recording has its name once it has been searched, and takes that of no other file", async () => {
  const seen: Array<ReadonlyArray<string>> = []
  const recording = (meanwhile: () => Promise<unknown>) =>
    record(
      (_, response) => response.end("{}"),
      async (url) => {
        await fetch(`${url}/v1/capabilities`)
        seen.push(await fs.readdir(place.folder))
        await meanwhile()
      },
    )
  expect(await recording(async () => {})).toEqual(Exit.void)
  seen.push(await fs.readdir(place.folder))
  expect(seen).toEqual([["recording.ndjson.recording"], ["recording.ndjson"]])
  await fs.rm(place.out)
  const late = await recording(() => fs.writeFile(place.out, "mine"))
  expect(defectOf(late)).toMatchObject({ _tag: "UnwritableRecording" })
  expect(await fs.readFile(place.out, "utf8")).toBe("mine")
  expect(await fs.readdir(place.folder)).toEqual(["recording.ndjson", "recording.ndjson.recording"])
})

test("a recording with more secrets than it can be searched for is removed", async () => {
  const exit = await record(
    (_, response) => {
      response.setHeader(
        "set-cookie",
        Array.from({ length: 300 }, (_, n) => `${n}=${Math.random().toString(36)}${Math.random().toString(36)}`),
      )
      response.end("{}")
    },
    async (url) => {
      for (let request = 0; request < 35; request++) await fetch(`${url}/v1/capabilities`)
    },
  )
  expect(exit).toEqual(Exit.fail(expect.objectContaining({ _tag: "SecretRecorded", isMany: true })))
  expect(await fs.readdir(place.folder)).toEqual([])
})

const packed = zlib.gzipSync(`{"key":"${escapedKey}"}`)

test.each<[string, Buffer | string]>([
  ["gzip in gzip", zlib.gzipSync(packed)],
  ["gzip in Base64", `{"debug":"${packed.toString("base64")}"}`],
  ["gzip in Base64 in gzip", zlib.gzipSync(packed.toString("base64"))],
  ["gzip in escapes", JSON.stringify({ debug: packed.toString("latin1") })],
  ["Brotli of deflate", zlib.brotliCompressSync(zlib.deflateSync(escapedKey))],
  ["a bomb", zlib.gzipSync(Buffer.alloc(200 << 20))],
])("a recording of a key in %s is removed", async (_, echo) => {
  const header = { headers: { authorization: basic(`live:${escapedKey}`) } }
  const exit = await record(
    (_, response) => response.end(echo),
    (url) => fetch(`${url}/v1/capabilities`, header).catch(() => new Promise(() => {})),
  )
  expect(exit).toEqual(Exit.fail(expect.objectContaining({ _tag: "SecretRecorded", isHidden: true })))
  expect(await fs.readdir(place.folder)).toEqual([])
})
