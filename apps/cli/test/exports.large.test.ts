/** What 200,000 transfers take. A step of its own in CI, because it takes minutes. */
import { createReadStream, createWriteStream } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { finished } from "node:stream/promises"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { demo, run } from "./Cli.ts"

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const count = 200_000
const mebibyte = 1024 * 1024

let fake: RunningFakeServer
let folder: string
let probe: string

beforeAll(async () => {
  fake = await startFakeServer({ transfers: count, seed: 1 })
  folder = await mkdtemp(join(tmpdir(), "transfers-large-"))
  probe = join(folder, "probe.cjs")
  // Linux: what resourceUsage says of memory is at least that of the process which started this one.
  await writeFile(
    probe,
    `const { readFileSync, writeFileSync } = require("node:fs")
    process.on("exit", () => {
      let memory = process.resourceUsage().maxRSS
      try { memory = Number(/VmHWM:\\s+(\\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))[1]) } catch {}
      const { user, system } = process.cpuUsage()
      writeFileSync(process.env.TRANSFERS_TEST_COST, JSON.stringify({ memory: memory * 1024, cpu: (user + system) / 1e6 }))
    })`,
  )
})
afterAll(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

/** Runs a command and sees what it took: peak memory in bytes, processor time in seconds. */
const measured = (...args: ReadonlyArray<string>) => measuredAt(fake, ...args)

const measuredAt = async (service: RunningFakeServer, ...args: ReadonlyArray<string>) => {
  const cost = join(folder, "cost.json")
  const env = { ...demo(service.url), NODE_OPTIONS: `--require=${probe}`, TRANSFERS_TEST_COST: cost }
  const result = await run(args, { env })
  const { memory, cpu }: { readonly memory: number; readonly cpu: number } = JSON.parse(await readFile(cost, "utf8"))
  expect(memory).toBeGreaterThan(20 * mebibyte)
  return { ...result, memory: Math.round(memory / mebibyte), cpu }
}

/** Seconds of processor time that each export took. */
const exports = new Map<string, number>()

const files = ["out.ndjson", "out.csv", "out.json", "out.parquet"] as const
const pathOf = (name: string): string => join(folder, name)

test.each(files)("%s of 200,000 transfers is written and verified within 250 MiB", async (name) => {
  const exported = await measured("export", "--out", pathOf(name))
  exports.set(name, exported.cpu)
  expect(exported).toMatchObject({ code: 0, stderr: expect.stringContaining("200,000 transfers in ") })
  expect(exported.stderr).toContain("received 200,000 transfers, sorting and writing them\n")
  expect(exported.memory).toBeLessThan(250)
  const verified = await measured("verify", pathOf(name))
  expect(verified).toMatchObject({ code: 0, stderr: "" })
  expect(verified.memory).toBeLessThan(250)
})

test.each([
  ["out.ndjson", "out.csv"],
  ["out.json", "out.parquet"],
])("%s and %s are compared within 250 MiB", async (older, newer) => {
  const { code, stdout, memory } = await measured("diff", pathOf(older), pathOf(newer))
  expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, same: count, differences: [] })
  expect(memory).toBeLessThan(250)
})

test("loading them into a mirror takes at most 1.3 times the processor time of an export", async () => {
  const loaded = await measured("sync", "--to", pathOf("out.db"))
  expect(loaded).toMatchObject({ code: 0, stderr: expect.stringContaining("loaded 200,000 transfers") })
  // A run makes a pass after its load, and the second run makes nothing else.
  const passed = await measured("sync", "--to", pathOf("out.db"))
  expect(passed).toMatchObject({ code: 0, stderr: expect.stringContaining(" 0 new, 0 changed, 0 vanished") })
  expect((loaded.cpu - passed.cpu) / (exports.get("out.ndjson") ?? 0)).toBeLessThan(1.3)
})

test("an export of 400,000 transfers takes the memory of one of 100,000", async () => {
  const memory: Array<number> = []
  for (const transfers of [100_000, 400_000]) {
    const service = await startFakeServer({ transfers, seed: 1 })
    const out = pathOf(`${transfers}.ndjson`)
    const exported = await measuredAt(service, "export", "--out", out)
    await service.close()
    expect(exported).toMatchObject({ code: 0, stderr: expect.stringContaining("00,000 transfers in ") })
    memory.push(exported.memory)
  }
  const [few = 0, many = 0] = memory
  expect(many).toBeLessThan(1.15 * few)
})

test("400,000 rows of a ledger are reconciled with as many transfers within 256 MiB", async () => {
  const [transfers, ledger] = [pathOf("400000.ndjson"), pathOf("ledger.csv")]
  const out = createWriteStream(ledger)
  out.write("external_id,amount,currency_code\n")
  let rows = 0
  for await (const line of createInterface({ input: createReadStream(transfers) })) {
    const { id, source_total } = JSON.parse(line)
    // One in a thousand is off by a digit.
    const amount = rows++ % 1000 === 0 ? `1${source_total.amount}` : source_total.amount
    out.write(`${id},${amount},${source_total.currency_code}\n`)
  }
  await finished(out.end())
  const flags = ["--transfers", transfers, "--key", "id", "--map", "key=external_id"]
  const { code, stdout, memory, cpu } = await measured("reconcile", ledger, ...flags)
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    code: 1,
    breaks: rows / 1000,
    totals: { Matched: { outcomes: rows - rows / 1000 }, Differs: { outcomes: rows / 1000 } },
  })
  expect(rows).toBe(400_000)
  expect(memory).toBeLessThan(256)
  // Some ten seconds where nothing else runs.
  expect(cpu).toBeLessThan(60)
})
