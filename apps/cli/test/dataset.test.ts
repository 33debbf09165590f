/** `transfers sync --dataset`: what DuckDB reads of the folder, without us. */
import { copyFile, mkdir, mkdtemp, open, readFile, readdir, rm, stat, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterEach, beforeEach, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import * as Fake from "./Fake.ts"
import { run } from "./InProcess.ts"

let fake: RunningFakeServer
let folder: string
let warehouse: string

beforeEach(async () => {
  fake = await startFakeServer({ transfers: 300 })
  folder = await mkdtemp(join(tmpdir(), "transfers-dataset-"))
  warehouse = join(folder, "warehouse")
})
afterEach(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

const sync = (...args: ReadonlyArray<string>) =>
  run(["sync", "--to", join(folder, "transfers.db"), "--dataset", warehouse, ...args], { env: demo(fake.url) })

const duck = async (sql: string): Promise<ReadonlyArray<Record<string, unknown>>> => {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" })
  const connection = await instance.connect()
  try {
    return (
      await connection.runAndReadAll(sql.replaceAll("DATASET", `'${warehouse}/*/*/*.parquet'`))
    ).getRowObjectsJson()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

const manifest = async () => JSON.parse(await readFile(join(warehouse, "manifest.json"), "utf8"))

const insert = (id: string, created_at: string, amount: string) =>
  Fake.insert(fake.url, {
    id,
    status: "complete",
    created_at,
    source_total: { amount, currency_code: "ethereum/ETH" },
  })

test("DuckDB reads every transfer of the folder, and no digit is lost between files", async () => {
  await insert("tiny", "2024-02-10T00:00:00Z", "0.000000000000000001")
  await insert("short", "2024-03-10T00:00:00.123456789Z", "123456789012345678.5")
  expect(await sync()).toMatchObject({ code: 0, stderr: expect.stringContaining("files of 302 transfers to ") })
  const { files, partners, amounts } = await manifest()
  expect(partners).toMatchObject([{ partner_id: "demo", position: "0", complete_until: expect.any(String) }])
  expect(amounts).toBe("decimal")
  expect(files.map(({ path }: { path: string }) => path)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^partner=demo\/month=2024-02\/[\da-f]{16}\.parquet$/)]),
  )
  expect(
    await duck("SELECT COUNT(*) AS n, COUNT(DISTINCT id) AS ids, COUNT(vanished_at) AS gone FROM DATASET"),
  ).toEqual([{ n: "302", ids: "302", gone: "0" }])
  expect(
    await duck(
      "SELECT id, source_total_amount AS amount, created_ns FROM DATASET WHERE id IN ('tiny', 'short') ORDER BY id",
    ),
  ).toEqual([
    { id: "short", amount: "123456789012345678.500000000000000000", created_ns: "1710028800123456789" },
    { id: "tiny", amount: "0.000000000000000001", created_ns: expect.any(String) },
  ])
  const [types] = await duck(
    "SELECT DISTINCT typeof(source_total_amount) AS amount, typeof(created_at) AS at, typeof(seen_at) AS seen FROM DATASET",
  )
  expect(types).toEqual({ amount: "DECIMAL(38,18)", at: "TIMESTAMP WITH TIME ZONE", seen: "TIMESTAMP WITH TIME ZONE" })
  const months = await duck("SELECT month, COUNT(*) AS n FROM DATASET GROUP BY ALL ORDER BY 1")
  expect(months).toHaveLength(files.length)
  const rows = files.reduce((sum: number, one: { rows: number }) => sum + one.rows, 0)
  expect(rows).toBe(302)
})

test("a month that changed gets a new file, the old one stays for who reads it, and the manifest names one state", async () => {
  await insert("one", "2024-02-10T00:00:00Z", "1")
  await Fake.change(fake.url, "one", { status: "executing" })
  await sync()
  const before = await manifest()
  const of = ({ files }: { files: ReadonlyArray<{ month: string; path: string }> }, month: string) =>
    files.find((file) => file.month === month)?.path ?? ""
  const old = of(before, "2024-02")
  const reader = await open(join(warehouse, old))
  const bytes = await readFile(join(warehouse, old))
  expect(await sync()).toMatchObject({ stderr: expect.not.stringContaining("Wrote") })
  await Fake.change(fake.url, "one", { status: "complete" })
  expect(await sync()).toMatchObject({ code: 0, stderr: expect.stringContaining("Wrote 1 file of ") })
  const after = await manifest()
  expect(of(after, "2024-02")).not.toBe(old)
  expect(of(after, "2024-03")).toBe(of(before, "2024-03"))
  expect(after.replaced).toMatchObject([{ path: old }])
  // Who has it open, or opens it by the manifest that it has read.
  expect(await reader.readFile()).toEqual(bytes)
  await reader.close()
  expect(await readFile(join(warehouse, old))).toEqual(bytes)
  const named = after.files.map(({ path }: { path: string }) => `'${join(warehouse, path)}'`).join(", ")
  expect(await duck(`SELECT id, status FROM read_parquet([${named}]) WHERE id = 'one'`)).toEqual([
    { id: "one", status: "complete" },
  ])
  expect((await readdir(warehouse)).sort()).toEqual(["manifest.json", "partner=demo"])
  expect((await stat(join(warehouse, "manifest.json"))).size).toBeGreaterThan(100)
})

test("a mirror that is made anew, or is of another service, does not continue a data set", async () => {
  await sync()
  const before = await readFile(join(warehouse, "manifest.json"), "utf8")
  await insert("late", new Date().toISOString(), "1")
  const anew = ["sync", "--to", join(folder, "anew.db"), "--dataset", warehouse]
  expect(await run(anew, { env: demo(fake.url) })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /the data set has the transfers of "demo" with a history that this mirror has not: .* Name another folder, or remove this one/,
    ),
  })
  const other = await startFakeServer({ transfers: 10 })
  const elsewhere = ["sync", "--to", join(folder, "elsewhere.db"), "--dataset", warehouse]
  expect(await run(elsewhere, { env: demo(other.url) })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`"demo" at ${new URL(fake.url).href.replace(/\/$/, "")}`),
  })
  await other.close()
  expect(await readFile(join(warehouse, "manifest.json"), "utf8")).toBe(before)
  expect(await sync()).toMatchObject({ code: 0 })
  expect(await duck("SELECT COUNT(*) AS n FROM DATASET")).toEqual([{ n: "301" }])
})

test("a mirror continues only the files that it, or what it was copied from, has written", async () => {
  await sync()
  const [original, copy] = [join(folder, "transfers.db"), join(folder, "copy.db")]
  const syncTo = (mirror: string) => run(["sync", "--to", mirror, "--dataset", warehouse], { env: demo(fake.url) })
  const foreign = { code: 2, stderr: expect.stringContaining("with a history that this mirror has not") }
  await copyFile(original, copy)
  // Each sees as many changes as the other.
  await insert("seen by the original", new Date().toISOString(), "1")
  expect(await syncTo(original)).toMatchObject({ code: 0 })
  const before = await readFile(join(warehouse, "manifest.json"), "utf8")
  await insert("seen by the copy", new Date().toISOString(), "1")
  expect(await syncTo(copy)).toMatchObject(foreign)
  expect(await readFile(join(warehouse, "manifest.json"), "utf8")).toBe(before)
  expect(await syncTo(original)).toMatchObject({ code: 0 })
  // A copy of what was written last goes on, and then the original does not.
  await copyFile(original, copy)
  await insert("late", new Date().toISOString(), "1")
  expect(await syncTo(copy)).toMatchObject({ code: 0 })
  expect(await syncTo(original)).toMatchObject(foreign)
  expect(await duck("SELECT COUNT(DISTINCT id) AS n FROM DATASET WHERE id LIKE 'seen%' OR id = 'late'")).toEqual([
    { n: "3" },
  ])
})

test("files with other columns are written anew, each partner's when that partner is synced", async () => {
  await sync()
  const before = await manifest()
  const [{ columns, ...demoPartner }] = before.partners
  const other = { ...demoPartner, partner_id: "other", columns: "0" }
  const earlier = { ...before, partners: [{ ...demoPartner, columns: "0" }, other] }
  await writeFile(join(warehouse, "manifest.json"), JSON.stringify(earlier))
  expect(await sync()).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`Wrote ${before.files.length} files of`),
  })
  const synced = { ...demoPartner, columns, state: expect.any(String), complete_until: expect.any(String) }
  expect((await manifest()).partners).toEqual([other, synced])
  expect(await sync()).toMatchObject({ stderr: expect.not.stringContaining("Wrote") })
})

test.each(["decimal", "text"])("--from rejects a month, with amounts as %s, and says what to read", async (amounts) => {
  await sync("--amounts", amounts)
  const { files } = await manifest()
  const month = join(warehouse, files[0].path)
  const { code, stderr } = await run(["summary", "--from", month])
  expect(stderr).toBe(
    `error: ${month}: it is a month of a data set, in which transfers that have vanished stay: query its folder, such as with DuckDB, or give the mirror that it was written from\n`,
  )
  expect(code).toBe(2)
})

test("transfers that vanished stay in their month, with the instant", async () => {
  await insert("gone", "2024-02-10T00:00:00Z", "1")
  await Fake.change(fake.url, "gone", { status: "executing" })
  await sync()
  await Fake.remove(fake.url, "gone")
  await sync()
  expect(await duck("SELECT id, vanished_at IS NOT NULL AS gone FROM DATASET WHERE vanished_at IS NOT NULL")).toEqual([
    { id: "gone", gone: true },
  ])
})

test("an amount that no decimal holds fails with its transfer and changes nothing; as text it is kept", async () => {
  await sync()
  const before = await readFile(join(warehouse, "manifest.json"), "utf8")
  await Fake.insert(fake.url, {
    id: "wide",
    status: "complete",
    created_at: new Date().toISOString(),
    source_total: { amount: "0.0000000000000000001", currency_code: "ethereum/ETH" },
  })
  expect(await sync()).toMatchObject({ code: 2, stderr: expect.stringContaining("transfer wide: source_total_amount") })
  expect(await readFile(join(warehouse, "manifest.json"), "utf8")).toBe(before)
  expect(await sync("--amounts", "text")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("the data set has amounts as decimal, and a column keeps its type"),
  })
  warehouse = join(folder, "texts")
  expect(await sync("--amounts", "text")).toMatchObject({ code: 0 })
  expect(await duck("SELECT source_total_amount AS amount FROM DATASET WHERE id = 'wide'")).toEqual([
    { amount: "0.0000000000000000001" },
  ])
  expect(await sync()).toMatchObject({ code: 0 })
})

test("what links lead to is not removed, and links that lead back cost nothing", async () => {
  const theirs = join(folder, "theirs", "month=2020-01")
  await mkdir(theirs, { recursive: true })
  await writeFile(join(theirs, "0123456789abcdef.parquet"), "")
  await mkdir(join(warehouse, "partner=x"), { recursive: true })
  await symlink(join(folder, "theirs"), join(warehouse, "partner=y"))
  for (const name of ["a", "b"]) await symlink("..", join(warehouse, "partner=x", name))
  expect(await sync()).toMatchObject({ code: 0 })
  expect(await readdir(theirs)).toEqual(["0123456789abcdef.parquet"])
})

test("nothing is written through a link in the folder", async () => {
  const theirs = join(folder, "theirs")
  await mkdir(theirs)
  await writeFile(join(theirs, "next"), "mine")
  expect(await sync()).toMatchObject({ code: 0 })
  const partner = (await readdir(warehouse)).find((name) => name.startsWith("partner=")) ?? ""
  const [month = ""] = await readdir(join(warehouse, partner))
  await rm(join(warehouse, partner, month), { recursive: true })
  await rm(join(warehouse, "manifest.json"))
  await symlink(theirs, join(warehouse, partner, month))
  expect(await sync()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("leads out of the data set by a link"),
  })
  expect(await readdir(theirs)).toEqual(["next"])
  expect(await readFile(join(theirs, "next"), "utf8")).toBe("mine")
})
