/** The built program at sizes that people don't type in: it starts at once and stays small. */
import { type ChildProcess, spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { build } from "../scripts/Bundle.ts"
import { call } from "./partner.ts"

let folder: string

beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "fake-"))
  await build(folder)
})

afterAll(() => fs.rm(folder, { recursive: true, force: true }))

interface Program extends AsyncDisposable {
  readonly child: ChildProcess
  readonly url: string
  /** How long it took until it listened. */
  readonly ms: number
}

/** Starts the program. It ends with the block that it is used in. */
const start = (...args: ReadonlyArray<string>) =>
  new Promise<Program>((resolve, reject) => {
    const before = performance.now()
    const child = spawn(process.execPath, [path.join(folder, "bin.js"), "--port", "0", "--json", ...args], {
      stdio: ["ignore", "pipe", "ignore"],
    })
    child.once("error", reject)
    child.once("exit", (code) => reject(new Error(`it ended with ${code}`)))
    child.stdout.once("data", (line: Buffer) => {
      const ms = performance.now() - before
      resolve({ child, url: JSON.parse(line.toString()).url, ms, [Symbol.asyncDispose]: () => stop(child) })
    })
  })

/** The most memory that the process ever held, in MiB. */
const peakMemory = async (child: ChildProcess) =>
  Number(/VmHWM:\s+(\d+) kB/.exec(await fs.readFile(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024

const stop = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    child.removeAllListeners("exit")
    child.once("exit", () => resolve())
    child.kill()
  })

test.each([1_000_000, 10_000_000])("generates %i transfers without making them", { timeout: 60_000 }, async (count) => {
  await using small = await start("--transfers", "10")
  await using large = await start("--transfers", String(count))
  expect(large.ms - small.ms).toBeLessThan(500)
  let rows = 0
  for (let n = 0; n < 400; n++) {
    const query = `created_at=gt:${new Date(Date.UTC(2024, 0, 1) + n * 78_000_000).toISOString()}`
    const { json } = await call(`${large.url}/v1/transfers/search?${query}`)
    const next = await call(`${large.url}/v1/transfers/search?${query}&after_cursor=${json.page_info.end_cursor}`)
    rows += json.results.length + next.json.results.length
  }
  expect(rows).toBe(400 * 40)
  expect(await peakMemory(large.child)).toBeLessThan(300)
})
