/** A mirror whose last sync had a clock that was ahead: no command claims what that sync cannot have read. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import * as ExportManifest from "@transferkit/files/exports/ExportManifest"
import * as Result from "effect/Result"
import { afterAll, beforeAll, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"
import * as SourceFixture from "./SourceFixture.ts"

const day = 86_400_000
const from = (millis: number) => new Date(Date.now() + millis).toISOString()
/** Three days that are over, of which the first is read by a sync of two days ago. */
const days = ["--since", from(-3 * day).slice(0, 10), "--until", from(-day).slice(0, 10)]

let fake: RunningFakeServer
let folder = ""
let mirror = ""
const transfers = (...args: ReadonlyArray<string>) => run(args, { env: demo(fake.url) })
const lastPass = "run_id = (SELECT MAX(run_id) FROM sync_runs)"

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-ahead-"))
  fake = await startFakeServer({ transfers: 300, seed: 3 })
  mirror = join(folder, "m.db")
  expect((await transfers("sync", "--to", mirror)).code).toBe(0)
  const early = from(-2 * day)
  await SourceFixture.change(mirror, `UPDATE sync_runs SET started_at = '${early}', ended_at = '${early}'`)
  expect((await transfers("sync", "--to", mirror)).code).toBe(0)
  const late = from(40 * day)
  await SourceFixture.change(
    mirror,
    `UPDATE sync_runs SET started_at = '${late}', ended_at = '${late}' WHERE ${lastPass}`,
  )
  await SourceFixture.change(mirror, `UPDATE mirror_clock SET last_us = ${Date.parse(late)}000`)
})

afterAll(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

test.each(["summary", "search", "export", "reconcile"])(
  "%s of days that no right clock has read is an error",
  async (name) => {
    const ledger = join(folder, "ledger.csv")
    await writeFile(ledger, "external_id,amount,currency\nno-such-order,1.00,USD\n")
    const more = { export: ["--out", join(folder, "lacking.csv")], reconcile: [ledger] }[name] ?? []
    const { code, stderr } = await transfers(name, ...more, "--from", mirror, ...days)
    expect(stderr).toMatch(/lacks what was created .* to .*Run transfers sync/s)
    expect(code).toBe(2)
  },
)

test("doctor says what to do", async () => {
  const { stdout } = await transfers("doctor", "--from", mirror, "--output", "json")
  expect(stdout).toContain("behind the last instant of the mirror")
  expect(stdout).toContain("run transfers sync by a right clock")
})

test("an export claims what was read, and verify accepts it", async () => {
  const out = join(folder, "all.csv")
  expect((await transfers("export", "--from", mirror, "--out", out)).code).toBe(0)
  const { as_of = "", started_at } = JSON.parse(await readFile(`${out}.manifest.json`, "utf8"))
  expect(Date.parse(started_at) - Date.parse(as_of)).toBeGreaterThan(day)
  expect((await transfers("verify", out)).code).toBe(0)
})

test("a sync by a right clock brings the coverage back to what it has read", async () => {
  const synced = await transfers("sync", "--to", mirror)
  expect(synced.stderr).toContain("the next sync by a right clock")
  expect((await transfers("summary", "--from", mirror, ...days)).code).toBe(0)
  const { stdout } = await transfers("summary", "--from", mirror, ...days, "--output", "json")
  expect(Date.parse(JSON.parse(stdout).source.as_of)).toBeLessThanOrEqual(Date.now())
})

test.each([
  ["the service", () => []],
  ["a mirror by a clock that is seconds ahead", () => ["--from", mirror]],
])("an export of %s claims nothing later than itself", async (name, source) => {
  await SourceFixture.change(mirror, `UPDATE sync_runs SET started_at = '${from(30_000)}' WHERE ${lastPass}`)
  const out = join(folder, `${name}.csv`)
  expect((await transfers("export", ...source(), "--out", out)).code).toBe(0)
  const { as_of = "", started_at } = JSON.parse(await readFile(`${out}.manifest.json`, "utf8"))
  expect(Date.parse(as_of)).toBe(Date.parse(started_at))
})

test("verify rejects a manifest whose as_of is after its started_at", async () => {
  const out = join(folder, "claims.csv")
  expect((await transfers("export", "--out", out)).code).toBe(0)
  const path = ExportManifest.pathOf(out)
  const { digest: _, ...statements } = Result.getOrThrow(ExportManifest.parse(await readFile(path, "utf8")))
  await writeFile(path, JSON.stringify(ExportManifest.seal({ ...statements, as_of: from(40 * day) })))
  const { code, stderr } = await transfers("verify", out)
  expect(stderr).toContain("Export the file again by a right clock")
  expect(code).toBe(2)
})
