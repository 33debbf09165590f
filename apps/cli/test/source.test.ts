/** What a source lacks is refused, or answered with a note: by every command that reads transfers. */
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"

let fake: RunningFakeServer
let folder: string
let full: string
let half: string
let september: string
let complete: string
let ledger: string

beforeAll(async () => {
  fake = await startFakeServer({ transfers: 600, seed: 3 })
  folder = await mkdtemp(join(tmpdir(), "transfers-source-"))
  ;[full, half] = [join(folder, "full.db"), join(folder, "half.db")]
  ;[september, complete] = [join(folder, "sep.csv"), join(folder, "complete.ndjson")]
  for (const to of [full, half]) expect(await transfers("sync", "--to", to)).toMatchObject({ code: 0 })
  interrupt(half)
  expect(await transfers("export", ...in9, "--out", september)).toMatchObject({ code: 0 })
  expect(await transfers("export", "--status", "complete", "--out", complete)).toMatchObject({ code: 0 })
  ledger = join(folder, "ledger.csv")
  await writeFile(ledger, "external_id,amount,currency\nno-such-order,1.00,USD\n")
}, 120_000)

afterAll(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

const in3 = ["--since", "2024-03", "--until", "2024-03"]
const in9 = ["--since", "2024-09", "--until", "2024-09"]
const in10 = ["--since", "2024-10", "--until", "2024-10"]
const transfers = (...args: ReadonlyArray<string>) => run(args, { env: demo(fake.url) })
const ledgerFlags = ["--ledger-currency", "fiat/USD", "--key", "external_id", "--amount", "source_total"]

/** The mirror of a first load that was killed before it had read March 2024. */
const interrupt = (file: string) => {
  const db = new DatabaseSync(file)
  const [march, april] = ["2024-03-01T00:00:00Z", "2024-04-01T00:00:00Z"]
  const position = {
    started_at: new Date().toISOString(),
    until: "2099-01-01T00:00:00Z",
    checkpoint: {
      version: 2,
      query: "CreatedAt(lt:2099-01-01T00:00:00Z)",
      transfers: 1,
      remaining: [{ gte: march, lt: april }],
    },
  }
  db.exec("DELETE FROM sync_runs; DELETE FROM sync_state WHERE name IN ('watermark', 'backfill')")
  const insert = db.prepare("INSERT INTO sync_state (partner_id, name, value) VALUES ('demo', 'backfill', ?)")
  insert.run(JSON.stringify(position))
  db.exec("DELETE FROM mirrored_transfers WHERE created_at >= '2024-03' AND created_at < '2024-04'")
  db.close()
}

const json = ({ stdout }: { readonly stdout: string }) => JSON.parse(stdout)
const count = async (...args: ReadonlyArray<string>) =>
  json(await transfers("summary", ...args, "--output", "json")).transfers

describe("a mirror whose first load is not complete", () => {
  const lacks =
    /the mirror sqlite:\S+half.db lacks what was created March 2024. Run transfers sync, or give --allow-incomplete/

  test.each<[string, ReadonlyArray<string>]>([
    ["summary", ["summary"]],
    ["summary of a month that was not read", ["summary", ...in3]],
    ["audit", ["audit"]],
    ["search", ["search", "--all"]],
    ["query", ["query", "SELECT COUNT(*) FROM transfers"]],
    ["show", ["show", "no-such-order"]],
  ])("refuses %s", async (_, args) => {
    const refused = await transfers(...args, "--from", half)
    expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(lacks) })
    const structured = await transfers(...args, "--from", half, "--output", "json")
    expect(JSON.parse(structured.stderr).error).toMatchObject({ code: "NotCovered", exit_code: 2 })
  })

  test("refuses an export, a report, a reconciliation and a comparison, and writes nothing", async () => {
    const out = join(folder, "refused.csv")
    const page = join(folder, "refused.html")
    for (const args of [
      ["export", "--from", half, "--out", out],
      ["report", "--month", "2024-03", "--from", half, "--html", page],
      ["reconcile", ledger, ...ledgerFlags, "--from", half],
      ["diff", half, full],
    ]) {
      expect(await transfers(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(lacks) })
    }
    await expect(readFile(out)).rejects.toThrow()
    await expect(readFile(page)).rejects.toThrow()
  })

  test("answers for what it has read, as the service does", async () => {
    expect(await count(...in9, "--from", half)).toBe(await count(...in9))
    expect(await transfers("show", "no-such-order", "--from", full)).toMatchObject({ code: 1 })
    const [found] = (await transfers("search", "--from", full, "--limit", "1", ...in9)).stdout.split("\n")
    expect(await transfers("show", JSON.parse(found ?? "").id, "--from", half)).toMatchObject({ code: 0 })
  })

  test("answers all the same if it is told to, and says what is missing in every output", async () => {
    const args = ["summary", "--from", half, "--allow-incomplete"]
    expect(await transfers(...args, "--output", "table", "--quiet")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("lacks what was created March 2024. Run transfers sync."),
    })
    expect(await transfers(...args, "--output", "csv")).toMatchObject({ stderr: expect.stringContaining("March 2024") })
    expect(json(await transfers(...args, "--output", "json")).source).toMatchObject({
      origin: { base_url: fake.url, partner_id: "demo" },
      missing: [["gte:2024-03-01T00:00:00Z", "lt:2024-04-01T00:00:00Z"]],
      narrowed: {},
      version: expect.any(String),
    })
  })

  test("gives an export that lacks the same", async () => {
    const out = join(folder, "part.csv")
    expect(await transfers("export", "--from", half, "--allow-incomplete", "--out", out)).toMatchObject({ code: 0 })
    expect(await transfers("summary", ...in3, "--from", out)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("lacks what was created March 2024. Export it again"),
    })
    expect(await count(...in9, "--from", out)).toBe(await count(...in9))
  })
})

describe("a file with a manifest", () => {
  test("answers for its period, named or not, and refuses another", async () => {
    expect(await count("--from", september)).toBe(await count(...in9))
    expect(await count(...in9, "--from", september)).toBe(await count(...in9))
    for (const args of [
      ["summary", ...in10],
      ["summary", "--since", "2024-09"],
      ["audit", "--capabilities", ledger, ...in10],
      ["reconcile", ledger, ...ledgerFlags, ...in10],
    ]) {
      expect(await transfers(...args, "--from", september)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/the file \S+sep.csv lacks what was created .*Export it again/),
      })
    }
  })

  test("of one status refuses others, and says so if none is named", async () => {
    expect(await transfers("summary", "--status", "declined", "--from", complete)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("lacks any status but complete."),
    })
    expect(await transfers("summary", "--status", "complete", "--from", complete)).toMatchObject({ code: 0 })
    expect(await transfers("summary", "--from", complete, "--output", "table")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("holds only status complete"),
    })
    expect(json(await transfers("summary", "--from", complete, "--output", "json")).source.narrowed).toEqual({
      status: ["complete"],
    })
  })

  test("that was changed since is rejected before it is totalled", async () => {
    const [file, copy] = [join(folder, "copy.csv"), `${join(folder, "copy.csv")}.manifest.json`]
    await writeFile(file, `${await readFile(september, "utf8")}x`)
    await writeFile(copy, await readFile(`${september}.manifest.json`))
    expect(await transfers("summary", "--from", file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("it was changed since it was exported"),
    })
  })

  test("without its manifest is answered, and nothing is claimed of it", async () => {
    const file = join(folder, "unknown.csv")
    await writeFile(file, await readFile(september))
    const answered = await transfers("summary", ...in10, "--from", file, "--output", "table")
    expect(answered).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("does not say what it holds: it has no manifest"),
    })
    expect(json(await transfers("summary", "--from", file, "--output", "json")).source).toMatchObject({
      origin: null,
      as_of: null,
    })
    const out = join(folder, "derived.csv")
    expect(await transfers("export", "--from", file, "--out", out)).toMatchObject({ code: 0 })
    const manifest = JSON.parse(await readFile(`${out}.manifest.json`, "utf8"))
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(["origin"]))
    expect([manifest.as_of, manifest.created_at]).toEqual([undefined, undefined])
  })
})

describe("what is derived of a mirror", () => {
  test("is as of the mirror's last complete pass, and of the same origin", async () => {
    const out = join(folder, "from-mirror.csv")
    const { as_of } = json(await transfers("summary", "--from", full, "--output", "json")).source
    expect(await transfers("export", "--from", full, "--out", out)).toMatchObject({ code: 0 })
    const manifest = JSON.parse(await readFile(`${out}.manifest.json`, "utf8"))
    expect(manifest).toMatchObject({
      as_of,
      created_at: [`lte:${as_of}`],
      origin: { base_url: fake.url, partner_id: "demo" },
    })
    expect(manifest.started_at > as_of).toBe(true)
  })

  test("a period that is not over is answered to date, and yesterday is not", async () => {
    const stale = join(folder, "stale.db")
    expect(await transfers("sync", "--to", stale)).toMatchObject({ code: 0 })
    const db = new DatabaseSync(stale)
    const before = new Date(Date.now() - 3 * 86_400_000).toISOString()
    db.exec(`UPDATE sync_runs SET started_at = '${before}', ended_at = '${before}'`)
    db.close()
    expect(await transfers("summary", "--since", "2024", "--from", stale, "--output", "table")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("is complete up to"),
    })
    expect(await transfers("summary", "--since", "yesterday", "--until", "yesterday", "--from", stale)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Run transfers sync"),
    })
  })
})

describe("--as-of", () => {
  test("before the first pass had ended is refused, and so is the future", async () => {
    expect(await transfers("summary", "--from", full, "--as-of", "2024-06-01")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("lacks what was created up to 2024-06-01"),
    })
    expect(await transfers("summary", "--from", full, "--as-of", "2999-01-01")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--as-of 2999-01-01 is in the future."),
    })
    expect(await transfers("summary", "--from", half, "--as-of", "today")).toMatchObject({ code: 2 })
  })
})

describe("reconcile", () => {
  const why = async (...args: ReadonlyArray<string>) =>
    json(await transfers("reconcile", ledger, ...ledgerFlags, ...args, "--output", "json")).outcomes.map(
      (line: { readonly why: string }) => line.why,
    )

  test("says that the service has none only if it was asked: of what was read it says where it looked", async () => {
    const none = "the service has no such transfer"
    expect(await why()).toContainEqual(none)
    for (const args of [
      ["--from", full],
      ["--from", september],
      ["--from", half, "--allow-incomplete"],
    ]) {
      expect(await why(...args)).not.toContainEqual(none)
    }
  })
})

test("another service with the same partner id is kept out of a mirror", async () => {
  await using other = await startFakeServer({ transfers: 50, seed: 4 })
  const refused = await run(["sync", "--to", full], { env: demo(other.url) })
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`it has the transfers of demo at ${fake.url}, not at`),
  })
  expect(await count("--from", full)).toBe(await count())
})

test("verify finds a manifest that was changed: its filters, its partner's place, its file name", async () => {
  const [file, path] = [join(folder, "verified.ndjson"), `${join(folder, "verified.ndjson")}.manifest.json`]
  expect(await transfers("export", ...in9, "--out", file)).toMatchObject({ code: 0 })
  const manifest = JSON.parse(await readFile(path, "utf8"))
  const failed = async (changes: object) => {
    await writeFile(path, JSON.stringify({ ...manifest, ...changes }))
    const checked = await transfers("verify", file, "--output", "json")
    return [
      checked.code,
      checked.code === 2
        ? []
        : json(checked).checks.flatMap((one: { ok: boolean; check: string }) => (one.ok ? [] : [one.check])),
    ]
  }
  expect(await failed({})).toEqual([0, []])
  expect(await failed({ only: { status: ["complete"] } })).toEqual([1, ["outside the filters"]])
  expect(await failed({ created_at: ["lt:2024-09-02T00:00:00Z"] })).toEqual([1, ["outside the time range"]])
  expect(await failed({ created_at: ["bogus"] })).toEqual([2, []])
  await writeFile(path, JSON.stringify(manifest))
  const renamed = join(folder, "renamed.ndjson")
  await rename(file, renamed)
  await rename(path, `${renamed}.manifest.json`)
  expect(await transfers("verify", renamed, "--output", "json")).toMatchObject({ code: 1 })
})
