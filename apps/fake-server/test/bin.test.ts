/** The program, started from a shell or a script. */
import { spawn } from "node:child_process"
import { createHmac } from "node:crypto"
import { once } from "node:events"
import * as fs from "node:fs/promises"
import * as http from "node:http"
import * as https from "node:https"
import type { AddressInfo } from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import * as BuiltOnce from "../../../scripts/test/BuiltOnce.ts"
import { call, raw } from "../../../scripts/test/partner.ts"
import * as SilentNames from "../../../scripts/test/SilentNames.ts"
import { build } from "../scripts/Bundle.ts"

const built = path.join(await BuiltOnce.folder("fake-server", build), "bin.js")

const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}, program = built) => {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  })
  const output = { stdout: "", stderr: "" }
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text))
  const line = new Promise<string>((resolve) =>
    child.stdout.on("data", () => output.stdout.includes("\n") && resolve(output.stdout)),
  )
  const exit = new Promise<number | null>((resolve) => child.on("close", resolve))
  return { child, output, line, exit }
}

test.each(["HTTPS_PROXY", "https_proxy"])("a line break in %s ends it without the password", async (name) => {
  const { output, exit } = run(["--port", "0"], { NODE_USE_ENV_PROXY: "1", [name]: "http://me:hidden@127.0.0.1:1\n" })
  expect({ code: await exit, ...output }).toEqual({
    code: 2,
    stdout: "",
    stderr: `error: ${name} has a line break. Write one address without it, such as http://proxy.example:3128.\n`,
  })
})

test("prints its URL as a line of JSON, serves, and stops on SIGTERM", async () => {
  const { child, line, exit } = run(["--port", "0", "--json", "--transfers", "7", "--partner", "p:s"])
  const { event, url } = JSON.parse(await line)
  expect(event).toBe("listening")
  const page = await call(`${url}/v1/transfers/search`, { credentials: "p:s" })
  expect(page.json.results).toHaveLength(7)
  child.kill("SIGTERM")
  expect(await exit).toBe(0)
})

test.each(["SIGTERM", "SIGINT"] as const)("completes requests under way on %s, then exits with 0", async (signal) => {
  const { child, line, exit } = run(["--port", "0", "--json", "--transfers", "7", "--latency", "1500ms"])
  const { url } = JSON.parse(await line)
  const underWay = call(`${url}/v1/transfers/search`)
  await expect.poll(async () => (await call(`${url}/_fake/health`)).json.requests).toBe(1)
  child.kill(signal)
  const { status, json } = await underWay
  expect([status, json.results.length]).toEqual([200, 7])
  expect(await exit).toBe(0)
  await expect(call(`${url}/v1/capabilities`)).rejects.toBeInstanceOf(Error)
})

test.each([
  ["SIGTERM", "SIGTERM"],
  ["SIGINT", "SIGTERM"],
] as const)("ends at once on %s and a %s after it", async (first, second) => {
  const { child, line, exit } = run(["--port", "0", "--json", "--transfers", "7", "--latency", "60s"])
  const { url } = JSON.parse(await line)
  const underWay = call(`${url}/v1/transfers/search`).catch(() => "ended")
  await expect.poll(async () => (await call(`${url}/_fake/health`)).json.requests).toBe(1)
  child.kill(first)
  await expect.poll(() => call(`${url}/_fake/health`).catch(() => "closed")).toBe("closed")
  const began = performance.now()
  child.kill(second)
  await exit
  expect(child.signalCode).toBe(second)
  expect(performance.now() - began).toBeLessThan(2000)
  expect(await underWay).toBe("ended")
})

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

test("explains invalid options and does not start", async () => {
  const { exit, output } = run(["--port", "0", "--partner", "nobody"])
  expect(await exit).toBe(2)
  expect(output.stderr + output.stdout).toContain("Write <id>:<secret>")
})

test.each([
  [["--port", "abc"], {}, '--port is "abc". Expected a whole number.'],
  [
    ["--order", "random"],
    {},
    '--order is "random". Expected "newest-first" | "oldest-first" | "by-id" | "by-updated" | "shuffled".',
  ],
  [
    [],
    { TRANSFERS_FAKE_ORDER: "random" },
    'TRANSFERS_FAKE_ORDER is "random". Expected "newest-first" | "oldest-first" |',
  ],
  [["--lenient=perhaps"], {}, '--lenient is "perhaps". Expected true or false.'],
  [["--prot", "1"], {}, "There is no flag --prot. Did you mean --port or --from?"],
  [[], { TRANSFERS_FAKE_PORT: "abc" }, 'TRANSFERS_FAKE_PORT is "abc". Expected a whole number.'],
  [[], { TRANSFERS_FAKE_LENIENT: "perhaps" }, 'TRANSFERS_FAKE_LENIENT is "perhaps". Expected true or false.'],
])("names the invalid flag or variable, its value and the accepted ones: %j %j", async (args, env, said) => {
  const { exit, output } = run(args, env)
  expect(await exit).toBe(2)
  expect(output.stdout).toBe("")
  expect(output.stderr).toContain(`transfers-fake: ${said}`)
  expect(output.stderr).toContain("See transfers-fake --help.\n")
})

test.each([
  ["a flag", ["--\u001b[2J"]],
  ["a value", ["--latency", "\u001b[2J\u009b2J"]],
  ["a name of a file", ["--data", "\u001b]0;title\u0007.ndjson"]],
])("writes no control character of %s to the terminal", async (_, args) => {
  const { output, exit } = run(args)
  expect(await exit).toBe(2)
  expect(output.stderr).toMatch(/^(?:[^\p{Cc}]+\n)+$/u)
})

test("its help names the port, address and seed that it takes without flags", async () => {
  const { exit, output } = run(["--help"])
  expect(await exit).toBe(0)
  const help = output.stdout.replaceAll(/\s+/g, " ")
  expect(help).toContain("Port to listen on; 0 takes any free one (default: 8787)")
  expect(help).toContain("Address to listen on (default: 127.0.0.1)")
  expect(help).toContain("of all probabilities (default: 1)")
})

test("its help is longer than a terminal, so the pager shows it there", async () => {
  // A real terminal would need a program that not every system has.
  const terminal = "process.stdin.isTTY=process.stdout.isTTY=true;process.stdout.rows=24"
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${terminal}`, PAGER: "sed 's/^/paged: /'", TERM: "xterm" }
  const { exit, output } = run(["--help"], env)
  expect({ code: await exit, stderr: output.stderr }).toEqual({ code: 0, stderr: "" })
  const lines = output.stdout.trimEnd().split("\n")
  expect(lines.length).toBeGreaterThan(24)
  expect(lines.filter((line) => !line.startsWith("paged: "))).toEqual([])
})

test("its help has each flag in a group, with a name for its value, and examples that start", async () => {
  const { exit, output } = run(["--help"])
  expect(await exit).toBe(0)
  const lines = output.stdout.split("\n")
  const titles = ["SERVER", "TRANSFERS", "BEHAVIOUR", "RECORDINGS", "ENVIRONMENT", "EXAMPLES", "EXIT CODES"]
  expect(lines.filter((line) => /^[A-Z ]+$/.test(line))).toEqual(["USAGE", ...titles])
  expect(lines.filter((line) => line.length > 80)).toEqual([])
  const rows = lines.filter((line) => line.startsWith("  --"))
  expect(rows.filter((row) => !/^ {2}--[a-z-]+(?: [A-Z:]+)? {2}/.test(row))).toEqual([])
  expect(rows.filter((row) => !/^ {2}--[a-z-]+ [A-Z]/.test(row)).map((row) => row.split(" ")[2])).toEqual([
    "--json",
    "--lenient",
    "--keep-identifiers",
  ])
  const examples = lines.flatMap((line) => (line.startsWith("  transfers-fake --") ? [line.trim().split(" ")] : []))
  expect(examples.length).toBeGreaterThan(2)
  for (const [, ...args] of examples) {
    const started = run([...args, ...(args.includes("--port") ? [] : ["--port", "0"])])
    expect(await started.line).toMatch(/^(?:Listening on|\{"event":"listening")/)
    started.child.kill("SIGTERM")
    expect(await started.exit).toBe(0)
  }
})

test("warns about a fake that others can reach, and prints a usable URL", async () => {
  const { child, line, exit, output } = run(["--port", "0", "--host", "0.0.0.0"], { TRANSFERS_FAKE_JSON: "true" })
  const { url } = JSON.parse(await line)
  expect((await call(`${url}/_fake/health`)).status).toBe(200)
  child.kill("SIGTERM")
  expect(await exit).toBe(0)
  expect(output.stderr).toContain("Set --admin-token")
})

test("ends its transfers today, and says so", async () => {
  const { child, line, exit } = run(["--port", "0", "--json", "--transfers", "3000"])
  const { url, now } = JSON.parse(await line)
  const today = new Date().toISOString().slice(0, 10)
  expect([today, new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10)]).toContain(now)
  const { json } = await call(`${url}/v1/transfers/search?limit=1`)
  const age = Date.parse(now) - Date.parse(json.results[0].created_at)
  expect([age > 0, age < 86_400_000]).toEqual([true, true])
  expect((await call(`${url}/_fake/health`)).json.now).toBe(`${now}T00:00:00Z`)
  child.kill("SIGTERM")
  expect(await exit).toBe(0)
})

test("lets transfers arrive at the present with --arrivals", async () => {
  const { child, line, exit, output } = run(["--port", "0", "--transfers", "5", "--arrivals", "20/s"])
  expect(await line).toMatch(/^Listening on http:\/\/127\.0\.0\.1:\d+\. Generated transfers end at 20\d\d-.*Z\.\n$/)
  const url = /http:[^ ]+(?=\. )/.exec(output.stdout)?.[0]
  await expect.poll(async () => (await call(`${url}/_fake/health`)).json.partners[0].transfers).toBeGreaterThan(15)
  const asked = Date.now()
  const { json } = await call(`${url}/v1/transfers/search?limit=1`)
  const newest = Date.parse(json.results[0].created_at)
  expect([newest > asked - 10_000, newest <= Date.now()]).toEqual([true, true])
  child.kill("SIGTERM")
  expect(await exit).toBe(0)
})

test("accepts the hosts of --allow-host", async () => {
  const { child, line, exit, output } = run(["--port", "0", "--json", "--allow-host", "fake.test"])
  const { url } = JSON.parse(await line)
  const status = async (host: string) => (await raw(url, `GET /openapi.json HTTP/1.0\r\nhost: ${host}\r\n\r\n`)).text
  expect(await status("fake.test")).toMatch(/^HTTP\/1\.1 200 /)
  expect(await status("other.test")).toMatch(/^HTTP\/1\.1 421 /)
  child.kill("SIGTERM")
  expect([await exit, output.stderr]).toEqual([0, ""])
})

test("serves HTTPS with --tls, and writes its authority to a file", async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "fake-"))
  const file = path.join(folder, "ca.pem")
  const { child, line, exit } = run(["--port", "0", "--json", "--tls", file, "--cors", "https://app.test"])
  const { url } = JSON.parse(await line)
  const ca = await fs.readFile(file)
  const headers = await new Promise<http.IncomingHttpHeaders>((resolve, reject) => {
    const options = { ca, headers: { origin: "https://app.test" } }
    https.get(`${url}/v1/capabilities`, options, (response) => resolve(response.resume().headers)).on("error", reject)
  })
  expect(headers["access-control-allow-origin"]).toBe("https://app.test")
  child.kill("SIGTERM")
  expect(await exit).toBe(0)
  await fs.rm(folder, { recursive: true })
})

describe("--tls", () => {
  let folder: string
  let file: string
  beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), "fake-"))
    file = path.join(folder, "ca.pem")
  })
  afterEach(() => fs.rm(folder, { recursive: true }))

  const rejected = async (target: string) => {
    const { exit, output } = run(["--port", "0", "--tls", target])
    expect(await exit).toBe(2)
    return output.stderr
  }

  test("takes the place of the certificate of an earlier start", async () => {
    const seen: Array<string> = []
    for (let start = 0; start < 2; start++) {
      const { child, line, exit } = run(["--port", "0", "--json", "--tls", file])
      await line
      seen.push(await fs.readFile(file, "utf8"))
      child.kill("SIGTERM")
      await exit
    }
    expect(new Set(seen).size).toBe(2)
    expect(await fs.readdir(folder)).toEqual(["ca.pem"])
  })

  test("overwrites no other file", async () => {
    await fs.writeFile(file, "my notes")
    expect(await rejected(file)).toContain(`--tls: ${file} is no certificate of an earlier start, and stays as it is.`)
    expect(await fs.readFile(file, "utf8")).toBe("my notes")
  })

  test("does not write through a link, even if there is nothing behind it", async () => {
    await fs.symlink(path.join(folder, "elsewhere"), file)
    expect(await rejected(file)).toContain(`--tls: ${file} is a link or no file, and stays as it is.`)
    expect(await fs.readdir(folder)).toEqual(["ca.pem"])
  })
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

test("takes faults from a file, and its other options from flags and the environment", async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "fake-"))
  const file = path.join(folder, "faults.json")
  const rule = { when: { request: 1 }, faults: [{ fault: "status", status: 503 }] }
  await fs.writeFile(file, JSON.stringify({ rules: [rule] }))
  const flags = ["--port", "0", "--json", "--faults", file, "--default-limit", "3", "--rate-limit", "2/h", "--lenient"]
  const env = { TRANSFERS_FAKE_PARTNER: "a:b,c:d", TRANSFERS_FAKE_TRANSFERS: "9", TRANSFERS_FAKE_LATENCY: "60ms..70ms" }
  const { child, line, exit } = run(flags, env)
  const { url } = JSON.parse(await line)
  const before = performance.now()
  const ask = () => call(`${url}/v1/transfers/search?colour=red`, { credentials: "c:d" })
  const replies = [await ask(), await ask(), await ask()]
  expect(performance.now() - before).toBeGreaterThan(170)
  expect(replies.map((reply) => reply.status)).toEqual([503, 200, 429])
  expect(replies[1]?.json.results).toHaveLength(3)
  child.kill("SIGINT")
  expect(await exit).toBe(0)
  await fs.rm(folder, { recursive: true })
})

test.each([
  [["--latency", "soon"], "--latency: Not a latency"],
  [["--latency", "80ms..20ms"], "--latency: Not a latency"],
  [["--latency", "lognormal(50ms, 9)"], "--latency: Not a latency"],
  [["--now", "tomorrow"], "now must be an RFC 3339 timestamp or a day of the years 1972 to 2199"],
  [["--now", "1969-01-01"], "now must be an RFC 3339 timestamp or a day of the years 1972 to 2199"],
  [["--arrivals", "2"], "--arrivals: Not a rate"],
  [["--arrivals", "2000/s"], "arrivals must be { requests, perMs }: at most 1000 transfers a second"],
  [["--cors", "app.test"], "cors origins must be a list of origins, such as http://localhost:5173"],
  [["--tls", "/no-such-folder/ca.pem"], "--tls: ENOENT"],
  [["--record", "https://127.0.0.1:9"], "--record: name the file to write with --out."],
  [["--record", "http://example.com", "--out", "/tmp/x"], "must be an https: URL without credentials"],
  [["--replay", "/no-such-folder"], "Cannot replay /no-such-folder: ENOENT"],
  [["--lte-token", "lt"], "The fake cannot start"],
  [["--rate-limit", "often"], "--rate-limit: Not a rate"],
  [["--faults", "/no-such-folder"], "Cannot read fault rules from /no-such-folder: ENOENT"],
  [["--data", "/no-such-folder"], "Cannot read transfers from /no-such-folder"],
  [["--order", "random"], '--order is "random"'],
  [["--nonsense"], "--nonsense"],
  [["serve"], '"serve"'],
  [["--displaced", "-1"], "displaced must be a whole number from 0 to 1000000, not -1"],
  [["--port", "80000"], "port must be a whole number from 0 to 65535, not 80000"],
  [["--admin-token", ""], "admin token must be a non-empty text"],
])("exits with 2 for %j and explains on stderr", async (flags, reason) => {
  const { exit, output } = run(flags, { TRANSFERS_FAKE_PORT: "0" })
  expect(await exit).toBe(2)
  expect(output.stderr).toContain(reason)
  expect(output.stdout).toBe("")
})

test("caches its compiled sources for the next start", async () => {
  const sources = path.join(import.meta.dirname, "../src/bin.ts")
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "fake-"))
  const { child, line, exit } = run(["--port", "0", "--json"], { NODE_COMPILE_CACHE: folder }, sources)
  await line
  child.kill("SIGTERM")
  expect(await exit).toBe(0)
  const kept = await fs.readdir(folder, { recursive: true })
  expect(kept.length).toBeGreaterThan(50)
  await fs.rm(folder, { recursive: true })
})
