/** Commands that read a transfer file instead of the service. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as ExportManifest from "@transferkit/files/exports/ExportManifest"
import * as Result from "effect/Result"
import { afterAll, beforeAll, expect, test } from "vitest"
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

const idsOf = async (path: string) => (await readFile(path, "utf8")).match(/tr_\w+/g)

const manifestOf = async (path: string) =>
  Result.getOrThrow(ExportManifest.parse(await readFile(ExportManifest.pathOf(path), "utf8")))

/** An export of the three and one of the year 2999, with a manifest that states more than its own. */
const exportOf = async (name: string, statements?: Partial<ExportManifest.ExportManifest>) => {
  const [from, out] = [join(folder, `${name}-lines.ndjson`), join(folder, `${name}.ndjson`)]
  const late = { id: "tr_late", kind: "cash_in", status: "complete", created_at: "2999-01-01T00:00:00Z" }
  await writeFile(from, `${await readFile(file, "utf8")}${JSON.stringify(late)}\n`)
  expect(await run(["export", "--from", from, "--out", out])).toMatchObject({ code: 0 })
  const { digest: _, ...own } = await manifestOf(out)
  const path = ExportManifest.pathOf(out)
  await writeFile(path, JSON.stringify(ExportManifest.seal({ ...own, ...statements })))
  return out
}

const [past, ahead] = ["2024-09-01T00:00:00Z", "2998-01-01T00:00:00Z"]
const upTo = (as_of: string) => ({ as_of, started_at: as_of, created_at: [`lte:${as_of}`] })

test.each([
  { name: "no claim", statements: {}, flags: [] },
  { name: "a claim", statements: upTo(past), flags: [] },
  { name: "a claim by a clock that was ahead", statements: upTo(ahead), flags: ["--allow-incomplete"] },
])("an export of a file with $name holds what is dated after our clock", async ({ name, statements, flags }) => {
  const from = await exportOf(name, statements)
  const out = join(folder, `copy of ${name}.ndjson`)
  for (const [asked, ids] of [
    [[], ["tr_0", "tr_1", "tr_2", "tr_late"]],
    [["--since", "2999"], ["tr_late"]],
  ] as const) {
    expect(await run(["export", "--from", from, ...asked, ...flags, "--out", out, "--force"])).toMatchObject({
      code: 0,
    })
    expect(await idsOf(out)).toEqual(ids)
    expect(await run(["verify", out])).toMatchObject({ code: 0 })
  }
})

test("an export claims no more than the file of which it was made", async () => {
  const claimOf = async (name: string, statements: Partial<ExportManifest.ExportManifest>) => {
    const [from, out] = [await exportOf(name, statements), join(folder, `${name}-copy.csv`)]
    expect(await run(["export", "--from", from, "--allow-incomplete", "--out", out])).toMatchObject({ code: 0 })
    const { as_of, created_at, unread, started_at } = await manifestOf(out)
    return { as_of, created_at, unread, started_at }
  }
  expect(await claimOf("nothing", {})).toMatchObject({ as_of: undefined, created_at: undefined, unread: undefined })
  expect(await claimOf("past", upTo(past))).toMatchObject({
    as_of: past,
    created_at: [`lte:${past}`],
    unread: undefined,
  })
  const { started_at, ...claimed } = await claimOf("ahead", upTo(ahead))
  expect(Date.parse(claimed.as_of ?? "")).toBeLessThanOrEqual(Date.parse(started_at))
  expect(claimed).toMatchObject({ created_at: [`lte:${claimed.as_of}`], unread: [[`lte:${claimed.as_of}`]] })
})

/** An export of August to October 2024 by a clock that is ahead by some milliseconds. */
const exportedAhead = (name: string, millis: number) => {
  const as_of = new Date(Date.now() + millis).toISOString()
  return exportOf(name, { ...upTo(as_of), created_at: ["gte:2024-08-01T00:00:00Z", "lt:2024-11-01T00:00:00Z"] })
}
const september = ["--created-at", "gte:2024-09-01T00:00:00Z", "--created-at", "lt:2024-10-01T00:00:00Z"]

test.each(["summary", "search", "export", "reconcile"])(
  "%s of an export by a clock that was ahead is an error: when it was read is not known",
  async (name) => {
    const from = await exportedAhead(`ahead-${name}`, 3_600_000)
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
  const from = await exportedAhead("seconds", 30_000)
  const { code, stdout } = await run(["summary", "--from", from, ...september, "--output", "json"])
  expect(code).toBe(0)
  const { as_of, missing } = JSON.parse(stdout).source
  expect(Date.parse(as_of)).toBeLessThanOrEqual(Date.now())
  expect(missing).toEqual([])
})

test("--resume does not call an export complete that was made by a clock that was ahead", async () => {
  const out = await exportedAhead("resumed", 3_600_000)
  const source = await exportedAhead("source", -3_600_000)
  const { code, stderr } = await run(["export", "--from", source, "--out", out, "--resume"])
  expect(stderr).toContain("it is complete, and another export: it is one without what was created")
  expect(code).toBe(2)
})
