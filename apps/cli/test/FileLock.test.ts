import { execFileSync, spawn } from "node:child_process"
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { demo, run, start } from "./Cli.ts"
import * as Gate from "./Gate.ts"

let fake: RunningFakeServer
let gate: Gate.Gate
let folder: string
let file: string
let lock: string

beforeAll(async () => {
  fake = await startFakeServer({ transfers: 1500, seed: 3 })
  gate = await Gate.before(fake.url)
})
afterAll(async () => {
  await gate.close()
  await fake.close()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-lock-"))
  file = join(folder, "out.ndjson")
  lock = `${file}.lock`
  return async () => {
    gate.open()
    await rm(folder, { recursive: true })
  }
})

const command = (...more: ReadonlyArray<string>) => ["export", "--concurrency", "1", "--out", file, ...more]
const env = () => demo(gate.url)
const names = () => readdir(folder)

const exitOf = (child: ReturnType<typeof start>) =>
  new Promise<number | null>((resolve) => child.on("close", (code) => resolve(code)))

/** An export that is under way: it has its lock and some transfers, and waits for the others. */
const begun = async () => {
  gate.shut(40)
  const child = start(command(), { env: env() })
  const exit = exitOf(child)
  await Waiting.until(async () => (await readFile(`${file}.spool`, "utf8").catch(() => "")).includes("\n#"))
  return { child, exit }
}

/** Adds a line to a file beside each lock whenever the program looks at it. */
const tellsOfLocks = `
  const files = require("node:fs")
  const { openSync } = files
  files.openSync = (path, ...options) => {
    if (path.endsWith?.(".lock")) files.appendFileSync(path + ".seen", "seen\\n")
    return openSync(path, ...options)
  }`

const completeNames = ["out.ndjson", "out.ndjson.manifest.json"]

describe("a second process on the same file", () => {
  test.each([
    [["without a flag"], []],
    [["--resume"], ["--resume"]],
    [["--force"], ["--force"]],
  ])("is rejected with the pid of the first and does not disturb it, %j", async (_, flags) => {
    const { child, exit } = await begun()
    const second = await run(command(...flags), { env: env() })
    gate.open()
    expect(second).toMatchObject({ code: 2, stdout: "" })
    expect(second.stderr).toMatch(
      new RegExp(`^error: ${file}: process ${child.pid} has been writing it since \\d{4}-.*Z\\. Wait for it to end`),
    )
    expect(await exit).toBe(0)
    expect((await names()).toSorted()).toEqual(completeNames)
    expect((await run(["verify", file])).code).toBe(0)
  })

  test("cannot use the state of a running watch", async () => {
    const state = join(folder, "state.json")
    const child = start(["watch", "--state", state, "--interval", "60"], { env: env() })
    const exit = exitOf(child)
    await Waiting.until(async () => (await names()).includes("state.json"))
    const second = await run(["watch", "--once", "--state", state], { env: env() })
    expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining(`process ${child.pid} `) })
    child.kill("SIGINT")
    expect(await exit).toBe(130)
    expect(await names()).toEqual(["state.json"])
    expect((await run(["watch", "--once", "--state", state], { env: env() })).code).toBe(0)
  })
})

describe("the lock", () => {
  test.each([
    ["an interrupt", ["SIGINT"], 130],
    ["two interrupts", ["SIGINT", "SIGINT"], 130],
    ["a request to end", ["SIGTERM"], 143],
  ] as const)("is gone after %s", async (_, signals, code) => {
    const { child, exit } = await begun()
    for (const signal of signals) child.kill(signal)
    expect(await exit).toBe(code)
    expect((await names()).toSorted()).toEqual(["out.ndjson.spool"])
  })

  test("is gone after a failure", async () => {
    const { code } = await run(command(), { env: { ...env(), TRANSFERS_SECRET_KEY: "wrong" } })
    expect(code).toBe(3)
    expect(await names()).toEqual([])
  })

  test("is taken over from a killed process, by exactly one of several that try", async () => {
    const { child, exit } = await begun()
    child.kill("SIGKILL")
    await exit
    expect(await names()).toContain("out.ndjson.lock")
    let ended = 0
    const tries = Array.from({ length: 4 }, () => run(command("--resume"), { env: env() }).finally(() => ended++))
    await Waiting.until(async () => ended === 3)
    gate.open()
    const runs = await Promise.all(tries)
    expect(runs.map(({ code }) => code).toSorted()).toEqual([0, 2, 2, 2])
    for (const { code, stderr } of runs) if (code === 2) expect(stderr).toMatch(/process \d+ has been writing it/)
    expect((await names()).toSorted()).toEqual(completeNames)
    expect((await run(["verify", file])).code).toBe(0)
  })

  const holder = { pid: process.pid, host: hostname(), since: "2024-09-01T00:00:00Z" }

  test.runIf(process.platform === "linux")("is taken over if its pid was reused", async () => {
    await writeFile(lock, JSON.stringify({ ...holder, process_started: "1" }))
    expect((await run(command(), { env: env() })).code).toBe(0)
    expect((await names()).toSorted()).toEqual(completeNames)
  })

  test.runIf(process.platform === "linux")("is taken over from a zombie", async () => {
    // The shell becomes a program that never reaps its child, like the first process of many containers.
    const parent = spawn("sh", ["-c", "sleep 0.5 & echo $!; exec sleep 60"])
    const pid = await new Promise<number>((resolve) => parent.stdout.once("data", (text) => resolve(Number(text))))
    await Waiting.until(async () => (await readFile(`/proc/${pid}/stat`, "utf8")).includes(") Z "))
    await writeFile(lock, JSON.stringify({ ...holder, pid }))
    const { code } = await run(command(), { env: env() })
    parent.kill()
    expect(code).toBe(0)
  })

  test("is taken over if it was left empty", async () => {
    await writeFile(lock, "")
    expect((await run(command(), { env: env() })).code).toBe(0)
    expect((await names()).toSorted()).toEqual(completeNames)
  })

  test.each(['{"pid":', "[]"])("is left to whoever wrote %j, which is none", async (text) => {
    await writeFile(lock, text)
    expect(await run(command(), { env: env() })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${lock} is not its lock, and would be lost`),
    })
    expect(await readFile(lock, "utf8")).toBe(text)
  })

  test("of another machine is respected, and the message says which file to remove", async () => {
    const text = JSON.stringify({ ...holder, host: "elsewhere" })
    await writeFile(lock, text)
    const { code, stderr } = await run(command(), { env: env() })
    expect(code).toBe(2)
    expect(stderr).toContain(`on elsewhere; if that process is gone, remove ${lock}`)
    expect(await readFile(lock, "utf8")).toBe(text)
  })

  describe.runIf(process.platform !== "win32")("that is none", () => {
    const expected = {
      "a folder": "is not a file",
      "a dangling link": "is a symbolic link",
      "a link to a lock": "is a symbolic link",
      "a pipe": "is not a file",
      "a gigabyte": "is too large",
    }
    const make: Readonly<Record<string, () => Promise<unknown>>> = {
      "a folder": () => mkdir(lock),
      "a dangling link": () => symlink(join(folder, "nowhere"), lock),
      "a link to a lock": async () => {
        await writeFile(join(folder, "other"), JSON.stringify({ ...holder, pid: 2 ** 22 + 1 }))
        await symlink(join(folder, "other"), lock)
      },
      "a pipe": async () => void execFileSync("mkfifo", [lock]),
      "a gigabyte": async () => {
        await writeFile(lock, "")
        await truncate(lock, 2 ** 30)
      },
    }

    test.each(Object.entries(expected))("is named in the error and left alone: %s", async (kind, fault) => {
      await make[kind]?.()
      const { code, stderr } = await run(command(), { env: env() })
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringMatching(new RegExp(`^error: ${file}: its lock ${lock} .*${fault}.* remove the lock`)),
      })
      expect(await names()).toContain("out.ndjson.lock")
      expect(await names()).not.toContain("out.ndjson")
    })

    test.each(["SIGINT", "SIGTERM"] as const)("does not delay the end by %s while it is waited for", async (signal) => {
      await writeFile(lock, "")
      const probe = join(folder, "probe.cjs")
      await writeFile(probe, tellsOfLocks)
      const child = start(command(), { env: { ...env(), NODE_OPTIONS: `--require=${probe}` } })
      const exit = exitOf(child)
      await Waiting.until(async () => (await names()).includes("out.ndjson.lock.seen"))
      child.kill(signal)
      expect(await exit).toBe({ SIGINT: 130, SIGTERM: 143 }[signal])
      // It looks at it a hundred times before it takes it over.
      const looks = (await readFile(`${lock}.seen`, "utf8")).split("\n").length - 1
      expect(looks).toBeLessThan(100)
    })
  })
})
