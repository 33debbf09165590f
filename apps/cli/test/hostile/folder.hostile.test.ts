/** The commands that write, in a folder that others share: links, modes, pipes and a full disk; in bounded time and memory. */
import { execFileSync } from "node:child_process"
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { type RunOptions, start } from "../Cli.ts"
import { measured } from "../Measured.ts"

/** Processor time; other programs use the machine, too. A run that only waits ends with its test. */
const most = { cpu: 20, memory: 400 }

let folder: string
let out: string
let env: Readonly<Record<string, string>>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-folder-"))
  out = join(folder, "out.csv")
  env = { XDG_CONFIG_HOME: join(folder, "config") }
  return () => rm(folder, { recursive: true })
})

/** A run within its bounds. */
const transfers = async (args: ReadonlyArray<string>, options: RunOptions = {}) => {
  const found = await measured(args, { env, ...options })
  expect(found.cpu).toBeLessThan(most.cpu)
  expect(found.memory).toBeLessThan(most.memory)
  expect(found.stderr).not.toMatch(/\n\s+at |RangeError|TypeError/)
  return found
}

/** The made-up transfers of a year. */
const made = ["--sandbox", "--now", "2025-01-01"]
const month = [...made, "--since", "2024-09", "--until", "2024-09"]
const exported = (...more: ReadonlyArray<string>) => ["export", ...month, "--out", out, ...more]
const watched = (state: string) => ["watch", ...made, "--once", "--since", "2024-12-30", "--state", state]
const saved = (name: string) => ["profiles", "save", name, "--partner-id", "a"]
const names = async () => (await readdir(folder)).toSorted()

describe("a planted link", () => {
  const kept = "kept"
  let target: string
  beforeEach(async () => {
    target = join(folder, "target")
    await writeFile(target, kept)
    return async () => expect(await readFile(target, "utf8")).toBe(kept)
  })

  test.each(["", ".manifest.json", ".sql", ".spool", ".writing"])(
    "at out.csv%s is not written through",
    async (name) => {
      await symlink(target, `${out}${name}`)
      expect(await transfers(exported("--force", "--create-table"))).toMatchObject({ code: 0 })
      expect(await transfers(["verify", out])).toMatchObject({ code: 0 })
    },
  )

  test("at the spool is neither resumed nor truncated", async () => {
    await symlink(target, `${out}.spool`)
    const { code, stderr } = await transfers(exported("--resume"))
    expect(code).toBe(2)
    expect(stderr).toContain(`${out}.spool: `)
  })

  test.each([["out.csv.lock"], ["state.json.lock"]])("at %s is named in the error", async (name) => {
    await symlink(target, join(folder, name))
    const { code, stderr } = await transfers(name.startsWith("out") ? exported() : watched(join(folder, "state.json")))
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${join(folder, name)} is a symb`),
    })
  })

  test("to a file in place of the state of a watch is rejected, and the file stays", async () => {
    const state = join(folder, "state.json")
    await symlink(target, state)
    const { code, stderr } = await transfers(watched(state))
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("--state names a folder") })
  })

  test("at the profiles is replaced", async () => {
    await mkdir(join(folder, "config", "transfers"), { recursive: true })
    await symlink(join(folder, "nowhere"), join(folder, "config", "transfers", "profiles.json"))
    expect(await transfers(saved("live"))).toMatchObject({ code: 0 })
    expect(await names()).not.toContain("nowhere")
  })
})

describe("a mode that denies", () => {
  // Root may do everything, unless it gives that up.
  const through = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : []

  test("writing to the folder is reported by every command that writes, and nothing is left behind", async () => {
    await writeFile(join(folder, "ledger.csv"), "external_id,amount,currency\norder-1,1.00,fiat/USD\n")
    await chmod(folder, 0o555)
    for (const args of [
      exported(),
      watched(join(folder, "state.json")),
      saved("live"),
      ["reconcile", join(folder, "ledger.csv"), ...made, "--since", "2024-12-30", "--html", join(folder, "r.html")],
    ]) {
      const { code, stderr } = await transfers(args, { env, through })
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/error: .*: permission denied\n/) })
    }
    await chmod(folder, 0o755)
    expect(await names()).toEqual(["ledger.csv"])
  })

  test("reading a file is reported by every command that reads it", async () => {
    expect(await transfers(exported())).toMatchObject({ code: 0 })
    await transfers(saved("live"))
    for (const path of [out, join(folder, "config", "transfers", "profiles.json")]) await chmod(path, 0)
    for (const args of [["verify", out], ["diff", out, out], ["validate", out, "--sandbox"], ["whoami"]]) {
      const { code, stderr } = await transfers(args, { env, through })
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("permission denied") })
    }
  })
})

describe("a full disk", () => {
  /** No file grows beyond this many blocks of 512 bytes. */
  const limited = (blocks: number) => ["sh", "-c", `ulimit -f ${blocks}; exec "$@"`, "sh"]

  test.each(["csv", "ndjson", "json", "parquet"])(
    "ends an export as %s, which can be resumed with the same bytes",
    async (format) => {
      const whole = join(folder, `whole.${format}`)
      out = join(folder, `out.${format}`)
      const args = (path: string, ...more: ReadonlyArray<string>) => {
        return ["export", ...made, "--since", "2024-10", "--out", path, ...more]
      }
      expect(await transfers(args(whole))).toMatchObject({ code: 0 })
      const { code, stderr } = await transfers(args(out), { env, through: limited(1000) })
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("the file is too large") })
      expect((await names()).filter((name) => name.startsWith("out"))).toEqual([`out.${format}.spool`])
      expect(await transfers(args(out, "--resume"))).toMatchObject({ code: 0 })
      expect((await readFile(out)).equals(await readFile(whole))).toBe(true)
      expect(await transfers(["verify", out])).toMatchObject({ code: 0 })
    },
  )

  test("keeps the state of a watch, the profiles and a page as they were", async () => {
    const state = join(folder, "state.json")
    const profiles = join(folder, "config", "transfers", "profiles.json")
    const page = join(folder, "page.html")
    await writeFile(join(folder, "ledger.csv"), "external_id,amount,currency\norder-1,1.00,fiat/USD\n")
    const reconciled = ["reconcile", join(folder, "ledger.csv"), ...made, "--since", "2024-12-30", "--html", page]
    await transfers(watched(state))
    await transfers([...saved("live"), "--base-url", `https://example.com/${"x".repeat(5000)}`])
    expect((await transfers(reconciled)).code).toBe(1)
    const before = await Promise.all([profiles, page].map((path) => readFile(path, "utf8")))
    for (const args of [watched(state), saved("other"), reconciled]) {
      const { code, stderr } = await transfers(args, { env, through: limited(2) })
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringMatching(/the file is too large|disk I\/O error/),
      })
    }
    expect(await Promise.all([profiles, page].map((path) => readFile(path, "utf8")))).toEqual(before)
    expect(await transfers(watched(state))).toMatchObject({ code: 0, stdout: "" })
    expect((await names()).filter((name) => /writing|lock/.test(name))).toEqual([])
  })

  test("behind standard output is an error, not success", async () => {
    const through = ["sh", "-c", `exec "$@" > /dev/full`, "sh"]
    for (const output of ["csv", "ndjson", "json", "table"]) {
      const { code, stderr } = await transfers(["search", "--sandbox", "-o", output], { env, through })
      expect(code).toBe(2)
      expect(stderr).toContain("standard output: the disk is full")
    }
  })
})

describe.each([[["verify"]], [["validate", "--sandbox"]], [["reconcile", "--sandbox"]]])("%j", (command) => {
  test("names a folder in the place of a file", async () => {
    const { code, stderr } = await transfers([...command, folder])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/it is a folder|no manifest/) })
  })

  test.each(["SIGINT", "SIGTERM"] as const)("ends by %s while it waits for a pipe without a writer", async (signal) => {
    const pipe = join(folder, "pipe.csv")
    execFileSync("mkfifo", [pipe])
    const child = start([...command, pipe], { env })
    const ended = new Promise((resolve) => child.on("close", resolve))
    setTimeout(() => child.kill(signal), 2000)
    // By the signal; verify misses the manifest first.
    expect([null, ...(command[0] === "verify" ? [2] : [130, 143])]).toContain(await ended)
  })
})

describe("a pipe without a writer", () => {
  const sandbox = [...made, "--since", "2024-12-30"]
  test.each([
    ["an export", ["summary", "--from", "pipe.parquet"]],
    ["an export for a language model", ["mcp", "--from", "pipe.csv"]],
    ["a mirror", ["summary", "--from", "pipe.db"]],
    ["a mirror to query", ["query", "--from", "pipe.db", "SELECT 1"]],
    ["a mirror to fill", ["sync", "--sandbox", "--to", "pipe.db"]],
    ["a workbook", ["reconcile", "pipe.xlsx", ...sandbox]],
    ["a statement", ["reconcile", "pipe.sta", ...sandbox]],
    ["a ledger's profile", ["reconcile", "ledger.csv", ...sandbox, "--ledger-profile", "./pipe.csv"]],
    ["accepted breaks", ["reconcile", "ledger.csv", ...sandbox, "--accepted", "pipe.csv"]],
    ["an export to compare", ["diff", "pipe.csv", "pipe.csv"]],
    ["the profiles", ["profiles"]],
    ["a database's authority", ["summary", "--from", "postgres://me@db.example/t?sslrootcert=PIPE"]],
    ["the state of a watch", ["watch", ...sandbox, "--once", "--state", "pipe.csv"]],
  ])("in place of %s ends by one SIGTERM", async (_, args) => {
    for (const ending of ["csv", "parquet", "db", "xlsx", "sta"]) {
      execFileSync("mkfifo", ["-m", "600", join(folder, `pipe.${ending}`)])
    }
    await writeFile(join(folder, "ledger.csv"), "external_id,amount,currency\norder-1,1.00,fiat/USD\n")
    await mkdir(join(folder, "config", "transfers"), { recursive: true })
    execFileSync("mkfifo", ["-m", "600", join(folder, "config", "transfers", "profiles.json")])
    const paths = args.map((arg) =>
      /pipe|ledger\.csv/.test(arg) ? join(folder, arg) : arg.replace("PIPE", join(folder, "pipe.csv")),
    )
    const child = start(paths, { env })
    const ended = new Promise((resolve) => child.on("close", (code, by) => resolve(by ?? code)))
    const late = setTimeout(() => child.kill("SIGTERM"), 2000)
    expect([143, 2, "SIGTERM"]).toContain(await ended)
    clearTimeout(late)
  })
})

describe("a gigabyte of zeros", () => {
  const tooLarge = "it is too large: it has 1073741824 bytes, and the limit is 64 MiB"
  let huge: string
  beforeEach(async () => {
    huge = join(folder, "huge")
    await writeFile(huge, "", { mode: 0o600 })
    await truncate(huge, 1 << 30)
  })

  test.each([
    ["proposals", (file: string) => ["validate", file, "--sandbox"]],
    ["capabilities", (file: string) => ["validate", "-", "--capabilities", file]],
    ["a secret key", (file: string) => ["whoami", "--partner-id", "a", "--secret-key-file", file]],
  ])("in place of %s is named with its size and the limit", async (_, args) => {
    const { code, stderr } = await transfers(args(huge), { env, stdin: "[{}]" })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`${huge}: ${tooLarge}`) })
  })

  test("in place of a manifest is named with its size and the limit", async () => {
    await writeFile(out, "")
    await symlink(huge, `${out}.manifest.json`)
    const { code, stderr } = await transfers(["verify", out])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`manifest.json: ${tooLarge}`) })
  })

  test("on standard input is not kept in memory", async () => {
    const through = ["sh", "-c", `exec "$@" < ${huge}`, "sh"]
    const { code, stderr } = await transfers(["validate", "-", "--sandbox"], { env, through })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("standard input: it is too large") })
  })
})

describe("parallel runs", () => {
  test("that write the same page all succeed, and the page is one of them", async () => {
    const page = join(folder, "same.html")
    await writeFile(join(folder, "ledger.csv"), "external_id,amount,currency\norder-1,1.00,fiat/USD\n")
    const args = ["reconcile", join(folder, "ledger.csv"), ...made, "--since", "2024-12-30", "--html", page]
    const runs = await Promise.all(Array.from({ length: 4 }, () => transfers(args)))
    expect(runs.map(({ code }) => code)).toEqual([1, 1, 1, 1])
    expect(await readFile(page, "utf8")).toMatch(/^<!doctype html>[^]*<\/html>\n$/)
    expect(await names()).toEqual(["ledger.csv", "same.html"])
  })

  test("of a watch with the same state report each event once", async () => {
    const state = join(folder, "state.json")
    const runs = await Promise.all(Array.from({ length: 5 }, () => transfers(watched(state))))
    expect(runs.filter(({ code }) => code === 0).length).toBeGreaterThan(0)
    for (const { code, stderr } of runs) if (code !== 0) expect(stderr).toMatch(/process \d+ has been writing it/)
    expect(await transfers(watched(state))).toMatchObject({ code: 0, stdout: "" })
    const lines = runs.flatMap(({ stdout }) => stdout.split("\n")).filter((line) => line !== "")
    expect(lines.length).toBeGreaterThan(0)
    expect(new Set(lines).size).toBe(lines.length)
  })

  test("of an export of the same file leave one whole file", async () => {
    const runs = await Promise.all(Array.from({ length: 4 }, () => transfers(exported("--force"))))
    expect(runs.filter(({ code }) => code === 0).length).toBeGreaterThan(0)
    for (const { code, stderr } of runs) if (code !== 0) expect(stderr).toMatch(/process \d+ has been writing it/)
    expect(await transfers(["verify", out])).toMatchObject({ code: 0 })
    expect(await names()).toEqual(["out.csv", "out.csv.manifest.json"])
  })
})
