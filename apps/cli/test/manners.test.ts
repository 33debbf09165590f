import { spawnSync } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import manifest from "../package.json" with { type: "json" }
import { bin, demo, run as runProcess, start } from "./Cli.ts"
import * as Fake from "./Fake.ts"
import { run } from "./InProcess.ts"

/** The made-up transfers of a year. */
const made = ["--sandbox", "--now", "2025-01-01"]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-cli-"))
})
afterAll(() => rm(folder, { recursive: true }))

describe("an invalid command line", () => {
  test.each([
    [["serch"], "search"],
    [["search", "--limt", "3"], "--limit"],
    [["summary", "--charts"], "--chart"],
  ])("%j is a usage error that suggests %s, on standard error only", async (args, suggestion) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain(suggestion)
    expect(stderr).toContain("--help")
  })

  test.each([
    [["search", "--limit", "21"], "a whole number from 1 to 20"],
    [["search", "--limit", "1e1"], "a whole number from 1 to 20"],
    [["watch", "--interval", "0"], "a whole number from 1 to 604800"],
    [["search", "--since", "soon"], "2024-09-01"],
    [["search", "--created-at", "after:2024-09-01T00:00:00Z"], "gt, gte, lt, lte"],
    [["search", "--since", "2024-10", "--until", "2024-09"], "no transfer can match"],
    [["export", "--out", "transfers"], ".ndjson"],
    [["search", "--all", "--after-cursor", "x"], "give one of them"],
    [["validate", "-", "--secret-key-stdin"], "--secret-key-file"],
    [["export", "--out", "x.csv", "--concurrency", "0"], "a whole number from 1 to 64"],
    [["reconcile", "ledger.csv", "--tolerance", "1"], "0.01:fiat/USD"],
    [["reconcile", "ledger.csv", "--map", "amount"], "key="],
    [["reconcile", "ledger.csv", "--delimiter", ""], "such as ';'"],
    [["export", "--out", "", "--format", "csv"], "--out: name a file"],
    [["profiles", "save", ""], "letters, digits"],
    [["profiles", "save", "$(date)"], "letters, digits"],
    [["search", "--currency", "usd"], '--currency: Not a currency code: "usd". Write <network>/<ticker>'],
    [["summary", "--chart", "-o", "json"], "--chart cannot be combined with --output json"],
    [["validate", "-"], "standard input: it is not JSON"],
  ])("%j says what is accepted", async (args, hint) => {
    const { code, stdout, stderr } = await run([...args, "--sandbox"])
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain(hint)
  })

  test("names every missing setting, and --sandbox", async () => {
    const { code, stderr } = await run(["search"])
    expect(code).toBe(2)
    for (const hint of ["TRANSFERS_BASE_URL", "TRANSFERS_PARTNER_ID", "TRANSFERS_SECRET_KEY", "--sandbox"]) {
      expect(stderr).toContain(hint)
    }
  })
})

test.each([
  [["serch"], 'Unknown command "serch". Did you mean search?'],
  [["search", "--limt", "3"], "Unknown flag --limt. Did you mean --limit?"],
  [["search", "--limit", "99"], '--limit: expected a whole number from 1 to 20, found "99".'],
  [["search", "--sandbox=perhaps"], '--sandbox: expected no value, found "perhaps".'],
  [["export"], "--out"],
])("%j is one JSON document on standard error with --output json", async (args, message) => {
  const { code, stdout, stderr } = await run([...args, "--output", "json"])
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
  expect(JSON.parse(stderr).error).toMatchObject({ code: "UsageError", exit_code: 2 })
  expect(JSON.parse(stderr).error.message).toContain(message)
})

test("an error is JSON on standard error with --output json", async () => {
  const { code, stdout, stderr } = await run(["summary", "--sandbox", "--by", "hour", "--output", "json"])
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: "UsageError", exit_code: 2 } })
})

test.each(["--version", "-v"])("%s prints the version alone", async (flag) => {
  expect(await runProcess([flag])).toEqual({ code: 0, stdout: `transfers ${manifest.version}\n`, stderr: "" })
})

test("ends quietly when its reader closes the pipe", async () => {
  const child = start(["search", "--sandbox", "--all"])
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk))
  await new Promise((resolve) => child.stdout.once("data", resolve))
  child.stdout.destroy()
  const code = await new Promise((resolve) => child.on("close", resolve))
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
})

test.each([
  ["data", ["search", "--sandbox", "--all"]],
  ["a help page", ["export", "--help"]],
])("fails if the disk has no room for %s", async (_what, args) => {
  const file = join(folder, "no-room")
  // A file may have 512 bytes here, so that most of the output has no place.
  const { status, stderr } = spawnSync(
    "sh",
    ["-c", 'ulimit -f 1 && exec "$@" > "$0"', file, process.execPath, bin, ...args],
    {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], NODE_DISABLE_COMPILE_CACHE: "1" },
    },
  )
  expect(status).toBe(2)
  expect(stderr).toMatch(/^error: standard output: .+\n$/)
})

describe("the secret key", () => {
  const secret = "s3cr3t-K3y"
  const encoded = Buffer.from(`me:${secret}`).toString("base64")
  const unreachable = { TRANSFERS_BASE_URL: "http://127.0.0.1:1", TRANSFERS_PARTNER_ID: "me" }

  test("is read from a file or standard input, and never shown, at any log level", async () => {
    const file = join(folder, "key")
    await writeFile(file, `${secret}\n`, { mode: 0o600 })
    const runs = await Promise.all([
      runProcess(["capabilities", "--secret-key-file", file, "--log-level", "trace"], { env: unreachable }),
      runProcess(["capabilities", "--secret-key-stdin", "--log-level", "trace"], {
        env: unreachable,
        stdin: `${secret}\n`,
      }),
      runProcess(["capabilities", "--log-level", "trace"], { env: { ...unreachable, TRANSFERS_SECRET_KEY: secret } }),
    ])
    for (const { code, stdout, stderr } of runs) {
      expect({ code, stdout }).toEqual({ code: 4, stdout: "" })
      expect(stderr).toContain("Cannot reach the service")
      expect(stderr).not.toContain(secret)
      expect(stderr).not.toContain(encoded)
    }
  })

  /** What `ps` shows; on Linux, where it has it from, because not every machine has a `ps`. */
  const commandLineOf = async (pid: number | undefined): Promise<string> =>
    process.platform === "linux"
      ? (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ")
      : spawnSync("ps", ["-ww", "-o", "args=", "-p", String(pid)], { encoding: "utf8" }).stdout

  test("is in no command line, however it is given", async () => {
    const slow = await startFakeServer({ partners: [`me:${secret}`], transfers: 3 })
    await Fake.addFaults(slow.url, { fault: "latency", ms: 20_000 })
    const file = join(folder, "key-of-ps")
    await writeFile(file, secret, { mode: 0o600 })
    const env = { TRANSFERS_BASE_URL: slow.url, TRANSFERS_PARTNER_ID: "me" }
    const children = [
      start(["capabilities", "--secret-key-file", file], { env }),
      start(["capabilities", "--secret-key-stdin"], { env }),
      start(["capabilities"], { env: { ...env, TRANSFERS_SECRET_KEY: secret } }),
    ]
    children[1]?.stdin.end(`${secret}\n`)
    await expect.poll(async () => (await Fake.journal(slow.url)).length).toBe(3)
    for (const { pid } of children) {
      const line = await commandLineOf(pid)
      expect(line).toContain("capabilities")
      expect(line).not.toContain(secret)
      expect(line).not.toContain(encoded)
    }
    await Promise.all(
      children.map((child) => {
        const closed = new Promise((resolve) => child.on("close", resolve))
        child.kill("SIGKILL")
        return closed
      }),
    )
    await slow.close()
  })

  test.each([
    ["where an answer is printed", `JSON.stringify = () => { throw new Error("injected crash") }`],
    ["while writing a header", `Buffer.from = () => { throw new Error("injected crash") }`],
    ["outside any effect", `setTimeout(() => { throw new Error("injected crash") }, 150)`],
    ["in a promise without an await", `setTimeout(() => Promise.reject(new Error("injected crash")), 150)`],
  ])("is not in the output of a crash: %s", async (name, code) => {
    const slow = await startFakeServer({ partners: [`me:${secret}`], transfers: 3 })
    await Fake.addFaults(slow.url, { fault: "latency", ms: 700 })
    const crash = join(folder, `${name.replaceAll(" ", "-")}.cjs`)
    await writeFile(crash, code)
    const {
      code: exit,
      stderr,
      stdout,
    } = await runProcess(["search", "--log-level", "trace"], {
      env: {
        TRANSFERS_BASE_URL: slow.url,
        TRANSFERS_PARTNER_ID: "me",
        TRANSFERS_SECRET_KEY: secret,
        NODE_OPTIONS: `--require=${crash}`,
      },
    })
    await slow.close()
    expect(exit).not.toBe(0)
    expect(stdout).toBe("")
    expect(stderr).toContain("injected crash")
    for (const leak of [secret, encoded, "Basic "]) expect(stderr).not.toContain(leak)
  })

  test("is not a flag, and is not echoed if given as one", async () => {
    const { code, stderr } = await runProcess(["capabilities", `--secret-key=${secret}`])
    expect(code).toBe(2)
    expect(stderr).not.toContain(secret)
  })
})

describe("text of the service", () => {
  const hostile = "\u009b31m\u2066\u200f\u001b]0;owned\u0007\u001b[2J=cmd|' /C calc'!A0\u202e"
  let fake: RunningFakeServer

  beforeAll(async () => {
    fake = await startFakeServer({
      data: [
        { id: "tr_1", external_id: hostile, kind: "cash_in", status: "日本 👩‍🚀", created_at: "2024-09-01T00:00:00Z" },
      ],
    })
  })
  afterAll(() => fake.close())

  test("is shown with its control characters escaped", async () => {
    const { stdout } = await run(["search", "-o", "table"], { env: demo(fake.url) })
    expect(stdout).toContain("\\x9b31m\\u2066\\u200f\\x1b]0;owned\\x07\\x1b[2J=cmd")
    expect(stdout).toContain("日本 👩‍🚀")
    expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u200f\u202a-\u202e\u2066-\u2069]/u)
  })

  test("cannot inject a command into the suggested one: it has no cursor", async () => {
    const cursor = "'; rm -rf ~; echo '\u001b[2J"
    const service = createServer((_request, response) => {
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify({ results: [], page_info: { end_cursor: cursor, has_next_page: true } }))
    })
    const url = await new Promise<string>((resolve) =>
      service.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${Object(service.address()).port}`)),
    )
    const { code, stderr } = await run(["search", "-o", "table"], { env: demo(url) })
    service.close()
    expect(code).toBe(0)
    expect(stderr).toContain("More pages follow: add --page 2 for the next one, or --all.\n")
    expect(stderr).not.toContain("rm -rf")
  })

  test("does not run in a spreadsheet, except with --csv-raw", async () => {
    const formula = await startFakeServer({
      data: [{ id: "=1+1", kind: "cash_in", status: "complete", created_at: "2024-09-01T00:00:00Z" }],
    })
    const safe = await run(["search", "-o", "csv"], { env: demo(formula.url) })
    const raw = await run(["search", "-o", "csv", "--csv-raw"], { env: demo(formula.url) })
    await formula.close()
    expect(safe.stdout.split("\n")[1]).toMatch(/^'=1\+1,/)
    expect(raw.stdout.split("\n")[1]).toMatch(/^=1\+1,/)
  })

  test("is in a JSON error with the request id", async () => {
    const { code, stdout, stderr } = await run(["search", "--after-cursor", "nonsense", "-o", "json"], {
      env: demo(fake.url),
    })
    expect({ code, stdout }).toEqual({ code: 4, stdout: "" })
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: "InvalidRequest", exit_code: 4, request_id: expect.any(String) },
    })
  })
})

describe("with --output json", () => {
  const offline = { TRANSFERS_BASE_URL: "http://127.0.0.1:1", TRANSFERS_PARTNER_ID: "me", TRANSFERS_SECRET_KEY: "key" }
  let files: Readonly<Record<"proposals" | "ledger" | "out" | "other", string>>

  beforeAll(async () => {
    const path = (name: string) => join(folder, name)
    files = { proposals: path("p.json"), ledger: path("l.csv"), out: path("o.ndjson"), other: path("o.csv") }
    await writeFile(files.proposals, "{}")
    await writeFile(files.ledger, "key,amount,currency\no-1,1.00,USD\n")
    for (const out of [files.out, files.other]) {
      expect(await run(["export", ...made, "--since", "2024-12", "--out", out])).toMatchObject({ code: 0 })
    }
  })

  const commands = (): ReadonlyArray<ReadonlyArray<string>> => [
    ["search"],
    ["search", "--all", "--since", "2024-12"],
    ["summary", "--since", "2024-12"],
    ["audit", "--since", "2024-12"],
    ["capabilities"],
    ["validate", files.proposals],
    ["reconcile", files.ledger, "--since", "2024-12"],
    ["verify", files.out],
    ["diff", files.out, files.other],
    ["whoami"],
    ["profiles"],
    ["doctor"],
    ["certify"],
  ]

  test("every command prints one document, or only one error document", async () => {
    for (const more of [made, []]) {
      for (const command of commands()) {
        const { code, stdout, stderr } = await run([...command, "-o", "json", ...more], { env: offline })
        const what = `${command.join(" ")} ${more}`
        if (stdout === "") {
          expect([2, 4], what).toContain(code)
          expect(JSON.parse(stderr), what).toMatchObject({ error: { exit_code: code, message: expect.any(String) } })
        } else {
          expect(() => JSON.parse(stdout), what).not.toThrow()
          expect([0, 1], what).toContain(code)
          expect(stderr, what).toBe("")
        }
      }
    }
  })

  test("an export prints its manifest, and nothing besides an error", async () => {
    const out = join(folder, "scripted.csv")
    const env = { HOME: folder }
    const args = ["export", ...made, "--since", "2024-12", "--out", out, "-o", "json"]
    const [done, resumed] = [await run(args, { env }), await run([...args, "--resume"], { env })]
    for (const { code, stdout, stderr } of [done, resumed]) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(JSON.parse(stdout)).toEqual(JSON.parse(await readFile(`${out}.manifest.json`, "utf8")))
    }
    const fake = await startFakeServer({ transfers: 400 })
    await Fake.addRule(fake.url, { when: { request: { from: 6 } }, faults: [{ fault: "status", status: 400 }] })
    const failed = await run(["export", "--out", join(folder, "cut.csv"), "-o", "json"], { env: demo(fake.url) })
    await fake.close()
    expect(failed).toMatchObject({ code: 4, stdout: "" })
    expect(JSON.parse(failed.stderr).error.exit_code).toBe(4)
  })

  test("saving and removing a profile print the result", async () => {
    const env = { XDG_CONFIG_HOME: join(folder, "scripted") }
    const file = join(folder, "scripted", "transfers", "profiles.json")
    const saved = await run(["profiles", "save", "live", "--partner-id", "me", "-o", "json"], { env })
    expect(saved).toMatchObject({ code: 0, stderr: "" })
    expect(JSON.parse(saved.stdout)).toEqual({ saved: "live", file })
    const removed = await run(["profiles", "remove", "live", "-o", "json"], { env })
    expect(removed).toMatchObject({ code: 0, stderr: "" })
    expect(JSON.parse(removed.stdout)).toEqual({ removed: "live", file })
  })

  test("a document is closed if the service fails in the middle", async () => {
    const fake = await startFakeServer({ transfers: 100 })
    await Fake.addRule(fake.url, { when: { request: { from: 3 } }, faults: [{ fault: "status", status: 400 }] })
    const { code, stdout, stderr } = await run(["search", "--all", "-o", "json"], { env: demo(fake.url) })
    await fake.close()
    expect(code).toBe(4)
    expect(JSON.parse(stderr).error.exit_code).toBe(4)
    const { results, page_info } = JSON.parse(stdout)
    expect(results).toHaveLength(40)
    // It says of itself that it is not all.
    expect(page_info).toEqual({ has_next_page: true })
  })

  test("a document is closed if the command is interrupted", async () => {
    const fake = await startFakeServer({ transfers: 100 })
    await Fake.addRule(fake.url, { when: { request: { from: 3 } }, faults: [{ fault: "latency", ms: 30_000 }] })
    const child = start(["search", "--all", "-o", "json"], { env: demo(fake.url) })
    let stdout = ""
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk))
    const closed = new Promise<number | null>((resolve) => child.on("close", resolve))
    await expect.poll(() => stdout.split("\n").length).toBeGreaterThan(40)
    child.kill("SIGINT")
    expect(await closed).toBe(130)
    await fake.close()
    expect(JSON.parse(stdout)).toMatchObject({ page_info: { has_next_page: true } })
  })
})

describe("standard output", () => {
  test("is one JSON document with --output json, for any number of pages", async () => {
    const { stdout } = await run(["search", ...made, "--since", "2024-12", "--all", "-o", "json"])
    expect(JSON.parse(stdout).results.length).toBeGreaterThan(100)
    const none = await run(["search", "--sandbox", "--external-id", "nobody's", "--all", "-o", "json"])
    expect(JSON.parse(none.stdout)).toEqual({ results: [], page_info: { has_next_page: false } })
  })

  test("has colours only if wanted: FORCE_COLOR enables, NO_COLOR and --no-color win", async () => {
    const table = ["capabilities", "--sandbox", "-o", "table"]
    const coloured = (result: { readonly stdout: string }) => result.stdout.includes("\u001b[")
    expect(coloured(await runProcess(table))).toBe(false)
    expect(coloured(await runProcess(table, { env: { FORCE_COLOR: "1" } }))).toBe(true)
    expect(coloured(await runProcess(table, { env: { FORCE_COLOR: "1", NO_COLOR: "1" } }))).toBe(false)
    expect(coloured(await runProcess([...table, "--no-color"], { env: { FORCE_COLOR: "1" } }))).toBe(false)
  })
})
