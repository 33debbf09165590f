/** The program, started from a shell or a script: its flags, its help, what it serves, and how it ends. */
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { expect, test } from "vitest"
import { call, raw } from "../../../scripts/test/partner.ts"
import { run } from "./Program.ts"

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
