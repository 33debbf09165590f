import { createHash } from "node:crypto"
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import * as Duration from "effect/Duration"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import * as Seeds from "../../../scripts/test/Seeds.ts"
import * as Thorough from "../../../scripts/test/Thorough.ts"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { demo, run as runProcess, start } from "./Cli.ts"
import * as Fake from "./Fake.ts"
import { run } from "./InProcess.ts"

const count = Thorough.times(1000, 6000)
const fewer = Thorough.times(300, 2000)

let fake: RunningFakeServer
let folder: string
let whole: Buffer

const formats = ["ndjson", "csv", "json", "parquet"] as const

beforeAll(async () => {
  fake = await startFakeServer({ transfers: count, seed: 11 })
  folder = await mkdtemp(join(tmpdir(), "transfers-export-"))
  const file = join(folder, "whole.ndjson")
  expect((await transfers("export", "--out", file)).code).toBe(0)
  whole = await readFile(file)
})

afterAll(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

const transfers = (...args: ReadonlyArray<string>) => run(args, { env: demo(fake.url) })

/** Small, seeded, and good enough to scatter moments (mulberry32). */
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

describe.each(["newest-first", "oldest-first", "by-id", "by-updated", "shuffled"] as const)(
  "an export from a service that lists %s",
  (order) => {
    test.each([1, 3])("writes every transfer once with %d of them out of place, and is verified", async (displaced) => {
      await using service = await startFakeServer({ transfers: fewer, seed: 5, order, displaced })
      const file = join(folder, `${order}-${displaced}.ndjson`)
      const env = demo(service.url)
      expect((await run(["export", "--concurrency", "4", "--out", file], { env })).code).toBe(0)
      const ids = (await readFile(file, "utf8"))
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).id)
      expect([ids.length, new Set(ids).size]).toEqual([fewer, fewer])
      expect((await run(["verify", file], { env })).code).toBe(0)
    })
  },
)

test.each([
  ["that lies in the future", ["--since", "2099"]],
  ["that holds no instant", ["--created-at", "gt:2024-09-02T00:00:00Z", "--created-at", "lt:2024-09-01T00:00:00Z"]],
])("an export of a window %s is empty, and verified", async (what, flags) => {
  const file = join(folder, `${what}.ndjson`)
  expect(await transfers("export", "--out", file, ...flags)).toMatchObject({ code: 0 })
  expect(await readFile(file, "utf8")).toBe("")
  expect((await transfers("verify", file)).code).toBe(0)
})

test("an export of the service holds what was created in the instant in which it starts, and nothing later", async () => {
  await using service = await startFakeServer({ transfers: 0 })
  const [now, later] = ["2024-09-01T00:00:00Z", "2024-09-01T00:00:00.000000001Z"]
  await Fake.insert(service.url, { id: "tr_now", created_at: now })
  await Fake.insert(service.url, { id: "tr_later", created_at: later })
  const out = join(folder, "now.ndjson")
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(now) })
  try {
    expect(await run(["export", "--out", out], { env: demo(service.url) })).toMatchObject({ code: 0 })
  } finally {
    vi.useRealTimers()
  }
  expect((await readFile(out, "utf8")).match(/tr_\w+/g)).toEqual(["tr_now"])
})

describe("an export that is killed", () => {
  const wanted = Thorough.times(4, 50)
  test(
    `at any of ${wanted} random moments gives the same bytes after --resume, in every format`,
    { timeout: 3_600_000 },
    async () => {
      const next = random(Number.parseInt(Seeds.drawn, 36))
      const uninterrupted = new Map<string, Buffer>()
      // How long a run takes at most. It is corrected on the way, because a machine is not always equally fast.
      const durations = new Map<string, number>()
      for (const format of formats) {
        const began = performance.now()
        const file = join(folder, `timed.${format}`)
        await runProcess(["export", "--concurrency", "3", "--out", file], { env: demo(fake.url) })
        uninterrupted.set(format, await readFile(file))
        durations.set(format, performance.now() - began)
      }
      const kills = new Map<string, number>()
      const states = new Set<string>()
      // Multiples of the golden ratio spread few moments evenly, too.
      let moment = next()
      const resume = async (format: string, kill: boolean): Promise<void> => {
        const took = durations.get(format) ?? 0
        const file = join(folder, `killed.${format}`)
        const began = performance.now()
        const child = start(["export", "--resume", "--concurrency", "3", "--out", file], { env: demo(fake.url) })
        const closed = new Promise<number | null>((resolve) => child.on("close", resolve))
        moment = (moment + 0.618 + next() / 20) % 1
        const timer = setTimeout(() => kill && child.kill("SIGKILL"), (0.1 + moment) * took)
        const code = await closed
        clearTimeout(timer)
        const names = (await readdir(folder)).filter((name) => name.startsWith(`killed.${format}`)).toSorted()
        if (kill && code === null) {
          kills.set(format, (kills.get(format) ?? 0) + 1)
          const state = names.join(" ").replaceAll(format, "")
          if (states.has(state)) durations.set(format, took * 1.1)
          states.add(state)
          return
        }
        if (kill) durations.set(format, performance.now() - began)
        expect(code).toBe(0)
        expect((await readFile(file)).equals(uninterrupted.get(format) ?? Buffer.alloc(0))).toBe(true)
        expect(names).toEqual([`killed.${format}`, `killed.${format}.manifest.json`])
        await Promise.all(names.map((name) => rm(join(folder, name))))
      }
      const killed = () => [...kills.values()].reduce((sum, count) => sum + count, 0)
      // Kills that all fell into one phase would prove little.
      const isEnough = () =>
        killed() >= wanted &&
        states.size > 1 &&
        formats.every((format) => (kills.get(format) ?? 0) > Math.floor(wanted / 12))
      for (let turn = 0; !isEnough() && turn < 40 * wanted; turn++) {
        await resume(formats[turn % formats.length] ?? "ndjson", true)
      }
      for (const format of formats) {
        await resume(format, false)
        expect(kills.get(format) ?? 0, format).toBeGreaterThan(Math.floor(wanted / 12))
      }
      expect(states.size).toBeGreaterThan(1)
    },
  )

  test("keeps its transfers, and requests only the rest", async () => {
    await using service = await startFakeServer({ transfers: 6000, seed: 11 })
    const file = join(folder, "interrupted.csv")
    const command = ["export", "--concurrency", "1", "--out", file]
    const child = start(command, { env: demo(service.url) })
    let stderr = ""
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk))
    await Waiting.until(async () => ((await stat(`${file}.spool`).catch(() => undefined))?.size ?? 0) > 1_040_000)
    child.kill("SIGINT")
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(130)
    expect(stderr).toMatch(/: interrupted; run the same command with --resume to continue after [\d,]+ transfers\n$/)
    const kept = (await readFile(`${file}.spool`, "utf8")).split("\n").filter((line) => line.startsWith("[")).length
    const resumed = await run([...command, "--resume"], { env: demo(service.url) })
    const pages = Number(/in (\d+) pages/.exec(resumed.stderr)?.[1])
    expect(resumed.code).toBe(0)
    expect(kept).toBeGreaterThan(1000)
    // A window that was under way is read again, and where to cut the rest is found anew.
    expect(pages * 20).toBeLessThan(1.3 * (6000 - kept))
    expect((await transfers("verify", file)).code).toBe(0)
  })

  test("is neither restarted without --force nor resumed with other filters", async () => {
    const file = join(folder, "other.ndjson")
    const latency = { from: Duration.millis(100), to: Duration.millis(200) }
    await using slow = await startFakeServer({ transfers: count, seed: 11, latency })
    const child = start(["export", "--out", file, "--status", "complete"], { env: demo(slow.url) })
    await Waiting.until(async () => ((await stat(`${file}.spool`).catch(() => undefined))?.size ?? 0) > 0)
    child.kill("SIGKILL")
    await new Promise((resolve) => child.on("close", resolve))
    const transfers = (...args: ReadonlyArray<string>) => run(args, { env: demo(slow.url) })
    const again = await transfers("export", "--out", file, "--status", "complete")
    expect(again).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--resume continues it, --force starts again"),
    })
    const other = await transfers("export", "--out", file, "--resume")
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('{"status":["complete"]}, not {}') })
    for (const elsewhere of [demo(fake.url), { ...demo(slow.url), TRANSFERS_PARTNER_ID: "other" }]) {
      const resumed = await run(["export", "--out", file, "--resume", "--status", "complete"], { env: elsewhere })
      expect(resumed).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(
          /belongs to an export of demo at http:.*, not of (demo|other) at http:.*Resume it there, or start again with --force/,
        ),
      })
    }
    const asMany = await transfers("export", "--out", file, "--resume", "--status", "executing")
    expect(asMany).toMatchObject({ code: 2, stderr: expect.stringContaining('not {"status":["executing"]}') })
    expect(await transfers("export", "--out", file, "--resume", "--status", "complete")).toMatchObject({ code: 0 })
    expect(await readdir(folder)).not.toContain("other.ndjson.spool")
  })
})

test("resuming a complete export does nothing and succeeds", async () => {
  const file = join(folder, "whole.ndjson")
  expect(await transfers("export", "--out", file, "--resume")).toMatchObject({
    code: 0,
    stderr: `${file}: nothing to resume: it is complete\n`,
  })
})

test.each([196, 197, 236, 250, 255])(
  "a name of %i bytes is rejected before a request, or all is written",
  async (bytes) => {
    const within = await mkdtemp(join(folder, "names-"))
    const file = join(within, `${"x".repeat(bytes - 4)}.csv`)
    const before = fake.requests.length
    const { code, stderr } = await transfers("export", "--out", file, "--create-table")
    if (bytes > 196) {
      expect(stderr).toContain(`the name has ${bytes} bytes, and the longest of --out in this folder has 196`)
      expect([code, fake.requests.length, await readdir(within)]).toEqual([2, before, []])
    } else {
      expect({ code, stderr }).toMatchObject({ code: 0 })
      expect(await readdir(within)).toHaveLength(3)
    }
  },
)

test("a file that was cut or changed is not complete, whatever is beside it", async () => {
  const file = join(folder, "changed.ndjson")
  expect(await transfers("export", "--out", file)).toMatchObject({ code: 0 })
  const text = await readFile(file, "utf8")
  const last = text.length - 1
  for (const [changed, words] of [
    [text.slice(0, text.length / 2), /has \d+ bytes, not the \d+ of its manifest/],
    ["", /has 0 bytes, not the \d+ of its manifest/],
    [`${text.slice(0, last)} `, /has another SHA-256 than its manifest/],
  ] as const) {
    await writeFile(file, changed)
    const { code, stdout, stderr } = await transfers("export", "--out", file, "--resume", "--output", "json")
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toMatch(words)
    expect(stderr).toContain("it was changed since it was exported. Export it again with --force")
  }
  await writeFile(file, text)
  expect(await transfers("export", "--out", file, "--resume")).toMatchObject({ code: 0 })
})

test("a finished file is not taken for another export: of other times, values, columns, format or another partner", async () => {
  const file = join(folder, "september.csv")
  const september = ["--since", "2024-09", "--until", "2024-09"]
  expect(await transfers("export", "--out", file, ...september)).toMatchObject({ code: 0 })
  const resumed = (...args: ReadonlyArray<string>) => transfers("export", "--out", file, "--resume", ...args)
  expect(await resumed(...september)).toMatchObject({ code: 0 })
  // The same instants in other words are the same export.
  const same = ["--created-at", "gte:2024-09-01T02:00:00+02:00", "--created-at", "lt:2024-10-01T00:00:00Z"]
  expect(await resumed(...same)).toMatchObject({ code: 0 })
  for (const [args, words] of [
    [["--since", "2024-10", "--until", "2024-10"], "it is of September 2024, not of October 2024"],
    [["--since", "2024-09"], "it is of September 2024, not of since 2024-09-01"],
    [[...september, "--format", "ndjson"], "it is csv, not ndjson"],
    [[...september, "--columns", "id,status"], "it is a file with the columns all, not id,status"],
    [[...september, "--csv-raw"], "it is CSV with escaped cells"],
    [[...september, "--csv-dialect", "excel-de"], "it is CSV of the dialect rfc4180, not excel-de"],
    [[...september, "--status", "complete"], 'it is one with {}, not {"status":["complete"]}'],
    [[...september, "--sandbox"], "not of the sandbox"],
  ] as const) {
    const { code, stderr } = await resumed(...args)
    expect([code, stderr]).toEqual([2, expect.stringContaining("is complete, and another export: ")])
    expect(stderr).toContain(words)
    expect(stderr).toContain("Name another file, or replace it with --force")
  }
})

test.each([
  ["oldest-first", "1"],
  ["shuffled", "5"],
] as const)(
  "the same transfers give the same bytes, from a service that sorts %s, %s pages at once",
  async (order, concurrency) => {
    const other = await startFakeServer({ transfers: count, seed: 11, order })
    const file = join(folder, `${order}.ndjson`)
    const { code } = await run(["export", "--out", file, "--concurrency", concurrency], { env: demo(other.url) })
    await other.close()
    expect(code).toBe(0)
    expect((await readFile(file)).equals(whole)).toBe(true)
  },
)

test("the manifest has the filters and the content of the file", async () => {
  const file = join(folder, "august.csv")
  await transfers("export", "--since", "2024-08", "--until", "2024-08", "--status", "complete", "--out", file)
  const bytes = await readFile(file)
  const manifest = JSON.parse(await readFile(`${file}.manifest.json`, "utf8"))
  expect(manifest).toMatchObject({
    transfers_export: 2,
    file: "august.csv",
    format: "csv",
    filters: { since: ["2024-08"], until: ["2024-08"], status: ["complete"] },
    created_at: ["gte:2024-08-01T00:00:00Z", "lt:2024-09-01T00:00:00Z"],
    transfers: bytes.toString("utf8").trimEnd().split("\n").length - 1,
    bytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  })
  expect(manifest.transfers).toBeGreaterThan(count / 60)
})
