import { spawnSync } from "node:child_process"
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { builtinModules } from "node:module"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { bin, dist, run } from "./Cli.ts"

test("--version and --help do not load the program", async () => {
  const lonely = join(dirname(dist), "lonely")
  await mkdir(lonely)
  await copyFile(bin, join(lonely, "transfers.cjs"))
  await copyFile(join(dist, "help-pages.json"), join(lonely, "help-pages.json"))
  const start = (...args: ReadonlyArray<string>) =>
    spawnSync(process.execPath, [join(lonely, "transfers.cjs"), ...args], { encoding: "utf8" })
  for (const args of [["--version"], ["--help"], ["export", "--help"], ["profiles", "save", "-h"], []]) {
    expect(start(...args), args.join(" ")).toMatchObject({ status: 0, stderr: "" })
  }
  expect(start("whoami")).toMatchObject({ status: 70, stdout: "" })
})

/** The files of the bundle that a run loads. */
const loadedBy = async (...args: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const probe = join(dirname(dist), "loaded.cjs")
  const list = join(dirname(dist), "loaded.json")
  await writeFile(
    probe,
    `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(list)}, JSON.stringify(Object.keys(require.cache))))`,
  )
  const { status, stderr } = spawnSync(process.execPath, ["-r", probe, bin, ...args], { encoding: "utf8", input: "" })
  expect(status, stderr).toBe(0)
  const files: ReadonlyArray<string> = JSON.parse(await readFile(list, "utf8"))
  return files.filter((file) => file.startsWith(dist))
}

const codeOf = async (files: ReadonlyArray<string>): Promise<string> =>
  (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("")

test("the code of a start is at most 900 kB, without what few runs need", async () => {
  const code = await codeOf(await loadedBy("search", "--sandbox"))
  expect(code.length).toBeLessThan(900_000)
  for (const part of ["Mcp-Session-Id", "stuck_transfers", "jq.wasm", "RE2JS", "OTEL_EXPORTER_OTLP_TIMEOUT"])
    expect(code).not.toContain(part)
  expect(await codeOf(await loadedBy("mcp", "--sandbox"))).toContain("stuck_transfers")
})

test("the bundle needs nothing but Node, and names the licences of its packages", async () => {
  expect((await readdir(dist)).toSorted()).toEqual([
    "THIRD-PARTY-NOTICES",
    "help-pages.json",
    "man",
    "program",
    "transfers.cjs",
  ])
  const program = await readdir(join(dist, "program"))
  expect(program.filter((name) => !/-[\w-]{8}\.cjs$/.test(name)).toSorted()).toEqual([
    "jq.wasm",
    "main.cjs",
    "user-program.cjs",
  ])
  const own = program.filter((name) => name.endsWith(".cjs"))
  const text = await codeOf([bin, ...own.map((name) => join(dist, "program", name))])
  const required = [...text.matchAll(/require\([`"]([^`"]+)[`"]\)/g)].map(([, name = ""]) => name)
  const known = new Set([
    "./program/main.cjs",
    "./program/user-program.cjs",
    ...own.map((name) => `./${name}`),
    // What ws uses if it is there.
    "bufferutil",
    "utf-8-validate",
    ...builtinModules,
    ...builtinModules.map((name) => `node:${name}`),
  ])
  expect(required.length).toBeGreaterThan(own.length)
  expect([...new Set(required)].filter((name) => !known.has(name))).toEqual([])
  const notices = await readFile(join(dist, "THIRD-PARTY-NOTICES"), "utf8")
  for (const name of [
    "effect",
    "decimal.js",
    "csv-parse",
    "hyparquet",
    "re2js",
    "cli-progress",
    "sax",
    "yauzl",
    "jq-web",
  ])
    expect(notices).toContain(name)
})

test("exits with 2 and one line on a Node that is too old", async () => {
  const older = join(dirname(dist), "older.cjs")
  await writeFile(
    older,
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "22.18.0" } })',
  )
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--require", older, bin, "whoami"], {
    encoding: "utf8",
  })
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: "",
    stderr: "error: transfers needs Node 22.19 or later, and this is 22.18.0.\n",
  })
})

describe("compiled code", () => {
  const cached = async (name: string): Promise<ReadonlyArray<string>> =>
    readdir(join(dirname(dist), name), { recursive: true }).catch(() => [])

  test("is kept in the cache folder", async () => {
    const env = { XDG_CACHE_HOME: join(dirname(dist), "kept") }
    expect(await run(["whoami"], { env })).toMatchObject({ code: 0, stderr: "" })
    expect((await cached("kept")).length).toBeGreaterThan(1)
  })

  test("is silently not kept if the folder cannot be written or NODE_DISABLE_COMPILE_CACHE is set", async () => {
    await writeFile(join(dirname(dist), "file"), "")
    const nowhere = { XDG_CACHE_HOME: join(dirname(dist), "file") }
    expect(await run(["whoami"], { env: nowhere })).toMatchObject({ code: 0, stderr: "" })
    const disabled = { XDG_CACHE_HOME: join(dirname(dist), "disabled"), NODE_DISABLE_COMPILE_CACHE: "1" }
    expect(await run(["whoami"], { env: disabled })).toMatchObject({ code: 0, stderr: "" })
    expect(await cached("disabled")).toEqual([])
  })

  test("is neither kept nor run where another user could put code", async () => {
    const shared = join(dirname(dist), "shared")
    for (const [name, mode] of [
      ["shared", 0o777],
      ["shared/transfers", 0o770],
    ] as const) {
      await rm(shared, { recursive: true, force: true })
      await mkdir(join(shared, "transfers"), { recursive: true })
      await chmod(join(dirname(dist), name), mode)
      expect(await run(["whoami"], { env: { XDG_CACHE_HOME: shared } })).toMatchObject({ code: 0, stderr: "" })
      expect(await cached("shared")).toEqual(["transfers"])
    }
    await chmod(join(shared, "transfers"), 0o700)
    await chmod(shared, 0o1777)
    expect(await run(["whoami"], { env: { XDG_CACHE_HOME: shared } })).toMatchObject({ code: 0, stderr: "" })
    expect((await cached("shared")).length).toBeGreaterThan(1)
  })
})

test("the CPU time of a start stays within its bounds", async () => {
  const folder = dirname(dist)
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
  const ratio = { version: Infinity, help: Infinity, cached: Infinity }
  const isWithin = () => ratio.version < 1.6 && ratio.help < 2 && ratio.cached < 1
  // Each beside what it is compared with, because the machine changes. One round within the bounds shows what the code
  // takes, and the others what else the machine does.
  for (let round = 0; round < 4 || (round < 40 && !isWithin()); round++) {
    const costs = { nothing: await costOf([nothing]), version: await costOf([bin, "--version"]) }
    ratio.version = Math.min(ratio.version, costs.version / costs.nothing)
    ratio.help = Math.min(ratio.help, (await costOf([bin, "--help"])) / costs.nothing)
    const cached = await costOf([bin, "whoami"])
    const uncached = await costOf([bin, "whoami"], { NODE_DISABLE_COMPILE_CACHE: "1" })
    ratio.cached = Math.min(ratio.cached, cached / uncached)
  }
  // Measured: 1.2, 1.2 and 0.85.
  expect(ratio.version).toBeLessThan(1.6)
  expect(ratio.help).toBeLessThan(2)
  expect(ratio.cached).toBeLessThan(1)
})
