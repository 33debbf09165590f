/** Sources beyond the table of `SourceTable.ts`: their counts, files that were changed, and what is derived of them. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import * as ExportManifest from "@transferkit/files/exports/ExportManifest"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"
import * as Fixture from "./SourceFixture.ts"

const { september: in9, march: in3 } = Fixture
const ledgerFlags = ["--ledger-currency", "fiat/USD", "--key", "external_id", "--amount", "source_total"]

const mirrors = await mkdtemp(join(tmpdir(), "transfers-source-"))
let fixture: Fixture.Fixture
let made = 0

beforeAll(async () => {
  fixture = await Fixture.make({ name: "SQLite", address: async () => `sqlite:${join(mirrors, `${++made}.db`)}` })
}, 120_000)
afterAll(async () => {
  await fixture.close()
  await rm(mirrors, { recursive: true })
})

const transfers = (...args: ReadonlyArray<string>) => fixture.transfers(...args)
const at = (name: string) => join(fixture.folder, name)
const json = ({ stdout }: { readonly stdout: string }) => JSON.parse(stdout)
const count = async (...args: ReadonlyArray<string>) =>
  json(await transfers("summary", ...args, "--output", "json")).transfers

test("show asks for all time: a key that a file of September lacks may be that of another month", async () => {
  const { september } = fixture.sources
  expect(await transfers("show", "no-such-order", "--from", september)).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/lacks what was created up to 2024-09-01 .* and 2024-10-01 .*--allow-incomplete/),
  })
  const [found = ""] = (await transfers("search", "--limit", "1", "--from", september)).stdout.split("\n")
  const { id, external_id } = JSON.parse(found)
  expect(await transfers("show", external_id, "--from", september, "--output", "table")).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("lacks what was created up to 2024-09-01"),
  })
  expect(await transfers("show", id, "--from", september, "--output", "table")).toMatchObject({ code: 0, stderr: "" })
})

test("search says what a file of September lacks of a key, unless it is asked for September", async () => {
  const { september } = fixture.sources
  const search = (...args: ReadonlyArray<string>) => transfers("search", ...args, "--from", september)
  for (const key of [["no-such-order"], ["--external-id", "no-such-order", "--all"]]) {
    const { code, stdout, stderr } = await search(...key)
    expect([code, stdout]).toEqual([0, ""])
    expect(stderr).toContain("lacks what was created up to 2024-09-01")
  }
  const within = await search("no-such-order", "--since", "2024-09", "--until", "2024-09")
  expect(within).toMatchObject({ code: 0, stdout: "", stderr: "" })
})

describe("a mirror whose first load is not complete", () => {
  const lacks =
    /the mirror sqlite:\S+ lacks what was created March 2024. Run transfers sync, or give --allow-incomplete/

  test("refuses an export, a report, a reconciliation and a comparison, and writes nothing", async () => {
    const { loading, mirror } = fixture.sources
    const before = await readdir(fixture.folder)
    for (const args of [
      ["export", "--from", loading, "--out", at("refused.csv")],
      ["report", "--month", "2024-03", "--from", loading, "--html", at("refused.html")],
      ["reconcile", fixture.ledger, ...ledgerFlags, "--from", loading, "--html", at("refused.html")],
      ["diff", loading, mirror],
    ]) {
      expect(await transfers(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(lacks) })
    }
    expect(await readdir(fixture.folder)).toEqual(before)
  })

  test("answers for what it has read, as the service does", async () => {
    const { loading } = fixture.sources
    expect(await count(...in9, "--from", loading)).toBe(await count(...in9))
    const [found] = (await transfers("search", "--limit", "1", ...in9)).stdout.split("\n")
    expect(await transfers("show", JSON.parse(found ?? "").id, "--from", loading)).toMatchObject({ code: 0 })
  })

  test("answers with --allow-incomplete, and names what is missing in every output, --quiet or not", async () => {
    const args = ["summary", "--from", fixture.sources.loading, "--allow-incomplete"]
    expect(await transfers(...args, "--output", "table", "--quiet")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("lacks what was created March 2024. Run transfers sync."),
    })
    expect(await transfers(...args, "--output", "csv")).toMatchObject({ stderr: expect.stringContaining("March 2024") })
    expect(json(await transfers(...args, "--output", "json")).source).toMatchObject({
      missing: [["gte:2024-03-01T00:00:00Z", "lt:2024-04-01T00:00:00Z"]],
      version: expect.any(String),
    })
  })

  test("gives an export that lacks the same", async () => {
    const out = at("part.csv")
    const args = ["export", "--from", fixture.sources.loading, "--allow-incomplete", "--out", out]
    expect(await transfers(...args)).toMatchObject({ code: 0 })
    expect(await transfers("summary", ...in3, "--from", out)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("lacks what was created March 2024. Export it again"),
    })
    expect(await count(...in9, "--from", out)).toBe(await count(...in9))
  })
})

describe("--stuck without a period", () => {
  const before = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

  test("is refused by a source that lacks transfers of that age, in every command that asks", async () => {
    const { mirror, stale, september } = fixture.sources
    const old = at("stuck.csv")
    expect(await transfers("export", "--stuck", "200d", "--out", old)).toMatchObject({ code: 0 })
    for (const [from, age] of [
      [old, "1d"],
      [september, "1d"],
      [stale, "1d"],
      [mirror, "0s"],
    ] as const) {
      for (const args of [["search", "--all"], ["summary"], ["export", "--out", at("refused.csv")]]) {
        const { code, stdout, stderr } = await transfers(...args, "--from", from, "--stuck", age)
        expect({ code, stdout, stderr }).toEqual({
          code: 2,
          stdout: "",
          stderr: expect.stringMatching(
            /lacks what was created .+ (Run transfers sync|Export it again|was stuck then), or give/,
          ),
        })
      }
    }
    expect(await count("--from", old, "--stuck", "201d")).toBe(await count("--stuck", "201d"))
  })

  test("is answered by a source that is younger, from where the source begins", async () => {
    const { mirror, stale } = fixture.sources
    const recent = at("recent.csv")
    expect(await transfers("export", "--since", "2024-09", "--out", recent)).toMatchObject({ code: 0 })
    expect(await count("--from", mirror, "--stuck", "24h")).toBe(await count("--stuck", "24h"))
    expect(await count("--from", stale, "--stuck", "7d")).toBe(await count("--stuck", "7d"))
    expect(await count("--from", recent, "--stuck", "24h")).toBe(await count("--since", "2024-09", "--stuck", "24h"))
  })

  test("is answered with a note by a file that does not say what it holds", async () => {
    const { stderr } = await transfers("summary", "--from", fixture.sources.unknown, "--stuck", "1d", "-o", "table")
    expect(stderr).toContain("does not say what it holds")
  })

  test("is answered for the period that is named with it, and names what is missing with --allow-incomplete", async () => {
    const { stale, september } = fixture.sources
    expect(await count("--from", september, ...in9, "--stuck", "1d")).toBe(await count(...in9, "--stuck", "1d"))
    const part = await transfers("summary", "--from", stale, "--stuck", "1d", "--allow-incomplete", "--output", "json")
    const [[from] = []] = json(part).source.missing
    expect(from).toMatch(new RegExp(`^gt:${before(3)}`))
  })
})

describe("a file with a manifest", () => {
  test("answers for its period, named or not, as the service does", async () => {
    const { september } = fixture.sources
    expect(await count("--from", september)).toBe(await count(...in9))
    expect(await count(...in9, "--from", september)).toBe(await count(...in9))
  })

  test("that was changed since is rejected before it is totalled", async () => {
    const { september } = fixture.sources
    const [file, copy] = [at("copy.csv"), `${at("copy.csv")}.manifest.json`]
    await writeFile(file, `${await readFile(september, "utf8")}x`)
    await writeFile(copy, await readFile(`${september}.manifest.json`))
    expect(await transfers("summary", "--from", file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("it was changed since it was exported"),
    })
  })

  test("that is out of order, has a transfer twice or lacks one, fails while it is read", async () => {
    const file = at("order.ndjson")
    expect(await transfers("export", ...in9, "--out", file)).toMatchObject({ code: 0 })
    const lines = (await readFile(file, "utf8")).trimEnd().split("\n")
    const manifest = JSON.parse(await readFile(`${file}.manifest.json`, "utf8"))
    const [one = "", other = "", ...rest] = lines
    for (const [changed, reason] of [
      [[other, one, ...rest], "is out of order, and it has a manifest"],
      [[one, one, ...rest], "is in it more than once, and it has a manifest"],
      [[one, ...rest], `it has ${rest.length + 1} transfers, and its manifest says ${lines.length}`],
    ] as const) {
      const text = `${changed.join("\n")}\n`
      await writeFile(file, text)
      const { digest: _, ...statements } = { ...manifest, bytes: Buffer.byteLength(text) }
      await writeFile(`${file}.manifest.json`, JSON.stringify(ExportManifest.seal(statements)))
      for (const args of [["summary"], ["reconcile", fixture.ledger, ...ledgerFlags], ["search", "--all"]]) {
        const failed = await transfers(...args, "--from", file)
        expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) })
      }
    }
  })
})

test("an export of a mirror is as of the mirror's last complete pass", async () => {
  const out = at("from-mirror.csv")
  const { mirror } = fixture.sources
  const { as_of } = json(await transfers("summary", "--from", mirror, "--output", "json")).source
  expect(await transfers("export", "--from", mirror, "--out", out)).toMatchObject({ code: 0 })
  const manifest = JSON.parse(await readFile(`${out}.manifest.json`, "utf8"))
  expect(manifest).toMatchObject({ as_of, created_at: [expect.stringMatching(/^lte:/)] })
  // Written without trailing zeros.
  expect(Date.parse(manifest.created_at[0].slice("lte:".length))).toBe(Date.parse(as_of))
  expect(Date.parse(manifest.started_at)).toBeGreaterThanOrEqual(Date.parse(as_of))
})

describe("reconcile", () => {
  const why = async (...args: ReadonlyArray<string>) =>
    json(await transfers("reconcile", fixture.ledger, ...ledgerFlags, ...args, "--output", "json")).outcomes.map(
      (line: { readonly why: string }) => line.why,
    )

  test("says that the service has none only if it was asked: of what was read it says where it looked", async () => {
    const none = "the service has no such transfer"
    expect(await why()).toContainEqual(none)
    const { mirror, september, loading } = fixture.sources
    for (const args of [
      ["--from", mirror],
      ["--from", september],
      ["--from", loading, "--allow-incomplete"],
    ]) {
      expect(await why(...args)).not.toContainEqual(none)
    }
  })
})

describe("a ledger", () => {
  const year = ["--since", "2024", "--until", "2024"]
  test("has no entry that the service is said to lack though it has it, declined or open, filtered out or not", async () => {
    const all = (await transfers("search", "--all", ...year, "--output", "ndjson")).stdout.trimEnd().split("\n")
    const others = all.map((line) => JSON.parse(line)).filter(({ status }) => status !== "complete")
    expect(others.length).toBeGreaterThan(10)
    const { mirror, september } = fixture.sources
    const booked = at("booked.csv")
    for (const [period, from] of [
      [year, []],
      [year, ["--from", mirror]],
      [in9, ["--from", september]],
    ] as const) {
      const own = others.filter(({ created_at }) => period === year || created_at.startsWith("2024-09"))
      const keys = new Set(own.map(({ external_id }) => external_id))
      await writeFile(booked, `external_id,amount,currency\n${[...keys].map((key) => `${key},1.00,USD\n`).join("")}`)
      const { stdout } = await transfers(
        "reconcile",
        booked,
        ...ledgerFlags,
        "--status",
        "complete",
        ...period,
        ...from,
      )
      const outcomes: ReadonlyArray<{ readonly outcome: string; readonly key: string }> = JSON.parse(stdout).outcomes
      const ofOthers = outcomes.filter(({ key }) => keys.has(key))
      expect(ofOthers.length).toBeGreaterThanOrEqual(keys.size)
      expect(ofOthers.map(({ outcome }) => outcome)).not.toContain("NotAtService")
      const page = at("booked.html")
      await transfers("report", ...period, "--ledger", booked, ...ledgerFlags, ...from, "--html", page)
      expect(await readFile(page, "utf8")).not.toMatch(/no such transfer|not in the (?:file|mirror)/)
    }
  })
})

describe("diff", () => {
  test("says nothing of what a side does not hold, and carries both sources", async () => {
    const { september, complete, mirror } = fixture.sources
    const { same, not_compared, differences, source } = json(
      await transfers("diff", september, mirror, "--output", "json"),
    )
    expect([same, differences]).toEqual([await count(...in9), []])
    expect(not_compared).toBe((await count()) - same)
    const origin = { base_url: fixture.fake.url, partner_id: "demo" }
    expect(source).toMatchObject({ older: { origin, as_of: expect.any(String) }, newer: { origin, missing: [] } })
    const shown = await transfers("diff", complete, mirror, "--output", "table")
    expect(shown).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/0 transfers added, removed or changed; \d+ unchanged; \d+ not compared/),
    })
  })

  test("says that two sides are of different origins", async () => {
    await using other = await startFakeServer({ transfers: 300, seed: 3 })
    const compared = await run(["diff", fixture.sources.mirror, "--output", "table"], { env: demo(other.url) })
    expect(compared.stderr).toContain(`different origins: demo at ${fixture.fake.url}, and demo at ${other.url}`)
  })
})

test("a finished export of yesterday is another one the next day", async () => {
  const out = at("yesterday.ndjson")
  const args = ["export", "--since", "yesterday", "--until", "yesterday", "--out", out]
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2024-09-11T09:00:00Z") })
  try {
    expect(await transfers(...args)).toMatchObject({ code: 0 })
    vi.setSystemTime(Date.parse("2024-09-11T23:00:00Z"))
    expect(await transfers(...args, "--resume")).toMatchObject({ stderr: expect.stringContaining("nothing to resume") })
    vi.setSystemTime(Date.parse("2024-09-12T00:00:00Z"))
    const refused = await transfers(...args, "--resume")
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("is complete, and another export") })
  } finally {
    vi.useRealTimers()
  }
})
