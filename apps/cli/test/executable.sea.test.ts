/** The executable that `pnpm sea` builds, in a folder of its own and without a Node, against the bundle for Node. */
import { spawn } from "node:child_process"
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as Collector from "../../../scripts/test/Collector.ts"
import * as Cli from "./Cli.ts"
import * as Processes from "./Processes.ts"

const built = join(import.meta.dirname, "../sea/dist")
const executable = join(built, "transfers")

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-executable-"))
})
afterAll(() => rm(folder, { recursive: true }))

const env = () => ({ PATH: "/nonexistent", HOME: folder })

const run = async (args: ReadonlyArray<string>, more: Readonly<Record<string, string>> = {}) => {
  const child = spawn(executable, args, { cwd: folder, env: { ...env(), ...more }, stdio: ["ignore", "pipe", "pipe"] })
  const stdout: Array<Buffer> = []
  const stderr: Array<Buffer> = []
  child.stdout.on("data", (chunk) => stdout.push(chunk))
  child.stderr.on("data", (chunk) => stderr.push(chunk))
  const code = await new Promise((resolve) => child.on("close", resolve))
  return {
    code,
    bytes: Buffer.concat(stdout),
    stdout: String(Buffer.concat(stdout)),
    stderr: String(Buffer.concat(stderr)),
  }
}

test.each([
  ["--version"],
  ["--help"],
  ["profiles save --help"],
  ["help export"],
  ["search --sandbox --limit 3"],
  ["search --sandbox --limit 3 --jq .[].source_total.amount"],
  ["search --sandbox --limit 3 --template {{id}}"],
  ["search --sandbox --limit 3 --jq .["],
  ["search --sandbox --limit 3 --jq last(repeat(1)) --timeout 1"],
  ["summary --sandbox --by month --output csv --quiet"],
  ["capabilities --sandbox --output json"],
  ["completions bash"],
  ["serach"],
])("prints what the bundle prints: transfers %s", async (line) => {
  const { code, stdout, stderr } = await run(line.split(" "))
  expect({ code, stdout, stderr }).toEqual(await Cli.run(line.split(" ")))
  expect(stdout + stderr).not.toBe("")
})

test("exports, verifies, reconciles and queries", async () => {
  const september = ["--sandbox", "--now", "2025-01-01", "--since", "2024-09", "--until", "2024-09"]
  for (const file of ["september.csv", "september.parquet", "september.xlsx"]) {
    expect(await run(["export", ...september, "--out", file, "--quiet"])).toMatchObject({ code: 0, stderr: "" })
    expect(await run(["verify", file])).toMatchObject({ code: 0 })
  }
  expect(await run(["diff", "september.csv", "september.parquet"])).toMatchObject({ code: 0 })
  await writeFile(join(folder, "ledger.csv"), "reference,amount,currency\nunknown,1.00,USD\n")
  const reconciled = await run([
    "reconcile",
    "ledger.csv",
    "--from",
    "september.csv",
    "--html",
    "page.html",
    "--output",
    "json",
  ])
  expect(reconciled).toMatchObject({ code: 1 })
  expect(JSON.parse(reconciled.stdout).breaks).toBeGreaterThan(300)
  expect(await readFile(join(folder, "page.html"), "utf8")).toContain("</html>")
  expect(await run(["sync", "--sandbox", "--to", "mirror.db"])).toMatchObject({ code: 0 })
  const counted = await run(["query", "select count(*) as n from transfers", "--from", "mirror.db", "--output", "json"])
  expect(counted).toMatchObject({ code: 0, stderr: "" })
  expect(JSON.parse(counted.stdout)).toEqual([{ n: 5000 }])
}, 120_000)

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)(
  "one %s ends what never ends, with %i, and leaves no process",
  async (signal, expected) => {
    await run(["sync", "--sandbox", "--to", "endless.db"])
    const sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"
    for (const args of [
      ["query", "--from", "endless.db", sql],
      ["query", "--from", "endless.db", "SELECT 1", "--jq", "last(repeat(1))"],
      ["search", "--sandbox", "--limit", "1", "--jq", "last(repeat(1))"],
    ]) {
      const child = spawn(executable, args, { cwd: folder, env: env(), stdio: "ignore" })
      const closed = new Promise((resolve) => child.on("close", resolve))
      await expect.poll(() => Processes.descendants(child.pid).length, { timeout: 30_000 }).toBeGreaterThan(0)
      const below = Processes.descendants(child.pid)
      child.kill(signal)
      expect({ args, code: await closed }).toEqual({ args, code: expected })
      await expect.poll(() => below.filter(Processes.isRunning), { timeout: 20_000 }).toEqual([])
    }
  },
  120_000,
)

test("writes a workbook to standard output", async () => {
  const args = ["search", "--sandbox", "--limit", "3", "--output", "xlsx"]
  const { code, bytes } = await run(args)
  expect({ code, start: String(bytes.subarray(0, 2)) }).toEqual({ code: 0, start: "PK" })
})

test("serves language models", async () => {
  const client = new Client({ name: "test", version: "1.0.0" })
  await client.connect(
    new StdioClientTransport({
      command: executable,
      args: ["mcp", "--sandbox"],
      cwd: folder,
      env: env(),
      stderr: "ignore",
    }),
  )
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("stuck_transfers")
  const answer = await client.callTool({ name: "capabilities", arguments: {} })
  expect(answer.isError ?? false).toBe(false)
  await client.close()
})

test("calls a service, and sends telemetry", async () => {
  const [fake, collector] = await Promise.all([startFakeServer({ transfers: 100 }), Collector.start()])
  try {
    const told = await run(["summary"], {
      ...Cli.demo(fake.url),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_TIMEOUT: "20000",
    })
    expect(told).toMatchObject({ code: 0, stderr: "" })
    expect(collector.bodies.traces.join("\n")).toContain("transfers summary")
  } finally {
    await Promise.all([fake.close(), collector.close()])
  }
})

test("comes with the manual pages, and with the licences of its packages, of Node and of what Node is made of", async () => {
  const notices = await readFile(join(built, "THIRD-PARTY-NOTICES"), "utf8")
  for (const name of ["effect", "jq-web", "mustache", "Node.js", "OpenSSL", "V8"]) expect(notices).toContain(name)
  expect((await readdir(join(built, "man"))).length).toBeGreaterThan(20)
})

test("has the size that the README names", async () => {
  const readme = await readFile(join(import.meta.dirname, "../README.md"), "utf8")
  const [, named = ""] = /one executable of (\d+) MB/.exec(readme) ?? []
  expect(Math.abs((await stat(executable)).size / 1e6 - Number(named))).toBeLessThan(3)
})
