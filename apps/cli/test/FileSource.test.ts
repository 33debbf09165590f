/** Commands that read a transfer file instead of the service. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as ExportManifest from "@transferkit/files/exports/ExportManifest"
import * as Result from "effect/Result"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { run } from "./InProcess.ts"

const times = ["2024-09-01T00:00:00Z", "2024-09-01T00:00:00.000000001Z", "2024-09-01T00:00:00.000000002Z"]

let folder: string
let file: string
let ledger: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-file-"))
  file = join(folder, "three.ndjson")
  ledger = join(folder, "ledger.csv")
  await writeFile(ledger, "external_id,amount,currency_code\nother,1.00,fiat/USD\n")
  const transfers = times.map((created_at, index) => ({
    id: `tr_${index}`,
    external_id: `order-${index}`,
    kind: "cash_in",
    status: "complete",
    created_at,
  }))
  await writeFile(file, transfers.map((transfer) => `${JSON.stringify(transfer)}\n`).join(""))
})

afterAll(() => rm(folder, { recursive: true }))

/** The transfers that a ledger without any of them lacks. */
const selected = async (...filters: ReadonlyArray<string>) => {
  const { stdout } = await run(["reconcile", ledger, "--from", file, ...filters, "--output", "json"])
  return [...new Set(stdout.match(/tr_\d/g))].toSorted()
}

test.each([
  { filters: [], ids: ["tr_0", "tr_1", "tr_2"] },
  { filters: ["--created-at", "gte:2024-09-01T00:00:00.000000001Z"], ids: ["tr_1", "tr_2"] },
  { filters: ["--created-at", "gt:2024-09-01T00:00:00.000000001Z"], ids: ["tr_2"] },
  { filters: ["--created-at", "lt:2024-09-01T00:00:00.000000001Z"], ids: ["tr_0"] },
  { filters: ["--until", "2024-09-01T00:00:00Z"], ids: [] },
  { filters: ["--external-id", "order-1"], ids: ["tr_1"] },
])("selects $ids of three transfers a nanosecond apart with $filters", async ({ filters, ids }) => {
  expect(await selected(...filters)).toEqual(ids)
})

test.each(["ndjson", "json", "csv", "parquet"])("numbers in unknown fields keep their text in %s", async (format) => {
  const line = `{"id":"tr_1","kind":"cash_in","status":"complete","created_at":"2024-09-01T00:00:00Z","big":9007199254740993,"rates":{"fee":1.10,"all":[1e400]}}\n`
  const [from, out] = [join(folder, "numbers.ndjson"), join(folder, `numbers.${format}`)]
  await writeFile(from, line)
  await run(["export", "--from", from, "--out", out, "--force"])
  expect((await run(["search", "--all", "--from", out, "--output", "ndjson"])).stdout).toBe(line)
  expect((await run(["search", "--all", "--from", out, "--output", "json"])).stdout).toContain(line.trim())
})

test("an export holds what was created in the instant in which it starts, and nothing later", async () => {
  const out = join(folder, "now.ndjson")
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2024-09-01T00:00:00Z") })
  try {
    await run(["export", "--from", file, "--out", out])
  } finally {
    vi.useRealTimers()
  }
  expect((await run(["search", "--all", "--from", out, "--output", "ndjson"])).stdout.match(/tr_\d/g)).toEqual(["tr_0"])
})

/** An export of August to October 2024 by a clock that is ahead by some milliseconds. */
const exportedAhead = async (name: string, millis: number) => {
  const out = join(folder, name)
  expect((await run(["export", "--from", file, "--out", out])).code).toBe(0)
  const path = ExportManifest.pathOf(out)
  const { digest: _, ...statements } = Result.getOrThrow(ExportManifest.parse(await readFile(path, "utf8")))
  const as_of = new Date(Date.now() + millis).toISOString()
  const known = { as_of, started_at: as_of, created_at: ["gte:2024-08-01T00:00:00Z", "lt:2024-11-01T00:00:00Z"] }
  await writeFile(path, JSON.stringify(ExportManifest.seal({ ...statements, ...known })))
  return out
}
const september = ["--created-at", "gte:2024-09-01T00:00:00Z", "--created-at", "lt:2024-10-01T00:00:00Z"]

test.each(["summary", "search", "export", "reconcile"])(
  "%s of an export by a clock that was ahead is an error: when it was read is not known",
  async (name) => {
    const from = await exportedAhead(`ahead-${name}.ndjson`, 3_600_000)
    const more = { export: ["--out", join(folder, "copy.ndjson")], reconcile: [ledger] }[name] ?? []
    const { code, stderr } = await run([name, ...more, "--from", from, ...september])
    expect(stderr).toMatch(
      /lacks what was created.*: its clock was ahead, because it is as of .*, which is to come.*Export it again/s,
    )
    expect(code).toBe(2)
    expect((await run([name, ...more, "--from", from, ...september, "--allow-incomplete"])).stderr).toContain("lacks")
  },
)

test("what is asked of an export by a clock that is seconds ahead is answered", async () => {
  const from = await exportedAhead("seconds.ndjson", 30_000)
  const { code, stdout } = await run(["summary", "--from", from, ...september, "--output", "json"])
  expect(code).toBe(0)
  const { as_of, missing } = JSON.parse(stdout).source
  expect(Date.parse(as_of)).toBeLessThanOrEqual(Date.now())
  expect(missing).toEqual([])
})

test("--resume does not call an export complete that was made by a clock that was ahead", async () => {
  const out = await exportedAhead("resumed.ndjson", 3_600_000)
  const source = await exportedAhead("source.ndjson", -3_600_000)
  const { code, stderr } = await run(["export", "--from", source, "--out", out, "--resume"])
  expect(stderr).toContain("it is complete, and another export: it is one without what was created")
  expect(code).toBe(2)
})
