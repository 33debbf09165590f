import { spawnSync } from "node:child_process"
import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { builtinModules } from "node:module"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { bin, run } from "./Cli.ts"

test("--version and --help do without compiling the program, which is most of a start", async () => {
  const text = await readFile(bin, "utf8")
  // No function can have this parameter, so that compiling the program fails.
  const broken = text.replace("(function (exports, require, module) {", "(function (break) {")
  expect(broken).not.toBe(text)
  const path = `${bin}.broken.cjs`
  await writeFile(path, broken)
  const start = (...args: ReadonlyArray<string>) => spawnSync(process.execPath, [path, ...args], { encoding: "utf8" })
  for (const args of [["--version"], ["--help"], ["export", "--help"], ["profiles", "save", "-h"], []]) {
    expect(start(...args), args.join(" ")).toMatchObject({ status: 0, stderr: "" })
  }
  expect(start("whoami")).toMatchObject({ status: 1, stdout: "" })
})

test("the bundle is one file of at most 1 MB that needs nothing but Node's own modules", async () => {
  const text = await readFile(bin, "utf8")
  const required = [...text.matchAll(/require\(\\?"([^"\\]+)\\?"\)/g)].map(([, name = ""]) => name)
  const builtIn = new Set([...builtinModules, ...builtinModules.map((name) => `node:${name}`)])
  expect(text.length).toBeLessThan(1_000_000)
  expect(required.length).toBeGreaterThan(3)
  expect([...new Set(required)].filter((name) => !builtIn.has(name))).toEqual([])
})

describe("compiled code", () => {
  const folder = dirname(bin)
  const home = (name: string) => ({ XDG_CACHE_HOME: join(folder, name) })
  const pathOf = async (name: string): Promise<string> => {
    const names = await readdir(join(folder, name, "transfers"))
    expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{16}-v[\d.]+-\w+\.code$/)])
    return join(folder, name, "transfers", names[0] ?? "")
  }
  const version = (path: string) => stat(path, { bigint: true }).then(({ ino, mtimeNs }) => `${ino} ${mtimeNs}`)

  test("is kept for the user alone, and used again", async () => {
    expect(await run(["whoami"], { env: home("kept") })).toMatchObject({ code: 0, stderr: "" })
    const path = await pathOf("kept")
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700)
    const before = await version(path)
    // What V8 refuses is written anew.
    expect(await run(["whoami"], { env: home("kept") })).toMatchObject({ code: 0, stderr: "" })
    expect(await version(path)).toBe(before)
  })

  test.each(["", "x", "half"])("that is not what was written is not run, but replaced: %j", async (damage) => {
    const name = `damaged-${damage}`
    await run(["whoami"], { env: home(name) })
    const path = await pathOf(name)
    const good = await readFile(path)
    await writeFile(path, damage === "half" ? good.subarray(0, good.length / 2) : damage)
    expect(await run(["whoami"], { env: home(name) })).toMatchObject({ code: 0, stderr: "" })
    expect((await stat(path)).size).toBeGreaterThan(good.length / 2)
  })

  test("that others could have written is not run", async () => {
    await run(["whoami"], { env: home("open") })
    const path = await pathOf("open")
    const before = await version(path)
    await chmod(path, 0o666)
    await run(["whoami"], { env: home("open") })
    expect(await version(path)).not.toBe(before)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  test("of other versions is removed", async () => {
    await mkdir(join(folder, "other", "transfers"), { recursive: true })
    await writeFile(join(folder, "other", "transfers", "0123456789abcdef-v1.0.0-x64.code"), "")
    await run(["whoami"], { env: home("other") })
    await pathOf("other")
  })

  test("is not kept where it cannot be, or should not be, which nobody notices", async () => {
    await writeFile(join(folder, "file"), "")
    expect(await run(["whoami"], { env: home("file") })).toMatchObject({ code: 0, stderr: "" })
    const env = { ...home("unwanted"), NODE_DISABLE_COMPILE_CACHE: "1" }
    expect(await run(["whoami"], { env })).toMatchObject({ code: 0, stderr: "" })
    expect(await readdir(folder)).not.toContain("unwanted")
  })
})

test("the processor time of a start stays within its bounds", async () => {
  const folder = dirname(bin)
  const probe = join(folder, "probe.cjs")
  const cost = join(folder, "cost")
  await writeFile(
    probe,
    `process.on("exit", () => {
      const { user, system } = process.cpuUsage()
      require("node:fs").writeFileSync(process.env.TRANSFERS_TEST_COST, String(user + system))
    })`,
  )
  const env = { PATH: process.env["PATH"], TRANSFERS_TEST_COST: cost, XDG_CACHE_HOME: join(folder, "timed") }
  const costOf = async (args: ReadonlyArray<string>, more: object = {}): Promise<number> => {
    expect(spawnSync(process.execPath, ["-r", probe, ...args], { env: { ...env, ...more } }).status).toBe(0)
    return Number(await readFile(cost, "utf8"))
  }
  const nothing = join(folder, "nothing.cjs")
  await writeFile(nothing, "")
  const least = { nothing: Infinity, version: Infinity, help: Infinity, cached: Infinity, uncached: Infinity }
  // Turn by turn, so that who else uses the machine is the same for all; the least of each has been disturbed least.
  for (let round = 0; round < 12; round++) {
    least.nothing = Math.min(least.nothing, await costOf([nothing]))
    least.version = Math.min(least.version, await costOf([bin, "--version"]))
    least.help = Math.min(least.help, await costOf([bin, "--help"]))
    least.cached = Math.min(least.cached, await costOf([bin, "whoami"]))
    least.uncached = Math.min(least.uncached, await costOf([bin, "whoami"], { NODE_DISABLE_COMPILE_CACHE: "1" }))
  }
  // Measured: 1.2, 1.25 and 0.6. The margins are for machines that are busy.
  expect(least.version / least.nothing).toBeLessThan(1.6)
  expect(least.help / least.nothing).toBeLessThan(2)
  expect(least.cached / least.uncached).toBeLessThan(0.85)
})
