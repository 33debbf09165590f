import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import * as Duration from "effect/Duration"
import { afterEach, beforeEach, expect, test } from "vitest"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { demo, run, start } from "./Cli.ts"
import * as DealtRate from "./DealtRate.ts"

let fake: RunningFakeServer
let folder: string
let mirror: string

beforeEach(async () => {
  fake = await startFakeServer({ transfers: 1500, partners: ["demo:demo-secret"] })
  folder = await mkdtemp(join(tmpdir(), "transfers-workers-"))
  mirror = join(folder, "transfers.db")
})

afterEach(async () => {
  await fake.close()
  // Workers end a moment after the process that started them.
  await rm(folder, { recursive: true, maxRetries: 50, retryDelay: 100 })
})

test("--workers loads what one process exports, byte for byte, and --status tells who did", async () => {
  const env = demo(fake.url)
  const synced = await run(["sync", "--to", mirror, "--workers", "2"], { env })
  expect(synced).toMatchObject({ code: 0, stderr: expect.stringContaining("demo: loaded 1,500 transfers") })
  const [ofMirror, ofService] = [join(folder, "mirror.ndjson"), join(folder, "service.ndjson")]
  expect(await run(["export", "--from", mirror, "--out", ofMirror])).toMatchObject({ code: 0 })
  expect(await run(["export", "--out", ofService], { env })).toMatchObject({ code: 0 })
  expect(await readFile(ofMirror, "utf8")).toBe(await readFile(ofService, "utf8"))
  const { workers } = JSON.parse((await run(["sync", "--to", mirror, "--status"])).stdout)
  expect(workers).not.toEqual([])
  const sum = (name: string) =>
    workers.reduce((total: number, one: Record<string, number>) => total + (one[name] ?? 0), 0)
  expect([sum("transfers"), sum("waiting"), sum("running"), sum("failed")]).toEqual([1500, 0, 0, 0])
})

test("--workers 1 is the same as no flag: one process, without windows or a queue", async () => {
  const env = demo(fake.url)
  const loaded = async (...flags: ReadonlyArray<string>) => {
    const file = join(folder, `${flags.length}.db`)
    const { code, stderr } = await run(["sync", "--to", file, ...flags], { env })
    using db = new DatabaseSync(file, { readOnly: true })
    const names = db.prepare("SELECT name FROM sqlite_schema ORDER BY name").all()
    const [row] = db
      .prepare("SELECT (SELECT COUNT(*) FROM transfers) AS transfers, COUNT(*) AS windows FROM sync_windows")
      .all()
    return { code, says: stderr.replace(/in \d+ pages/g, "").replace(/\(.* ago\)/g, ""), names, ...row }
  }
  const [plain, one] = [await loaded(), await loaded("--workers", "1")]
  expect(one).toEqual(plain)
  expect(one).toMatchObject({ code: 0, transfers: 1500, windows: 0 })
  expect(one.names).not.toContainEqual({ name: "sync_queue" })
})

test("--workers ends with the exit code of a key that the service rejects", async () => {
  const env = { ...demo(fake.url), TRANSFERS_SECRET_KEY: "wrong" }
  expect(await run(["sync", "--to", mirror, "--workers", "2"], { env })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("The service rejected the credentials"),
  })
})

test("--workers ends with exit code 4 if a window cannot be read, --status says why, and the next sync reads it", async () => {
  const env = demo(fake.url)
  fake.addFaults({ when: { request: { from: 70 } }, faults: [{ fault: "status", status: 400 }] })
  const failed = {
    code: 4,
    stderr: expect.stringMatching(/\d+ of \d+ windows could not be read, the first because: /),
  }
  const synced = await run(["sync", "--to", mirror, "--workers", "2"], { env })
  expect(synced).toMatchObject(failed)
  expect(synced.stderr.match(/could not be read, the first/g)).toHaveLength(1)
  expect(await run(["worker", "--to", mirror, "--once"], { env })).toMatchObject(failed)
  const shown = await run(["sync", "--to", mirror, "--status", "--output", "table"])
  expect(shown.stdout).toMatch(
    /^demo: not complete yet\.\n\nPARTNER ID +WORKER +DONE +RUNNING +WAITING +FAILED +TRANSFERS +PER SECOND/,
  )
  expect(shown.stdout).toContain("status 400")
  const { workers } = JSON.parse((await run(["sync", "--to", mirror, "--status", "--output", "json"])).stdout)
  expect(workers.some(({ failed }: { readonly failed: number }) => failed > 0)).toBe(true)
  expect(workers.some((one: { readonly per_second: number }) => one.per_second > 0)).toBe(true)
  fake.clearFaults()
  expect(await run(["sync", "--to", mirror], { env })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("demo: loaded 1,500 transfers"),
  })
})

test("worker says what it needs, and with --once ends if there is nothing to do", async () => {
  const env = demo(fake.url)
  expect(await run(["worker"], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("TRANSFERS_MIRROR.\nExample:\ntransfers worker --to transfers.db\n"),
  })
  expect(await run(["worker", "--once"], { env: { ...env, TRANSFERS_MIRROR: mirror } })).toEqual({
    code: 0,
    stdout: "",
    stderr: "",
  })
  expect(await run(["sync", "--to", mirror, "--workers", "2", "--secret-key-stdin"], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("give --secret-key-file instead"),
  })
  expect(await run(["sync", "--to", join(folder, "none.db"), "--status"])).toMatchObject({ code: 2 })
})

// ---------------------------------------------------------------------------------------------------- the rate of all

const arrivals = (): Array<number> => fake.requests().map(({ at }) => Date.parse(at))

/** Waits until so many workers have read something. */
const untilBusy = (workers: number) =>
  Waiting.until(() => {
    if (!existsSync(mirror)) return false
    using db = new DatabaseSync(mirror, { readOnly: true, timeout: 60_000 })
    if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sync_windows'").get() === undefined) return false
    const row = db.prepare("SELECT COUNT(DISTINCT worker) AS n FROM sync_windows WHERE transfers > 0").get()
    return Number(row?.["n"]) >= workers
  })

test("the workers of a sync that is killed end within about a second", async () => {
  await fake.close()
  fake = await startFakeServer({ transfers: 20_000, partners: ["demo:demo-secret"], journalSize: 20_000 })
  const sync = start(["sync", "--to", mirror, "--workers", "3", "--rate-limit", "40"], { env: demo(fake.url) })
  await untilBusy(3)
  // Workers write there, too: it closes with the last of them.
  const closed = once(sync.stderr.resume(), "close")
  sync.kill("SIGKILL")
  const killedAt = performance.now()
  await closed
  expect(performance.now() - killedAt).toBeLessThan(4000)
  expect(existsSync(mirror)).toBe(true)
})

test("worker shows each window that it has read", async () => {
  const env = demo(fake.url)
  const worker = start(["worker", "--to", mirror], { env })
  let shown = ""
  worker.stderr.setEncoding("utf8").on("data", (chunk: string) => (shown += chunk))
  await Waiting.until(() => shown.includes("Waiting for windows of demo"))
  expect(await run(["sync", "--to", mirror, "--workers", "2"], { env })).toMatchObject({ code: 0 })
  await Waiting.until(() => /^demo: read a window of [\d,]+ transfers?$/m.test(shown))
  worker.kill()
})

test("--rate-limit holds for all workers together, and the permits of a killed one are not lost", async () => {
  await fake.close()
  fake = await startFakeServer({ transfers: 20_000, partners: ["demo:demo-secret"], journalSize: 20_000 })
  const env = demo(fake.url)
  const [killed, ...others] = [
    start(["worker", "--to", mirror, "--concurrency", "16"], { env }),
    start(["sync", "--to", mirror, "--workers", "2", "--rate-limit", "30"], { env }),
  ]
  await untilBusy(3)
  const [dealt, before] = [DealtRate.read(mirror), arrivals().length]
  expect(dealt.spacingMicros).toBeGreaterThan(1_000_000 / 30)
  killed?.kill("SIGKILL")
  const left = arrivals().length
  await Waiting.until(() => arrivals().length > left + 90)
  // In this order, so that a permit that is dealt meanwhile counts, and its request does not.
  const after = arrivals().length
  const permits = DealtRate.permitsBetween(dealt, DealtRate.read(mirror))
  for (const other of others) other.kill()
  // Requests that were on their way at first had their permits before.
  expect(after - before).toBeLessThanOrEqual(permits + 3 * 16)
})

test("a 429 that one worker receives makes all of them wait", async () => {
  await fake.close()
  const latency = { from: Duration.millis(100), to: Duration.millis(100) }
  fake = await startFakeServer({ transfers: 30_000, partners: ["demo:demo-secret"], latency, journalSize: 20_000 })
  const sync = start(["sync", "--to", mirror, "--workers", "3", "--concurrency", "2"], { env: demo(fake.url) })
  await untilBusy(3)
  fake.addFaults({ times: 1, faults: [{ fault: "rate_limited", retry_after: "5" }] })
  const pauseEnd = () => DealtRate.read(mirror).nextMicros / 1000
  await Waiting.until(() => pauseEnd() > Date.now())
  const [end, before] = [pauseEnd(), arrivals().length]
  await Waiting.until(() => arrivals().some((at) => at > end))
  sync.kill()
  // Requests that had been allowed before are not held back: one for each of the three times two.
  const during = arrivals()
    .slice(before)
    .filter((at) => at < end)
  expect(during.length).toBeLessThanOrEqual(6)
})
