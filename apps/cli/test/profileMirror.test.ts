/** A profile says which statuses are final: to its service, and to the mirrors that are synced with it. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as Cli from "./Cli.ts"
import * as Fake from "./Fake.ts"
import { run } from "./InProcess.ts"
import * as Mcp from "./Mcp.ts"

const statuses = ["paid", "complete", "executing", "expired"]

/** Transfers of each status, named by it, far apart: who reads one again does not see the next. */
const data = statuses.flatMap((status, day) =>
  Array.from({ length: 121 }, (_, minute) => ({
    id: minute === 0 ? status : `tr_${day}_${minute}`,
    kind: "cash_in",
    status: minute === 0 ? status : "declined",
    created_at: new Date(Date.UTC(2024, 8, 1 + day, 0, minute)).toISOString(),
  })),
)

let live: RunningFakeServer
let other: RunningFakeServer
let folder: string
let env: Readonly<Record<string, string>>
beforeAll(async () => {
  live = await startFakeServer({ data, partners: ["acme:live-secret"] })
  other = await startFakeServer({ data, partners: ["other:other-secret"] })
  folder = await mkdtemp(join(tmpdir(), "transfers-profile-mirror-"))
  env = { XDG_CONFIG_HOME: join(folder, "config") }
  const of = ({ url }: RunningFakeServer, partner_id: string, secret_key: string) => ({
    base_url: url,
    partner_id,
    secret_key,
    failed: ["declined", "expired"],
  })
  const profiles = {
    live: { ...of(live, "acme", "live-secret"), settled: ["paid"] },
    other: { ...of(other, "other", "other-secret"), settled: ["complete"] },
  }
  await mkdir(join(folder, "config", "transfers"), { recursive: true, mode: 0o700 })
  await writeFile(join(folder, "config", "transfers", "profiles.json"), JSON.stringify({ profiles }), { mode: 0o600 })
})
afterAll(async () => {
  await Promise.all([live.close(), other.close()])
  await rm(folder, { recursive: true, maxRetries: 50, retryDelay: 100 })
})

const command = (...args: ReadonlyArray<string>) => run(args, { env })

const idsOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line).id)
    .toSorted()

const openOf = async (mirror: string, partner = "acme") => {
  const sql = `SELECT id FROM open_transfers WHERE partner_id = '${partner}'`
  return idsOf((await command("query", "--from", mirror, sql)).stdout)
}

const stuck = async (...args: ReadonlyArray<string>) => {
  const { stdout } = await command("search", "--stuck", "24h", "--all", "-o", "ndjson", ...args)
  return idsOf(stdout)
}

test("a sync, its workers and a watch take as open what the profile does, as the service does", async () => {
  const expected = ["complete", "executing"]
  expect(await stuck("--profile", "live")).toEqual(expected)
  const mirror = join(folder, "one.db")
  expect(await command("sync", "--profile", "live", "--to", mirror)).toMatchObject({ code: 0 })
  expect(await openOf(mirror)).toEqual(expected)
  expect(await stuck("--profile", "live", "--from", mirror)).toEqual(expected)

  const workers = join(folder, "workers.db")
  const synced = await Cli.run(["sync", "--profile", "live", "--to", workers, "--workers", "2"], { env })
  expect(synced).toMatchObject({ code: 0 })
  expect(await openOf(workers)).toEqual(expected)

  const state = join(folder, "watched")
  const watched = await command("watch", "--profile", "live", "--once", "--since", "2024-08-01", "--state", state)
  expect(watched).toMatchObject({ code: 0 })
  expect(await openOf(join(state, "transfers.db"))).toEqual(expected)

  const { client } = await Mcp.converse(["--profile", "live", "--from", mirror], { env })
  const answer = await client.callTool({
    name: "stuck_transfers",
    arguments: { older_than: "24h", since: "2024-01-01T00:00:00Z" },
  })
  await client.close()
  const text = JSON.stringify(answer.structuredContent)
  expect(statuses.filter((status) => text.includes(`"id":"${status}"`)).toSorted()).toEqual(expected)

  await Fake.change(live.url, "complete", { status: "paid" })
  expect(await command("sync", "--profile", "live", "--to", mirror, "--verify-budget", "0")).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("1 changed"),
  })
  expect(await openOf(mirror)).toEqual(await stuck("--profile", "live"))
})

test("each of several profiles has its own, in one mirror", async () => {
  const mirror = join(folder, "both.db")
  expect(await command("sync", "--profile", "live", "--profile", "other", "--to", mirror)).toMatchObject({ code: 0 })
  expect(await openOf(mirror)).toEqual(["executing"])
  expect(await openOf(mirror, "other")).toEqual(["executing", "paid"])
  expect(await stuck("--profile", "other", "--partner-id", "other", "--from", mirror)).toEqual(["executing", "paid"])
})

test("a mirror does not answer by a profile to which more is open, until it is synced with it", async () => {
  const mirror = join(folder, "unlike.db")
  const sync = (...args: ReadonlyArray<string>) =>
    command("sync", "--base-url", live.url, "--partner-id", "acme", "--to", mirror, ...args)
  await writeFile(join(folder, "key"), "live-secret", { mode: 0o600 })
  expect(await sync("--secret-key-file", join(folder, "key"))).toMatchObject({ code: 0 })
  const summary = (...args: ReadonlyArray<string>) => command("summary", "--from", mirror, "-o", "json", ...args)
  expect(await summary()).toMatchObject({ code: 0 })
  const refused = await summary("--profile", "live")
  expect([refused.code, refused.stdout]).toEqual([2, ""])
  expect(JSON.parse(refused.stderr).error.message).toContain(
    `lacks later changes of transfers with status "complete", which it takes as final. Run transfers sync with a profile to which they are open, or ask by the statuses of its last sync`,
  )
  expect(await command("show", "complete", "--from", mirror, "--profile", "live")).toMatchObject({
    code: 2,
    stdout: "",
  })
  const allowed = await summary("--profile", "live", "--allow-incomplete")
  expect([allowed.code, JSON.parse(allowed.stdout).source.stale]).toEqual([0, ["complete"]])
  expect(allowed.stderr).toContain("NotCovered")
  expect(await command("show", "complete", "--from", mirror)).toMatchObject({ code: 0 })
  const { client } = await Mcp.converse(["--profile", "live", "--from", mirror], { env })
  for (const [name, given] of [
    ["summarise", {}],
    ["lookup_transfer", { id: "complete" }],
  ] as const) {
    const answer = await client.callTool({ name, arguments: given })
    expect(JSON.stringify(answer), name).toContain("NotCovered")
  }
  await client.close()
  expect(await sync("--profile", "live")).toMatchObject({ code: 0 })
  expect(await summary("--profile", "live")).toMatchObject({ code: 0 })
  // SQL says what the mirror says.
  expect(await summary()).toMatchObject({ code: 2, stderr: expect.stringContaining("expired") })
  expect(await openOf(mirror)).toEqual(["executing"])
})

describe("a mirror that took transfers as final which may still change for its reader", () => {
  let mirror: string
  const from = (source: string) => ["--from", source, "--profile"]
  beforeAll(async () => {
    mirror = join(folder, "stale.db")
    const sync = () => command("sync", "--profile", "other", "--to", mirror, "--verify-budget", "0")
    expect(await sync()).toMatchObject({ code: 0 })
    await Fake.change(other.url, "expired", { status: "paid" })
    expect(await sync()).toMatchObject({ code: 0, stderr: expect.stringContaining("0 changed") })
  })

  test("does not answer for the statuses of a reconciliation, a report or a close", async () => {
    const ledger = join(folder, "ledger.csv")
    await writeFile(ledger, "external_id,amount,currency,date\nX,1.00,USD,2024-09-02\n")
    const reconcile = ["reconcile", ledger, "--since", "2024-09-01", "--until", "2024-10-01"]
    const books: ReadonlyArray<ReadonlyArray<string>> = [
      reconcile,
      ["report", "--month", "2024-09", "--ledger", ledger, "--html", join(folder, "page.html")],
      ["close", "--month", "2024-09", "--ledger", ledger, "--out", join(folder, "close.zip")],
    ]
    for (const args of books) {
      const refused = await command(...args, "--failed", "declined", ...from(mirror), "other")
      const lacks = expect.stringContaining("later changes of transfers with status")
      expect(refused, args[0]).toMatchObject({ code: 2, stdout: "", stderr: lacks })
      expect(refused.stderr, args[0]).toContain("expired")
      expect(await command(...args, ...from(mirror), "other"), args[0]).toMatchObject({ code: 1 })
    }
    // The flags say what is final, not the profile.
    const same = ["--settled", "complete", "--failed", "declined,expired"]
    expect(await command(...reconcile, ...same, ...from(mirror), "live", "--partner-id", "other")).toMatchObject({
      code: 1,
    })
  })

  test.each(["ndjson", "csv", "parquet"])("says so in its exports, and in those made of them: %s", async (format) => {
    const [one, two] = [join(folder, `one.${format}`), join(folder, `two.${format}`)]
    const summary = (file: string, profile: string, ...args: ReadonlyArray<string>) =>
      command("summary", "-o", "json", ...from(file), profile, ...args)
    expect(await command("export", "--out", one, ...from(mirror), "other")).toMatchObject({ code: 0 })
    expect(await command("export", "--out", two, ...from(one), "other", "--kind", "cash_in")).toMatchObject({ code: 0 })
    for (const file of [one, two]) {
      const manifest = JSON.parse(await readFile(`${file}.manifest.json`, "utf8"))
      expect(manifest.final).toEqual(["complete", "declined", "expired"])
      const refused = await summary(file, "live", "--status", "paid")
      expect([refused.code, refused.stdout]).toEqual([2, ""])
      expect(JSON.parse(refused.stderr).error.message).toContain(
        `lacks later changes of transfers with status "complete", which it takes as final. Export it again`,
      )
      expect(await summary(file, "other")).toMatchObject({ code: 0 })
      const allowed = await summary(file, "live", "--allow-incomplete")
      expect(JSON.parse(allowed.stdout).source.stale).toEqual(["complete"])
    }
  })

  test("is not what an export of the service takes as complete", async () => {
    const job = ["export", "--since", "2024-09-01", "--until", "2024-10-01", "--out", join(folder, "resumed.ndjson")]
    expect(await command(...job, ...from(mirror), "other")).toMatchObject({ code: 0 })
    expect(await command(...job, "--resume", "--profile", "other")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("takes transfers with status complete, declined, expired as final"),
    })
    expect(await command(...job, "--force", "--profile", "other")).toMatchObject({ code: 0 })
    expect(await command(...job, "--resume", ...from(mirror), "other")).toMatchObject({ code: 0 })
  })
})
