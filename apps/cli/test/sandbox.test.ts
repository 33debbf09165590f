/** The made-up transfers of `--sandbox` end today, unless `--now` says otherwise. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as BundleFiles from "./BundleFiles.ts"
import * as Cli from "./Cli.ts"
import { run } from "./InProcess.ts"
import { call, converse } from "./Mcp.ts"

const fixed = ["--sandbox", "--now", "2025-01-01"]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-sandbox-"))
})
afterAll(() => rm(folder, { recursive: true }))

const count = async (...args: ReadonlyArray<string>): Promise<number> => {
  const { code, stdout, stderr } = await run(["search", ...args, "--all", "--output", "json"])
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  return JSON.parse(stdout).results.length
}

/** The month before the current one. */
const closedMonth = (): string => {
  const month = new Date()
  month.setUTCDate(0)
  return month.toISOString().slice(0, 7)
}

test("yesterday, the month just closed, and what is stuck have rows; today has none", async () => {
  const month = closedMonth()
  expect(await count("--sandbox", "--since", "yesterday", "--until", "yesterday")).toBeGreaterThan(0)
  expect(await count("--sandbox", "--since", month, "--until", month)).toBeGreaterThan(100)
  expect(await count("--sandbox", "--stuck", "24h")).toBeGreaterThan(10)
  expect(await count("--sandbox", "--since", "today")).toBe(0)
  expect(await count("--sandbox")).toBe(5000)
})

test("a language model finds stuck transfers and those of yesterday", async () => {
  const { client } = await converse(["--sandbox"], { env: {} })
  const stuck = await call(client, "stuck_transfers", { older_than: "24h" })
  expect(stuck.answer.data.transfers.length).toBeGreaterThan(0)
  const found = await call(client, "search_transfers", { since: "yesterday" })
  expect(found.answer.data.transfers.length).toBeGreaterThan(0)
  await client.close()
})

test("--now is the end: 366 days before it, and the same bytes each time", async () => {
  const read = () => run(["search", ...fixed, "--all", "--output", "ndjson"])
  const [one, two] = [await read(), await read()]
  expect(two).toEqual(one)
  const times = one.stdout
    .trimEnd()
    .split("\n")
    .map((line): string => JSON.parse(line).created_at)
  expect([times.at(-1)?.slice(0, 7), times[0]?.slice(0, 10)]).toEqual(["2024-01", "2024-12-31"])
  const later = await run(["search", "--sandbox", "--now", "2025-06-01T12:00:00Z", "--output", "ndjson"])
  expect(JSON.parse(later.stdout.split("\n")[0] ?? "").created_at).toMatch(/^2025-0(5-31|6-01)/)
})

test("what is repeated reads the same transfers: a close, a report, the workers of a sync", async () => {
  const [ledger, bundle, page, mirror] = ["l.csv", "close.zip", "report.html", "t.db"].map((name) => join(folder, name))
  await writeFile(`${ledger}`, "external_id,amount,currency,date\norder-nowhere,1.00,USD,2024-09-15\n")
  const september = ["--month", "2024-09", "--ledger", `${ledger}`]
  expect((await run(["close", ...fixed, ...september, "--out", `${bundle}`])).code).toBe(1)
  const { "close.json": manifest = "" } = await BundleFiles.read(`${bundle}`)
  expect(JSON.parse(manifest).command.join(" ")).toContain("--now 2025-01-01")
  await run(["report", ...fixed, ...september, "--html", `${page}`])
  const shown = (await readFile(`${page}`, "utf8")).replaceAll(/<[^>]*>/g, "")
  expect(shown).toMatch(/transfers export .*--sandbox --now 2025-01-01/)
  expect(await Cli.run(["sync", ...fixed, "--to", `${mirror}`, "--workers", "2"])).toMatchObject({ code: 0 })
  const sql = "SELECT COUNT(*) AS n, MAX(created_day) AS last FROM transfers"
  const { stdout } = await run(["query", sql, "--from", `${mirror}`, "--output", "json"])
  expect(JSON.parse(stdout)).toEqual([{ n: 5000, last: "2024-12-31" }])
  const [later, asOf] = [join(folder, "later.zip"), new Date().toISOString()]
  expect((await run(["close", "--from", `${mirror}`, "--as-of", asOf, ...september, "--out", later])).code).toBe(1)
  const { "close.json": text = "" } = await BundleFiles.read(later)
  expect(JSON.parse(text).command.join(" ")).toContain(`--from ${mirror} --as-of ${asOf}`)
})

test.each([
  [
    ["search", "--sandbox", "--now", "soon"],
    '--now: expected an instant or a day of the years 1972 to 2199, such as 2025-01-01, found "soon".',
  ],
  [["search", "--sandbox", "--now", "1969-12-31"], 'found "1969-12-31"'],
  [["search", "--now", "2025-01-01"], "--now is for --sandbox: give both."],
  [["search", "--now", "2025-01-01", "--from", "t.db"], "--now is for --sandbox: give both."],
])("rejects %j", async (args, message) => {
  const { code, stdout, stderr } = await run(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
  expect(stderr).toContain(message)
})

test("answers about times after its end, as a service does about the future", async () => {
  const month = ["--since", "2025-02", "--until", "2025-02"]
  const { code, stdout } = await run(["summary", "--sandbox", "--now", "2025-01-01", ...month, "--output", "json"])
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, transfers: 0 })
})
