import { execFile } from "node:child_process"
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import * as Duration from "effect/Duration"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { demo, run, start } from "./Cli.ts"
import * as DealtRate from "./DealtRate.ts"
import * as Gate from "./Gate.ts"

const transfers = 2000

let fake: RunningFakeServer
let gate: Gate.Gate
let folder: string
let whole: Buffer

beforeAll(async () => {
  const latency = { from: Duration.millis(20), to: Duration.millis(20) }
  fake = await startFakeServer({ transfers, seed: 3, latency, journalSize: 100_000 })
  gate = await Gate.before(fake.url)
  folder = await mkdtemp(join(tmpdir(), "transfers-export-workers-"))
  const file = join(folder, "whole.ndjson")
  expect((await run(["export", "--out", file], { env: demo(fake.url) })).code).toBe(0)
  whole = await readFile(file)
})

afterAll(async () => {
  await gate.close()
  await fake.close()
  // Workers end a moment after the process that started them.
  await rm(folder, { recursive: true, maxRetries: 50, retryDelay: 100 })
})

const manifestOf = async (file: string) => {
  const { started_at, created_at, file: _, ...rest } = JSON.parse(await readFile(`${file}.manifest.json`, "utf8"))
  return rest
}

/** The processes that a process has started. */
const childrenOf = async (pid: number | undefined): Promise<ReadonlyArray<number>> => {
  const { stdout } = await promisify(execFile)("ps", ["-o", "pid=", "--ppid", String(pid)]).catch(() => ({
    stdout: "",
  }))
  return stdout
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(Number)
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** An export by workers that has some of the transfers, and waits for the others until the gate is opened. */
const underWay = async (file: string) => {
  gate.shut(100)
  const child = start(["export", "--out", file, "--workers", "2", "--concurrency", "1"], { env: demo(gate.url) })
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk))
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve))
  const size = async () => (await stat(`${file}.spool`).catch(() => undefined))?.size ?? 0
  await Waiting.until(async () => (await size()) > 100_000)
  return { child, closed, workers: await childrenOf(child.pid), stderr: () => stderr }
}

test("--workers writes the same file as one process, and the same manifest", async () => {
  const format = "parquet"
  const env = demo(fake.url)
  const [one, several] = [join(folder, `one.${format}`), join(folder, `several.${format}`)]
  expect((await run(["export", "--out", one, "--status", "complete"], { env })).code).toBe(0)
  const spread = await run(["export", "--out", several, "--status", "complete", "--workers", "3"], { env })
  expect(spread).toMatchObject({ code: 0 })
  expect((await readFile(several)).equals(await readFile(one))).toBe(true)
  expect(await manifestOf(several)).toEqual(await manifestOf(one))
  expect((await run(["verify", several])).code).toBe(0)
  expect((await readdir(folder)).filter((name) => name.startsWith(`several.${format}`)).toSorted()).toEqual([
    `several.${format}`,
    `several.${format}.manifest.json`,
  ])
})

test("a worker that is killed leaves its window to another, and all of them to the process that writes", async () => {
  const file = join(folder, "orphaned.ndjson")
  const { closed, workers, stderr } = await underWay(file)
  expect(workers).toHaveLength(2)
  for (const worker of workers) process.kill(worker, "SIGKILL")
  gate.open()
  expect(await closed).toBe(0)
  expect(stderr().match(/orphaned.ndjson: a worker ended early: SIGKILL/g)).toHaveLength(2)
  expect((await readFile(file)).equals(whole)).toBe(true)
})

test.each([
  ["workers", ["--workers", "2"]],
  ["one process", []],
])("an export by workers that was killed is resumed with %s, and no worker outlives it", async (how, flags) => {
  const file = join(folder, `killed ${how}.ndjson`)
  const { child, closed, workers } = await underWay(file)
  child.kill("SIGKILL")
  await closed
  await Waiting.until(() => !workers.some(isAlive))
  gate.open()
  const before = fake.requests().length
  const resumed = await run(["export", "--out", file, "--resume", ...flags], { env: demo(fake.url) })
  expect(resumed).toMatchObject({ code: 0, stderr: expect.stringContaining("of them from this run") })
  expect((await readFile(file)).equals(whole)).toBe(true)
  expect(fake.requests().length - before).toBeGreaterThan(10)
})

test("--rate-limit holds for all workers of an export", async () => {
  const temporary = await mkdtemp(join(folder, "temporary-"))
  const flags = ["--out", join(folder, "limited.ndjson"), "--workers", "2", "--concurrency", "2", "--rate-limit", "30"]
  const requests = fake.requests().length
  const child = start(["export", ...flags], { env: { ...demo(fake.url), TMPDIR: temporary } })
  await Waiting.until(() => fake.requests().length > requests + 10)
  const [rate = ""] = await readdir(temporary)
  const read = () => DealtRate.read(join(temporary, rate, "rate.db"))
  const [dealt, before] = [read(), fake.requests().length]
  expect(dealt.spacingMicros).toBeGreaterThan(1_000_000 / 30)
  await Waiting.until(() => fake.requests().length > before + 30)
  // In this order, so that a permit that is dealt meanwhile counts, and its request does not.
  const after = fake.requests().length
  const permits = DealtRate.permitsBetween(dealt, read())
  child.kill()
  // Requests that were on their way at first had their permits before.
  expect(after - before).toBeLessThanOrEqual(permits + 3 * 2)
})

test.each([
  [["--workers", "2", "--from", "whole.ndjson"], "--workers is for the service: remove it, or --from."],
  [["--rate-limit", "9", "--from", "whole.ndjson"], "--rate-limit is for the service: remove it, or --from."],
  [["--workers", "2", "--external-id", "x"], "--workers is for many transfers: remove it, or --external-id."],
  [["--workers", "2", "--secret-key-stdin"], "give --secret-key-file instead."],
  [["--workers", "17"], "--workers: expected a whole number from 1 to 16"],
])("%j is a usage error", async (flags, message) => {
  const options = { env: demo(fake.url), stdin: "secret" }
  const given = flags.map((flag) => (flag === "whole.ndjson" ? join(folder, flag) : flag))
  const { code, stderr } = await run(["export", "--out", join(folder, "none.ndjson"), ...given], options)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
})

test("a key that the service rejects is told once, with its exit code", async () => {
  const env = { ...demo(fake.url), TRANSFERS_SECRET_KEY: "wrong" }
  const flags = ["--since", "2024-01-01", "--workers", "2"]
  const { code, stderr } = await run(["export", "--out", join(folder, "rejected.ndjson"), ...flags], { env })
  expect(code).toBe(3)
  expect(stderr.match(/The service rejected the credentials/g)).toHaveLength(1)
})
