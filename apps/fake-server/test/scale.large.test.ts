/** The built program with large data: it starts at once and stays small. */
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"
import { afterAll, beforeAll, expect, test } from "vitest"
import { call } from "../../../scripts/test/partner.ts"
import { build } from "../scripts/Bundle.ts"

let folder: string

beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "fake-"))
  await build(folder)
})

afterAll(() => fs.rm(folder, { recursive: true, force: true }))

interface Program extends AsyncDisposable {
  readonly child: ChildProcess
  readonly url: string
  /** The CPU time it took until it listened, in milliseconds: wall time would be that of the whole machine. */
  readonly ms: number
}

/** Starts the program. It ends with the block that it is used in. */
const start = (...args: ReadonlyArray<string>) =>
  new Promise<Program>((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [path.join(folder, "bin.js"), "--port", "0", "--json", "--now", "2025-01-01", ...args],
      {
        stdio: ["ignore", "pipe", "ignore"],
      },
    )
    child.once("error", reject)
    child.once("exit", (code) => reject(new Error(`it ended with ${code}`)))
    child.stdout.once("data", (line: Buffer) => {
      const { url } = JSON.parse(line.toString())
      resolve({ child, url, ms: cpuTime(child), [Symbol.asyncDispose]: () => stop(child) })
    })
  })

/** User and system time, which the kernel reports in hundredths of a second. */
const cpuTime = (child: ChildProcess): number => {
  const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

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
  expect(large.ms).toBeLessThan(1000)
  expect(large.ms - small.ms).toBeLessThan(200)
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

test("stores a file of 100,000 transfers as bytes, at a cost that allows a million", { timeout: 120_000 }, async () => {
  const generator = TransferGenerator.make({ count: 100_000, partner: "elsewhere" })
  const file = path.join(folder, "transfers.ndjson")
  const lines = Array.from({ length: 100_000 }, (_, index) =>
    TransferGenerator.json(generator, (index * 7919) % 100_000),
  )
  await fs.writeFile(file, lines.join("\n"))
  await using empty = await start("--transfers", "0")
  await using loaded = await start("--data", file)
  const { json } = await call(`${loaded.url}/_fake/health`)
  expect(json.partners[0].transfers).toBe(100_000)
  // A tenth of what a million may take, 3 GiB and a minute, beside what any start takes.
  expect(await peakMemory(loaded.child)).toBeLessThan(300 + (await peakMemory(empty.child)) * 2)
  expect(loaded.ms).toBeLessThan(6000)
  const { json: page } = await call(
    `${loaded.url}/v1/transfers/search?external_id=${TransferGenerator.externalId(generator, 5)}`,
  )
  expect(page.results.map(({ id }: { readonly id: string }) => id)).toContain(TransferGenerator.id(generator, 5))
})
