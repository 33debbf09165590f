/** `--record`, `--replay` and `--like`: the program beside a service, and in its place. */
import { spawn } from "node:child_process"
import { createHmac } from "node:crypto"
import { once } from "node:events"
import * as fs from "node:fs/promises"
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import { expect, test } from "vitest"
import { call } from "../../../scripts/test/partner.ts"
import * as SilentNames from "../../../scripts/test/SilentNames.ts"
import { built, run } from "./Program.ts"

const silentNames = SilentNames.compile()

test.runIf(SilentNames.isPossible)("one SIGTERM ends a recorder of a host whose name no server answers", async () => {
  const [names, folder] = [silentNames(), await fs.mkdtemp(path.join(os.tmpdir(), "fake-record-"))]
  const { child, line, exit } = run(
    ["--record", "https://service.example", "--out", path.join(folder, "recording"), "--port", "0", "--json"],
    names.env,
  )
  const { url } = JSON.parse(await line)
  const underWay = call(`${url}/v1/capabilities`).catch(() => "ended")
  await expect.poll(names.areAsked).toBe(true)
  const began = performance.now()
  child.kill("SIGTERM")
  await exit
  expect(child.signalCode).toBe("SIGTERM")
  expect(performance.now() - began).toBeLessThan(20_000)
  await underWay
  await fs.rm(folder, { recursive: true })
})

test("a recording that has no room for a response has all of the others", async () => {
  const service = http.createServer(({ url }, response) => response.end("x".repeat(url === "/v1/large" ? 4000 : 10)))
  await new Promise<void>((resolve) => void service.listen(0, "127.0.0.1", resolve))
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "fake-record-"))
  const out = path.join(folder, "recording")
  const target = `http://127.0.0.1:${Object(service.address()).port}`
  // No file may have more than 2,048 bytes.
  const child = spawn(
    "sh",
    [
      "-c",
      'ulimit -f 4; exec "$@"',
      "sh",
      process.execPath,
      built,
      "--record",
      target,
      "--out",
      out,
      "--port",
      "0",
      "--json",
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  )
  const stderr = new Promise<string>((resolve) => {
    let text = ""
    child.stderr.setEncoding("utf8").on("data", (part: string) => (text += part))
    child.on("close", () => resolve(text))
  })
  const [line] = await once(child.stdout.setEncoding("utf8"), "data")
  const { url } = JSON.parse(line)
  expect((await fetch(`${url}/v1/first`)).status).toBe(200)
  await expect(fetch(`${url}/v1/large`)).rejects.toBeInstanceOf(TypeError)
  expect((await fetch(`${url}/v1/last`)).status).toBe(200)
  child.kill("SIGTERM")
  expect(await stderr).toContain("EFBIG")
  const lines = (await fs.readFile(out, "utf8")).trimEnd().split("\n")
  expect(lines.slice(1).map((each) => JSON.parse(each).path)).toEqual(["/v1/first", "/v1/last"])
  await new Promise((resolve) => void service.close(resolve))
  await fs.rm(folder, { recursive: true })
})

test("records a service with --record, and replays it with --replay", async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "fake-"))
  const out = path.join(folder, "recording.ndjson")
  const service = run(["--port", "0", "--json", "--transfers", "3"])
  const target = JSON.parse(await service.line).url
  const key = { TRANSFERS_FAKE_RECORD_KEY: "a key" }
  const recorder = run(["--port", "0", "--json", "--record", target, "--out", out], key)
  const { json } = await call(`${JSON.parse(await recorder.line).url}/v1/transfers/search`)
  const pseudonymOf = ({ id }: { readonly id: string }) =>
    `anon-${createHmac("sha256", "a key").update(id).digest().subarray(0, 16).toString("base64url")}`
  recorder.child.kill("SIGTERM")
  expect(await recorder.exit).toBe(0)
  const replay = run(["--port", "0", "--json", "--replay", out])
  const replayed = await call(`${JSON.parse(await replay.line).url}/v1/transfers/search`)
  // Of transfers that were created in the same instant, the order is that of their ids, which are others now.
  const ids = replayed.json.results.map(({ id }: { readonly id: string }) => id)
  expect(ids.toSorted()).toEqual(json.results.map(pseudonymOf).toSorted())
  expect(ids).toHaveLength(3)
  for (const { child } of [service, replay]) child.kill("SIGTERM")
  expect(await Promise.all([service.exit, replay.exit])).toEqual([0, 0])
  await fs.rm(folder, { recursive: true })
})

test("a recording that a signal ends is removed if it holds a key, with a message", async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "fake-"))
  const out = path.join(folder, "recording.ndjson")
  let asked = 0
  const service = http.createServer((_, response) => {
    response.setHeader("set-cookie", `session=${asked === 9 ? "key-4711-of-tomorrow" : `${asked}-of-today-${asked}`}`)
    response.end(`${asked++ === 8 ? "key-4711-of-tomorrow" : "{}"} `.repeat(20))
  })
  await new Promise<void>((listening) => service.listen(0, "127.0.0.1", listening))
  const target = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  const recorder = run(["--port", "0", "--json", "--record", target, "--out", out])
  const { url } = JSON.parse(await recorder.line)
  for (let request = 0; request < 10; request++) await fetch(`${url}/v1/capabilities`)
  recorder.child.kill("SIGTERM")
  expect(await recorder.exit).toBe(2)
  expect(recorder.output.stderr).toBe(
    `transfers-fake: The recording ${out} held a key that was sent later, so it was removed. Record again with that key from the start.\n`,
  )
  expect(await fs.readdir(folder)).toEqual([])
  service.close()
  await fs.rm(folder, { recursive: true })
})

test("behaves like the deployment of a certificate with --like, except for what flags say", async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "fake-"))
  const behaviour = {
    lte_token: "le",
    order: "oldest-first",
    default_limit: 7,
    limit_above: "capped",
    unknown_parameters: "ignored",
    time_digits: 3,
    unknown_fields: ["/region", "/page_info/pages"],
    headers: { "content-type": "application/json", server: "theirs", "x-trace": "(varies)", date: "(varies)" },
    responses: {
      limit_above: { status: 200, headers: {} },
      limit_zero: {
        status: 422,
        headers: { "content-type": "text/plain", "x-trace": "(varies)" },
        body: "no (varies)",
      },
      no_credentials: { status: 403, headers: {}, body: "" },
    },
  }
  const heading = { certificate: 1, origin: "https://a.example", made_at: "", version: "1", requests: 0, laws: [] }
  const certificate = path.join(folder, "certificate.json")
  await fs.writeFile(certificate, JSON.stringify({ ...heading, behaviour }))
  const flags = ["--port", "0", "--json", "--transfers", "40", "--now", "2025-01-01", "--like", certificate]
  const observed = async (...args: ReadonlyArray<string>) => {
    const { child, line, exit } = run([...flags, ...args])
    const { url } = JSON.parse(await line)
    const headers = { authorization: `Basic ${btoa("demo:demo-secret")}` }
    const send = (query: string) => fetch(`${url}/v1/transfers/search?${query}`, { headers })
    const first = await send("x=1")
    const body = await first.json()
    const le = await (await send("limit=99&created_at=le:2025-01-01T00:00:00Z")).json()
    const zero = await send("limit=0")
    const found = {
      rows: body.results.length,
      isOldest: body.results[0].created_at < body.results.at(-1).created_at,
      digits: /\.(\d+)Z/.exec(body.results[0].created_at)?.[1]?.length,
      region: body.region,
      pages: body.page_info.pages,
      le: le.results?.length,
      server: first.headers.get("server"),
      requestId: first.headers.get("x-request-id"),
      zero: [zero.status, zero.headers.get("content-type"), (await zero.text()).replace(/\d+/, "n")],
      anonymous: (await fetch(`${url}/v1/transfers/search`)).status,
    }
    child.kill("SIGTERM")
    await exit
    return found
  }
  const expected = {
    rows: 7,
    isOldest: true,
    digits: 3,
    region: null,
    pages: null,
    le: 20,
    server: "theirs",
    requestId: null,
    zero: [422, "text/plain", "no n"],
    anonymous: 403,
  }
  expect(await observed()).toEqual(expected)
  const differing = await observed("--order", "newest-first", "--default-limit", "3", "--lte-token", "most")
  expect(differing).toEqual({ ...expected, rows: 3, isOldest: false, le: undefined })
  for (const [given, reason] of [
    [path.join(folder, "none.json"), "ENOENT"],
    [import.meta.filename, "it is not a certificate"],
  ] as const) {
    const { exit, output } = run(["--like", given])
    expect(await exit).toBe(2)
    expect(output.stderr).toContain("--like")
    expect(output.stderr).toContain(reason)
  }
  await fs.rm(folder, { recursive: true })
})
