/** SQL, jq and templates that never end: a signal or --timeout ends them at once, and nothing runs on. */
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as UserProgramProcess from "../../src/output/UserProgramProcess.ts"
import { bin, demo, run, start } from "../Cli.ts"
import * as Processes from "../Processes.ts"

let folder: string
let mirror: string
let id: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-programs-"))
  mirror = join(folder, "transfers.db")
  await using fake = await startFakeServer({ transfers: 5 })
  expect(await run(["sync", "--to", mirror], { env: demo(fake.url) })).toMatchObject({ code: 0 })
  const found = await run(["query", "--from", mirror, "SELECT id FROM transfers LIMIT 1", "--template", "{{id}}"])
  id = found.stdout.trim()
})
afterAll(() => rm(folder, { recursive: true }))

const endless = "last(repeat(1))"
const sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"
const attacks: ReadonlyArray<readonly [name: string, args: () => ReadonlyArray<string>]> = [
  ["SQL", () => ["query", "--from", mirror, sql]],
  ["jq in query", () => ["query", "--from", mirror, "SELECT 1", "--jq", endless]],
  ["jq in search", () => ["search", "--sandbox", "--jq", endless]],
  ["jq in show", () => ["show", id, "--from", mirror, "--jq", endless]],
]

/** A run whose program has had the time to begin, with the processes that it needs. */
const begun = async (args: ReadonlyArray<string>) => {
  const child = start(args)
  const closed = once(child, "close")
  await expect.poll(() => Processes.descendants(child.pid).length, { timeout: 30_000 }).toBeGreaterThan(0)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  return { child, closed, below: Processes.descendants(child.pid) }
}

test.each(
  attacks.flatMap(([name, args]) => [["SIGINT", 130, name, args] as const, ["SIGTERM", 143, name, args] as const]),
)("one %s ends with %i at once: %s", async (signal, expected, _, args) => {
  const { child, closed, below } = await begun(args())
  const sent = performance.now()
  child.kill(signal)
  const [code] = await closed
  expect({ code, seconds: (performance.now() - sent) / 1000 }).toEqual({ code: expected, seconds: expect.any(Number) })
  expect(performance.now() - sent).toBeLessThan(10_000)
  await expect.poll(() => below.filter(Processes.isRunning), { timeout: 20_000 }).toEqual([])
})

test.each(attacks)("--timeout ends with 124, and prints nothing: %s", async (_, args) => {
  const { code, stdout, stderr } = await run([...args(), "--timeout", "1"])
  expect({ code, stdout }).toEqual({ code: 124, stdout: "" })
  expect(stderr).toMatch(/^error: (?:The query|--jq) took longer than 1 s\./)
})

test.each(attacks)("a run that is killed leaves no process behind: %s", async (_, args) => {
  const { child, closed, below } = await begun(args())
  child.kill("SIGKILL")
  await closed
  await expect.poll(() => below.filter(Processes.isRunning), { timeout: 20_000 }).toEqual([])
})

const list = JSON.stringify({ list: [1, 2, 3, 4] })
const commandLine = { file: process.execPath, program: [bin], args: [] }

test("a template that lists a list in itself ends when it is interrupted", async () => {
  const depth = 40
  const text = "{{#list}}".repeat(depth) + "{{/list}}".repeat(depth)
  const program = { flag: "--template", text, known: ["list"], documents: [list] } as const
  const ended = await Effect.runPromise(
    UserProgramProcess.run(commandLine, program).pipe(Effect.timeoutOption("2 seconds")),
  )
  expect(ended._tag).toBe("None")
  await expect.poll(() => Processes.descendants(process.pid).filter(isProgram), { timeout: 20_000 }).toEqual([])
})

const isProgram = (pid: number): boolean =>
  execFileSync("sh", ["-c", `ps -o args= ${pid} || true`], { encoding: "utf8" }).includes(bin)

test("a query that sorts more than it may hold says so", async () => {
  const sort = sql.replace("COUNT(*) FROM n", "i FROM n ORDER BY randomblob(1000000)")
  expect(await run(["query", "--from", mirror, sort])).toEqual({
    code: 71,
    stdout: "",
    stderr:
      "error: Out of memory: the query needs more than the 2048 MB that it may use. Ask for fewer rows, and sort or group fewer.\n",
  })
})

test("a template that makes more than there is memory for says so", async () => {
  const text = "{{#list}}".repeat(14) + "x".repeat(100) + "{{/list}}".repeat(14)
  const program = { flag: "--template", text, known: ["list"], documents: [list] } as const
  const small = { ...commandLine, program: ["--max-old-space-size=50", bin] }
  const failure = await Effect.runPromise(Effect.flip(UserProgramProcess.run(small, program)))
  expect(failure._tag).toBe("OutOfMemory")
})

test.each([
  ["query", "--from", "def f: 1 + f; f"],
  ["search", "--sandbox", "null | .[2e8] = 1"],
])("jq in %s %s that makes more than jq can hold says so, and ends with 71: %s", async (command, from, expression) => {
  const args = command === "query" ? [from, mirror, "SELECT 1"] : [from]
  const { code, stdout, stderr } = await run([command, ...args, "--jq", expression])
  expect({ code, stdout }, stderr).toEqual({ code: 71, stdout: "" })
  expect(stderr).toBe(
    "error: Out of memory: --jq needs more than the 4096 MB that jq may use. Let it make less, such as with limit.\n",
  )
})
