import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from "node:fs/promises"
import { createServer, type RequestListener, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import manifest from "../package.json" with { type: "json" }
import * as LatestVersion from "../src/update/LatestVersion.ts"
import * as UpdateCache from "../src/update/UpdateCache.ts"
import { run } from "./Cli.ts"

const newer = "99.1.2"
const found = `${manifest.version} ${newer}`
const dayMillis = 24 * 60 * 60 * 1000

let folder: string
let file: string
let registry: Server
let url: string
let asked: ReadonlyArray<string | undefined>
let answer: RequestListener

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-update-"))
  file = join(folder, "cache", "transfers", "update")
  // What the program takes for a terminal; the run in the background has none.
  await writeFile(join(folder, "terminal.cjs"), "Object.defineProperty(process.stderr, 'isTTY', { value: true })")
  asked = []
  answer = (_, response) => response.end(JSON.stringify({ version: newer }))
  registry = createServer((request, response) => {
    asked = [...asked, request.url]
    answer(request, response)
  })
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve))
  const address = registry.address()
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/npm/`
})

afterEach(async () => {
  vi.unstubAllEnvs()
  registry.closeAllConnections()
  await new Promise((resolve) => registry.close(resolve))
  // The process that looks for a version outlives the command, and fills its cache when it ends.
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

const env = (more: Readonly<Record<string, string>> = {}) => ({
  HOME: folder,
  XDG_CACHE_HOME: join(folder, "cache"),
  npm_config_registry: url,
  ...more,
})

/** A command on a terminal. */
const onTerminal = (args: ReadonlyArray<string>, more: Readonly<Record<string, string>> = {}) =>
  run(args, { env: env({ NODE_OPTIONS: `--require ${join(folder, "terminal.cjs")}`, ...more }) })

/** What is kept, from a look or a notice so long ago. */
const keep = async (text: string, ageMillis = 0): Promise<void> => {
  await mkdir(join(folder, "cache", "transfers"), { recursive: true })
  await writeFile(file, text)
  const changed = new Date(Date.now() - ageMillis)
  await utimes(file, changed, changed)
}

test("looks in the background of a command, and tells at the end of a later one, once", async () => {
  const silent = await onTerminal(["whoami"])
  expect(silent).toMatchObject({ code: 0, stderr: "" })
  await expect.poll(() => readFile(file, "utf8")).toBe(found)
  const told = await onTerminal(["whoami"], { NO_COLOR: "1" })
  expect(told).toEqual({
    ...silent,
    stderr: `\ntransfers ${newer} is available; this is ${manifest.version}.\nInstall it: npm install --global @transferkit/cli@latest\n`,
  })
  expect(await onTerminal(["whoami"])).toEqual(silent)
  expect(asked).toEqual(["/npm/@transferkit%2fcli/latest"])
})

test("looks again a day later, and not before", async () => {
  await keep("", dayMillis - 60_000)
  await onTerminal(["whoami"])
  expect(await readFile(file, "utf8")).toBe("")
  await keep("", dayMillis + 60_000)
  await onTerminal(["whoami"])
  await expect.poll(() => readFile(file, "utf8")).toBe(found)
  expect(asked).toHaveLength(1)
})

test("looks again if the clock was put back since the last look", async () => {
  await keep("", -2 * dayMillis)
  await onTerminal(["whoami"], { CI: "false" })
  await expect.poll(() => readFile(file, "utf8")).toBe(found)
})

test("does not wait for a registry that does not answer", async () => {
  let arrived = () => {}
  const request = new Promise<void>((resolve) => (arrived = resolve))
  answer = () => arrived()
  expect(await onTerminal(["whoami"])).toMatchObject({ code: 0, stderr: "" })
  await request
  expect(await onTerminal(["whoami"])).toMatchObject({ code: 0, stderr: "" })
  expect(asked).toHaveLength(1)
})

describe("says nothing and looks for nothing", () => {
  test.each<[string, ReadonlyArray<string>, Readonly<Record<string, string>>]>([
    ["with NO_UPDATE_NOTIFIER", [], { NO_UPDATE_NOTIFIER: "1" }],
    ["in CI", [], { CI: "true" }],
    ["with --quiet", ["--quiet"], {}],
    ["with JSON for a script", ["--output", "json"], {}],
    ["if standard error is no terminal", [], { NODE_OPTIONS: "" }],
  ])("%s", async (_, flags, more) => {
    await keep(found)
    expect(await onTerminal(["whoami", ...flags], more)).toMatchObject({ code: 0, stderr: "" })
    expect(await readFile(file, "utf8")).toBe(found)
    await keep("", 2 * dayMillis)
    await onTerminal(["whoami", ...flags], more)
    expect(Date.now() - (await stat(file)).mtimeMs).toBeGreaterThan(dayMillis)
    expect(asked).toEqual([])
  })
})

test("tells in colours only where they are wanted", async () => {
  await keep(found)
  expect((await onTerminal(["whoami"])).stderr).toContain("\u001b[2m")
  await keep(found)
  expect((await onTerminal(["whoami", "--no-color"])).stderr).not.toContain("\u001b")
})

test("tells at the end of a command that failed, after its error", async () => {
  await keep(found)
  const { code, stderr } = await onTerminal(["serach"])
  expect({ code, told: stderr.trimEnd().endsWith("@latest\u001b[22m") }).toEqual({ code: 2, told: true })
})

test.each([
  ["of which another version was told", `0.0.1 ${newer}`],
  ["that is not whole", manifest.version],
])("does not tell of a version %s", async (_, text) => {
  await keep(text)
  expect(await onTerminal(["whoami"])).toMatchObject({ code: 0, stderr: "" })
})

test("shows a version that somebody wrote into the cache folder without its control characters", async () => {
  await keep(`${manifest.version} 1\u001b[31m`)
  expect((await onTerminal(["whoami"], { NO_COLOR: "1" })).stderr).toContain("1\\x1b[31m")
})

test("runs as always without a cache folder", async () => {
  await writeFile(join(folder, "cache"), "")
  expect(await onTerminal(["whoami"])).toMatchObject({ code: 0, stderr: "" })
})

test("asks the registry of the scope in the user's .npmrc", async () => {
  await keep("")
  await writeFile(join(folder, ".npmrc"), `@transferkit:registry=${url}private\n`)
  const { code } = await run([UpdateCache.command], {
    env: env({ npm_config_registry: "http://127.0.0.1:9/" }),
    through: ["env", "-C", folder],
  })
  expect({ code, asked }).toEqual({ code: 0, asked: ["/npm/private/@transferkit%2fcli/latest"] })
})

describe("takes no version from a registry that answers with", () => {
  const text =
    (body: string, status = 200): RequestListener =>
    (_, response) =>
      response.writeHead(status).end(body)
  const json = (value: unknown) => text(JSON.stringify(value))
  test.each<[string, RequestListener]>([
    ["an older version", json({ version: "0.0.1" })],
    ["the same version", json({ version: manifest.version })],
    ["an error page", text("<html>", 500)],
    ["nothing", text("")],
    ["null", json(null)],
    ["no version", json({})],
    ["a number", json({ version: 99 })],
    ["a range", json({ version: ">=99.0.0" })],
    ["control characters", json({ version: "99.0.0\u001b[31m" })],
    ["a second line", json({ version: "99.0.0\n99.0.0" })],
    ["a version of a thousand characters", json({ version: `99.0.0-${"a".repeat(1000)}` })],
    ["a megabyte before it", text(`${" ".repeat(1_000_000)}${JSON.stringify({ version: newer })}`)],
    ["a redirection", (_, response) => response.writeHead(302, { location: "/elsewhere" }).end()],
    ["a part of it", (_, response) => response.write(`{"version"`, () => response.destroy())],
  ])("%s", async (_, listener) => {
    await keep("")
    answer = listener
    for (const [name, value] of Object.entries(env())) vi.stubEnv(name, value)
    await LatestVersion.main(manifest.version)
    expect(await readFile(file, "utf8")).toBe("")
    expect(asked).toHaveLength(1)
  })

  test("a byte now and then, for longer than ten seconds", async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const limits = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => timeout(300))
    answer = (_, response) => {
      const drip = setInterval(() => response.write(" "), 20)
      response.on("close", () => clearInterval(drip))
    }
    await expect(LatestVersion.latestVersion(url)).rejects.toMatchObject({
      message: expect.stringContaining("timeout"),
    })
    expect(limits).toHaveBeenCalledWith(10_000)
  })
})
