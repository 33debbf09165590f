/** Commands that read a transfer file instead of the service. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
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
