import { once } from "node:events"
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterEach, beforeEach, expect, test } from "vitest"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { demo, run as runProcess, start } from "./Cli.ts"
import * as Fake from "./Fake.ts"
import { run } from "./InProcess.ts"

let fake: RunningFakeServer
let folder: string
let mirror: string

beforeEach(async () => {
  fake = await startFakeServer({ transfers: 300, partners: ["demo:demo-secret", "wallet:wallet-secret"] })
  folder = await mkdtemp(join(tmpdir(), "transfers-sync-"))
  mirror = join(folder, "transfers.db")
})

afterEach(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

/** In a process if it has a command, which writes to the standard error of the process. */
const sync = (...args: ReadonlyArray<string>) =>
  (args.includes("--exec") ? runProcess : run)(["sync", "--to", mirror, ...args], { env: demo(fake.url) })

const query = async (sql: string, ...args: ReadonlyArray<string>): Promise<unknown> => {
  const { code, stdout, stderr } = await run(["query", "--from", mirror, sql, "--output", "json", ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  return JSON.parse(stdout)
}

const insert = (id: string, status = "executing", external_id = `order-${id}`) =>
  Fake.insert(fake.url, { id, external_id, status, created_at: new Date().toISOString() })

test("loads a mirror and says what it has; then finds nothing new", async () => {
  expect(await sync()).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringMatching(
      /^demo: loaded 300 transfers, in \d+ pages; \d+ open, complete up to 2024-12-\d\d .* ago\)\ndemo: 0 new, 0 changed, 0 vanished, in \d+ pages?; \d+ open, complete up to .*\n$/,
    ),
  })
  const { stdout } = await sync("--output", "json")
  expect(JSON.parse(stdout)).toMatchObject({
    mirror: `sqlite:${mirror}`,
    runs: [{ partner_id: "demo", kind: "pass", created: 0, changed: 0, vanished: 0 }],
  })
  expect(await query("SELECT COUNT(*) AS transfers FROM transfers")).toEqual([{ transfers: 300 }])
})

test("prints what it finds, once, and shows it in the history", async () => {
  await insert("tr_1")
  await sync()
  await insert("tr_2")
  await Fake.change(fake.url, "tr_1", { status: "complete" })
  const lines = (await sync("--output", "ndjson")).stdout.trim().split("\n")
  expect(
    lines.map((line) => JSON.parse(line)).toSorted((a, b) => (a.transfer.id < b.transfer.id ? -1 : 1)),
  ).toMatchObject([
    { event: "changed", previous_status: "executing", transfer: { id: "tr_1", status: "complete" } },
    { event: "created", transfer: { id: "tr_2", status: "executing" } },
  ])
  expect((await sync("--output", "ndjson")).stdout).toBe("")
  const shown = await run(["show", "order-tr_1", "--from", mirror, "--output", "json"])
  expect(JSON.parse(shown.stdout)).toMatchObject({
    transfer: { id: "tr_1", status: "complete" },
    changes: [{ event: "changed", changed: { status: { from: "executing", to: "complete" } } }],
  })
  const table = await run(["show", "tr_1", "--from", mirror, "--output", "table"])
  expect(table.stdout).toMatch(
    /^tr_1\nFIELD +VALUE\nid +tr_1\n[^]*\n\nHistory\n[^]* first seen[^]* changed +status: executing → complete/,
  )
})

test("--exec gets each change, and again if it fails", async () => {
  await sync()
  await insert("tr_7")
  const failed = await sync("--exec", "exit 3")
  expect(failed.stderr).toContain("The command exited with 3 for tr_7")
  const seen = join(folder, "seen.ndjson")
  await sync("--exec", `echo "$TRANSFER_EVENT $TRANSFER_ID $TRANSFER_STATUS" >> ${seen}; cat >> ${seen}`)
  const [variables, json = "{}"] = (await readFile(seen, "utf8")).split("\n")
  expect(variables).toBe("created tr_7 executing")
  expect(JSON.parse(json)).toMatchObject({ event: "created", transfer: { id: "tr_7" } })
  await sync("--exec", `cat >> ${seen}`)
  expect((await readFile(seen, "utf8")).trim().split("\n")).toHaveLength(2)
})

test("--exec: an event that fails holds up only its own transfer, is kept, and makes the exit code 1", async () => {
  await sync()
  for (const id of ["tr_1", "tr_2", "tr_3"]) await insert(id)
  const seen = join(folder, "seen")
  const log = `echo "$TRANSFER_EVENT $TRANSFER_ID" >> ${seen}`
  const lines = async () => (await readFile(seen, "utf8")).trim().split("\n")
  const poisoned = `test "$TRANSFER_ID $TRANSFER_STATUS" != "tr_2 executing" || exit 3; ${log}`
  expect(await sync("--exec", poisoned)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /The command exited with 3 for tr_2\.[^]*The command of --exec failed for 1 of 3 events\. The next run with the same --to retries\./,
    ),
  })
  expect((await lines()).toSorted()).toEqual(["created tr_1", "created tr_3"])
  await Fake.change(fake.url, "tr_2", { status: "complete" })
  await Fake.change(fake.url, "tr_3", { status: "complete" })
  expect(await sync("--exec", poisoned)).toMatchObject({ code: 1, stderr: expect.stringContaining("2 of 3 events") })
  expect((await lines()).slice(2)).toEqual(["changed tr_3"])
  expect(await sync("--exec", log)).toMatchObject({ code: 0 })
  expect((await lines()).slice(3)).toEqual(["created tr_2", "changed tr_2"])
  expect(await sync("--exec", "exit 3")).toMatchObject({ code: 0 })
})

test("--follow prints an event once, however often its command fails", async () => {
  await sync()
  await insert("tr_1")
  const seen = join(folder, "seen")
  const command = `echo run >> ${seen}; test $(wc -l < ${seen}) -ge 3`
  const args = ["sync", "--to", mirror, "--follow", "--interval", "1", "-o", "ndjson", "--exec", command]
  const child = start(args, { env: demo(fake.url) })
  let stdout = ""
  child.stdout.on("data", (data) => (stdout += data))
  await expect.poll(() => readFile(seen, "utf8")).toBe("run\nrun\nrun\n")
  child.kill("SIGINT")
  await once(child, "close")
  expect(stdout.trim().split("\n")).toHaveLength(1)
})

test("gives what was known at an instant", async () => {
  await insert("tr_1")
  await sync()
  const instant = new Date().toISOString()
  await new Promise((resolve) => setTimeout(resolve, 20))
  await Fake.change(fake.url, "tr_1", { status: "declined" })
  await sync()
  const sql = "SELECT status, is_open FROM transfers WHERE id = 'tr_1'"
  expect(await query(sql)).toEqual([{ status: "declined", is_open: 0 }])
  expect(await query(sql, "--as-of", instant)).toEqual([{ status: "executing", is_open: 1 }])
  const search = async (...args: ReadonlyArray<string>) =>
    JSON.parse((await run(["search", "--external-id", "order-tr_1", "--from", mirror, "-o", "json", ...args])).stdout)
  expect((await search()).results).toMatchObject([{ status: "declined" }])
  expect((await search("--as-of", instant)).results).toMatchObject([{ status: "executing" }])
  const before = await run(["search", "--external-id", "order-tr_1", "--from", mirror, "--as-of", "2024-01-01"])
  expect(before).toMatchObject({ code: 2, stderr: expect.stringContaining("lacks what was created up to 2024-01-01") })
  const shown = await run(["show", "tr_1", "--from", mirror, "--as-of", instant, "-o", "json"])
  expect(JSON.parse(shown.stdout)).toMatchObject({ transfer: { status: "executing" }, changes: [] })
})

/** Without the instants of the source, which are those of each reading. */
const withoutAge = (text: string): string => text.replaceAll(/"(?:as_of|created_at)":\s*(?:"[^"]*"|\[[^\]]*\]+)/g, "")

test("--from gives every command what the service gives", async () => {
  await sync()
  const env = demo(fake.url)
  const commands = [
    ["summary", "--by", "status,currency"],
    ["summary", "--by", "month,currency", "--since", "2024-02-03T04:05:06Z", "--status", "complete,declined"],
    ["summary", "--by", "day", "--currency", "fiat/USD"],
    ["audit"],
    ["search", "--all", "--output", "csv"],
    ["capabilities"],
    ["search", "--limit", "3", "--since", "2024-06", "-o", "ndjson"],
  ]
  await Promise.all(
    commands.map(async (command) => {
      const [there, here] = [await run(command, { env }), await run([...command, "--from", mirror])]
      expect(withoutAge(here.stdout), command.join(" ")).toBe(withoutAge(there.stdout))
      expect(here.code).toBe(there.code)
    }),
  )
  const [a, b] = [join(folder, "a.ndjson"), join(folder, "b.ndjson")]
  await run(["export", "--out", a], { env })
  await run(["export", "--out", b, "--from", mirror])
  expect((await run(["diff", a, b])).code).toBe(0)
})

test("--verify reports what had been missed, repairs it, and exits with code 1", async () => {
  await sync()
  await Fake.insert(fake.url, { id: "late", status: "complete", created_at: "2024-02-01T00:00:00Z" })
  expect(await sync("--verify")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /read 301 transfers again: 1 new, 0 changed, 0 vanished, 1 missed: late \(missing\), in \d+ pages/,
    ),
  })
  expect(await sync("--verify")).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("0 vanished, nothing missed, in "),
  })
})

test("--verify does not count what has changed since the last pass, and what is new is found, exit code 0", async () => {
  await insert("one")
  await sync()
  await Fake.change(fake.url, "one", { status: "complete", updated_at: new Date().toISOString() })
  const { code, stdout } = await sync("--verify", "--output", "json")
  expect({ code, runs: JSON.parse(stdout).runs }).toMatchObject({
    code: 0,
    runs: [
      { kind: "pass", changed: 1 },
      { kind: "verify", missed: [] },
    ],
  })
})

test("--status says how fresh the mirror is, as a number", async () => {
  await sync()
  const at = new Date(Date.now() - 60_000).toISOString()
  await Fake.insert(fake.url, { id: "late", status: "complete", created_at: at })
  await sync()
  const shown = await run(["sync", "--to", mirror, "--status", "--output", "table"])
  expect(shown).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^demo: complete until \S+Z; the latest of 1 appeared at least \d+ s after its\screation\. Each pass also reads the last 3,600 s again, for transfers that appear late\. 100 %\sre-verified within 30 days, the oldest part on\s\d{4}-\d\d-\d\d\.\n$/,
    ),
  })
  const { stdout } = await run(["sync", "--to", mirror, "--status"])
  expect(JSON.parse(stdout)).toMatchObject({
    partners: [{ partner_id: "demo", observed: 1, missed: 0, look_back: 3600, verified_share: 1, clock_behind_ms: 0 }],
    workers: [],
  })
  const csv = await run(["sync", "--to", mirror, "--status", "--output", "csv"])
  expect(csv.stdout).toMatch(/^partner_id,complete_until,observed,.*\ndemo,/)
  // An hour has room for it; half a minute has not.
  expect((await sync("--look-back", "30")).stderr).toMatch(/^demo: --look-back 30 is too short for this service: /)
  expect((await sync("--verify-budget", "0")).stderr).not.toContain("look-back")
})

test("a database that is away ends a sync with the code of a network that failed, and without its password", async () => {
  const { code, stderr } = await run(["sync", "--to", "postgres://u:top-secret@127.0.0.1:1/x"], { env: demo(fake.url) })
  expect(code).toBe(4)
  expect(stderr).toContain("postgres://u@127.0.0.1:1/x: ")
  expect(stderr).not.toContain("top-secret")
})

test("a service that returns nothing stops a sync with the code of a broken contract, unless that is allowed", async () => {
  expect(await sync()).toMatchObject({ code: 0 })
  await fake.close()
  fake = await startFakeServer({ transfers: 0, partners: ["demo:demo-secret"], port: Number(new URL(fake.url).port) })
  const { code, stderr } = await sync()
  const [, missing = ""] = /did not return (\d+) of \1 transfers/.exec(stderr) ?? []
  expect({ code, stderr }).toMatchObject({ code: 5, stderr: expect.stringContaining("Nothing was marked as vanished") })
  expect(stderr).toContain(`--allow-vanished ${missing}`)
  expect(await sync("--allow-vanished", String(Number(missing) - 1))).toMatchObject({ code: 5 })
  expect(await sync("--allow-vanished", missing)).toMatchObject({ code: 0 })
})

test("a transfer that has vanished is no counterpart of a row, whichever month that is of", async () => {
  const rows = ["2024-02-29T23:40:00Z", "2024-02-29T23:50:00Z", "2024-03-01T00:10:00Z"].map((created_at, index) => ({
    id: `tr_${index}`,
    external_id: `order-${index}`,
    kind: "cash_in",
    status: "complete",
    created_at,
    source_total: { amount: "1", currency_code: "fiat/EUR" },
  }))
  const port = Number(new URL(fake.url).port)
  await fake.close()
  fake = await startFakeServer({ data: rows, partners: ["demo:demo-secret"], port })
  expect(await sync()).toMatchObject({ code: 0 })
  await fake.close()
  fake = await startFakeServer({ data: rows.slice(1), partners: ["demo:demo-secret"], port })
  expect(await sync("--allow-vanished", "1")).toMatchObject({ code: 0, stderr: expect.stringContaining("1 vanished") })
  const ledger = join(folder, "ledger.csv")
  await writeFile(ledger, "key,amount,currency,day\norder-0,1,EUR,2024-03-02\norder-1,1,EUR,2024-03-03\n")
  const march = ["--since", "2024-03", "--until", "2024-03", "--map", "date=day"]
  const { stdout } = await run(["reconcile", ledger, "--from", mirror, ...march, "-o", "json"])
  const outcomes: ReadonlyArray<{ readonly key: string; readonly outcome: string }> = JSON.parse(stdout).outcomes
  expect(outcomes.map(({ key, outcome }) => `${key} ${outcome}`)).toEqual([
    "order-0 NotAtService",
    "order-1 OtherPeriod",
    "order-2 NotInLedger",
  ])
})

test("a second sync says so, or waits", async () => {
  const first = start(["sync", "--to", mirror, "--follow", "--interval", "1"], { env: demo(fake.url) })
  let said = ""
  first.stderr.on("data", (text: Buffer) => (said += text.toString()))
  await Waiting.until(() => said.includes("loaded"))
  expect(await sync()).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/: \S+:\d+ is syncing demo\. Wait for it to end, or pass --wait\.\n$/),
  })
  const second = start(["sync", "--to", mirror, "--wait"], { env: demo(fake.url) })
  let told = ""
  second.stderr.on("data", (text: Buffer) => (told += text.toString()))
  await Waiting.until(() => told.includes("waiting for another sync to end"))
  const closed = Promise.all([once(first, "close"), once(second, "close")])
  first.kill("SIGTERM")
  expect((await closed).map(([code]) => code)).toEqual([143, 0])
})

test("--follow survives an outage, prints what changes, and ends on SIGTERM", async () => {
  const child = start(["sync", "--to", mirror, "--follow", "--interval", "1", "--output", "ndjson"], {
    env: demo(fake.url),
  })
  let [stdout, stderr] = ["", ""]
  child.stdout.on("data", (text: Buffer) => (stdout += text.toString()))
  child.stderr.on("data", (text: Buffer) => (stderr += text.toString()))
  await Waiting.until(async () => (await Fake.journal(fake.url)).length > 30)
  await insert("tr_9")
  await Waiting.until(() => stdout.includes('"tr_9"'))
  const { port } = new URL(fake.url)
  await fake.close()
  await Waiting.until(() => stderr.includes("Retrying."))
  fake = await startFakeServer({ transfers: 300, port: Number(port) })
  await insert("tr_10")
  await Waiting.until(() => stdout.includes('"tr_10"'))
  child.kill("SIGTERM")
  const [code] = await once(child, "close")
  expect(code).toBe(143)
})

test("killed at any moment and started again, it loses and doubles nothing", async () => {
  let kills = 0
  // A load takes longer than the longest delay.
  await Fake.addFaults(fake.url, { fault: "latency", ms: 60 })
  for (const delay of [250, 400, 500, 600, 700, 800]) {
    const child = start(["sync", "--to", mirror, "--concurrency", "1"], { env: demo(fake.url) })
    setTimeout(() => child.kill("SIGKILL"), delay)
    const [code] = await once(child, "close")
    if (code === null) kills++
  }
  expect(kills).toBeGreaterThan(2)
  expect((await sync("--verify")).code).toBe(0)
  expect(await query("SELECT COUNT(*) AS n FROM transfers")).toEqual([{ n: 300 }])
  expect(await query("SELECT COUNT(*) AS n FROM transfer_changes")).toEqual([{ n: 0 }])
})

test("reads each profile's transfers from its own service, with its own credentials", async () => {
  const one = (id: string, partner: string) =>
    startFakeServer({
      partners: [`${partner}:${partner}-secret`],
      data: [{ id, kind: "cash_in", status: "complete", created_at: "2024-09-01T00:00:00Z" }],
    })
  const services = { shop: await one("tr_of_shop", "shop"), bank: await one("tr_of_bank", "bank") }
  const profiles = Object.fromEntries(
    Object.entries(services).map(([name, { url }]) => [
      name,
      { base_url: url, partner_id: name, secret_key: `${name}-secret` },
    ]),
  )
  await mkdir(join(folder, "transfers"))
  await writeFile(join(folder, "transfers/profiles.json"), JSON.stringify({ profiles }), { mode: 0o600 })
  const env = { XDG_CONFIG_HOME: folder }
  const both = () => ["--to", mirror, "--profile", "shop", "--profile", "bank"]
  const expected = [
    { partner_id: "bank", id: "tr_of_bank" },
    { partner_id: "shop", id: "tr_of_shop" },
  ]
  expect(await run(["sync", ...both()], { env })).toMatchObject({ code: 0 })
  expect(await query("SELECT partner_id, id FROM transfers ORDER BY id")).toEqual(expected)
  mirror = join(folder, "loaded-by-workers.db")
  const worker = start(["worker", ...both()], { env })
  expect((await run(["sync", ...both(), "--workers", "2"], { env })).code).toBe(0)
  worker.kill()
  expect(await query("SELECT partner_id, id FROM transfers ORDER BY id")).toEqual(expected)
  await Promise.all(Object.values(services).map(({ close }) => close()))
})

test("syncs several profiles into one mirror, each with its own failures", async () => {
  const config = join(folder, "transfers")
  await mkdir(config)
  const profiles = {
    a: { base_url: fake.url, partner_id: "demo", secret_key: "demo-secret" },
    b: { base_url: "http://127.0.0.1:1", partner_id: "other", secret_key: "s" },
  }
  await writeFile(join(config, "profiles.json"), JSON.stringify({ profiles }))
  await chmod(join(config, "profiles.json"), 0o600)
  const env = { XDG_CONFIG_HOME: folder }
  const { code, stderr } = await run(["sync", "--to", mirror, "--profile", "a", "--profile", "b"], { env })
  expect(code).toBe(4)
  expect(stderr).toContain("other: Cannot reach the service")
  expect(stderr).toContain("demo: loaded 300 transfers")
  expect(await run(["search", "--profile", "a", "--profile", "b"], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("name one profile"),
  })
  expect(await run(["search", "--from", mirror])).toMatchObject({ code: 0 })
  const wallet = { ...demo(fake.url), TRANSFERS_PARTNER_ID: "wallet", TRANSFERS_SECRET_KEY: "wallet-secret" }
  expect(await run(["sync", "--to", mirror], { env: wallet })).toMatchObject({ code: 0 })
  const several = await run(["search", "--from", mirror])
  expect(several).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("has the partners demo, wallet: name one"),
  })
  const counted = async (partner: string) =>
    JSON.parse((await run(["summary", "--from", mirror, "--partner-id", partner, "-o", "json"])).stdout).transfers
  expect([await counted("demo"), await counted("wallet")]).toEqual([300, 300])
})

test.each([
  [["query", "SELECT 1"], "Missing flag --from"],
  [["query", "--from", ":memory:", "SELECT 1"], "write sqlite:FILE"],
  [["query", "--from", "sqlite::memory:", "SELECT 1"], "there is no mirror"],
  [
    ["query", "--from", "missing.db", "SELECT 1"],
    "missing.db: there is no such file. transfers sync --to missing.db creates it.\n",
  ],
  [["sync", "--to", "nowhere/x.db"], "there is no folder nowhere: create it first.\n"],
  [["sync", "--to", "mirror.txt"], "write sqlite:FILE"],
  [["search", "--as-of", "2024"], "give --from"],
  [["search", "--from", "x.db", "--sandbox"], "not both"],
  [["sync", "--to", "x.db", "--follow", "-o", "json"], "use --output ndjson"],
])("transfers %j is rejected: %s", async (args, reason) => {
  const { code, stdout, stderr } = await run(args, { env: demo(fake.url) })
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
  expect(stderr).toContain(reason)
  expect(stderr).not.toContain("top-secret")
})
