/** What 100,000 transfers take. A step of its own in CI, because it takes minutes. */
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { demo } from "./Cli.ts"
import * as Measured from "./Measured.ts"

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const count = 100_000

/** What a first load may take, as a multiple of an export with as many requests at once. It was 1.6 beside much other work. */
const mostOfExport = 1.9

let fake: RunningFakeServer
let folder: string

beforeAll(async () => {
  fake = await startFakeServer({ transfers: count, seed: 1 })
  folder = await mkdtemp(join(tmpdir(), "transfers-large-"))
})
afterAll(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

const measured = (...args: ReadonlyArray<string>) => measuredAt(fake, ...args)

const measuredAt = (service: RunningFakeServer, ...args: ReadonlyArray<string>) =>
  Measured.measured(args, { env: demo(service.url) })

const files = ["out.ndjson", "out.csv", "out.json", "out.parquet"] as const
const pathOf = (name: string): string => join(folder, name)

test.each(files)("%s of 100,000 transfers is written and verified within 250 MiB", async (name) => {
  const exported = await measured("export", "--out", pathOf(name))
  expect(exported).toMatchObject({ code: 0, stderr: expect.stringContaining("100,000 transfers in ") })
  expect(exported.stderr).toContain("received 100,000 transfers, sorting and writing them\n")
  expect(exported.memory).toBeLessThan(250)
  const verified = await measured("verify", pathOf(name), "--quiet")
  expect(verified).toMatchObject({ code: 0, stderr: "" })
  expect(verified.memory).toBeLessThan(250)
})

test.each([
  ["out.ndjson", "out.csv"],
  ["out.json", "out.parquet"],
])("%s and %s are compared within 250 MiB", async (older, newer) => {
  const { code, stdout, memory } = await measured("diff", pathOf(older), pathOf(newer))
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, same: count, not_compared: 0, differences: [] })
  expect(memory).toBeLessThan(250)
})

describe("50,000 transfers", () => {
  const few = 50_000
  let small: RunningFakeServer
  let fewMemory = 0
  beforeAll(async () => {
    small = await startFakeServer({ transfers: few, seed: 1 })
  })
  afterAll(() => small.close())

  // Both at the same time, so that what else runs slows down both, and one round is nearly always enough.
  test("are loaded into a new mirror in at most 1.9 times the processor time of their export", async () => {
    const ratios: Array<number> = []
    for (let round = 0; round < 3 && !ratios.some((ratio) => ratio <= mostOfExport); round++) {
      const [exported, synced] = await Promise.all([
        measuredAt(small, "export", "--out", pathOf(`round-${round}.ndjson`)),
        measuredAt(small, "sync", "--to", pathOf(`round-${round}.db`), "--concurrency", "8"),
      ])
      expect(exported).toMatchObject({ code: 0, stderr: expect.stringContaining("50,000 transfers in ") })
      expect(synced).toMatchObject({ code: 0, stderr: expect.stringContaining("loaded 50,000 transfers") })
      expect(synced.stderr).toContain(" 0 new, 0 changed, 0 vanished")
      ratios.push(synced.cpu / exported.cpu)
      fewMemory = Math.max(exported.memory, fewMemory)
    }
    expect(
      Math.min(...ratios),
      `sync / export: ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")}`,
    ).toBeLessThanOrEqual(mostOfExport)
  })

  describe("and four times as many", () => {
    let large: RunningFakeServer
    beforeAll(async () => {
      large = await startFakeServer({ transfers: 4 * few, seed: 1 })
    })
    afterAll(() => large.close())

    // The garbage collector decides about a fifth. To hold 300 bytes of each transfer would take a third more.
    test("take nearly the same memory to export, at most 250 MiB", async () => {
      const { code, memory } = await measuredAt(large, "export", "--out", pathOf("large.csv"))
      expect(code).toBe(0)
      expect(memory).toBeLessThan(250)
      expect(memory).toBeLessThan(1.3 * fewMemory)
    })

    test("are loaded into a new mirror within 300 MiB", async () => {
      const { code, stderr, memory } = await measuredAt(large, "sync", "--to", pathOf("transfers.db"))
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("demo: loaded 200,000 transfers") })
      expect(memory).toBeLessThan(300)
    })
  })
})

test("400,000 rows of a ledger are reconciled with as many transfers within 256 MiB", async () => {
  const [transfers, ledger] = [pathOf("400000.ndjson"), pathOf("ledger.csv")]
  const rows = 400_000
  const generator = TransferGenerator.make({ count: rows, seed: 1 })
  const [lines, out] = [createWriteStream(transfers), createWriteStream(ledger)]
  out.write("external_id,amount,currency_code\n")
  for (let row = 0; row < rows; row++) {
    // Each has to be booked.
    const transfer = { ...JSON.parse(TransferGenerator.json(generator, row)), status: "complete" }
    const { id, source_total } = transfer
    // One in a thousand is off by a digit.
    const amount = row % 1000 === 0 ? `1${source_total.amount}` : source_total.amount
    out.write(`${id},${amount},${source_total.currency_code}\n`)
    if (!lines.write(`${JSON.stringify(transfer)}\n`)) await once(lines, "drain")
  }
  await Promise.all([finished(out.end()), finished(lines.end())])
  const flags = ["--from", transfers, "--key", "id", "--map", "key=external_id"]
  const { code, stdout, memory, cpu } = await measured("reconcile", ledger, ...flags)
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    code: 1,
    breaks: rows / 1000,
    totals: { Matched: { outcomes: rows - rows / 1000 }, Differs: { outcomes: rows / 1000 } },
  })
  expect(memory).toBeLessThan(256)
  // Some ten seconds where nothing else runs.
  expect(cpu).toBeLessThan(60)
})
