/** `--stuck`: transfers that are not complete or declined a given time after their creation. */
import { mkdtempDisposable } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"
import { see } from "./Terminal.ts"

const hour = 3_600_000

/** Each status, an hour and two days old; 60 that are complete lie before the oldest. */
const aged = (hours: number, statuses: ReadonlyArray<string>) =>
  statuses.map((status) => ({
    id: `${status}-${hours}h`,
    kind: "cash_in",
    status,
    created_at: new Date(Date.now() - hours * hour).toISOString(),
    source_total: { amount: "1.00", currency_code: "fiat/USD" },
  }))

let fake: RunningFakeServer
beforeAll(async () => {
  const statuses = ["executing", "approved", "on_hold", "complete", "declined"]
  const filler = aged(49, ["complete"]).flatMap((transfer) =>
    Array.from({ length: 60 }, (_, index) => ({ ...transfer, id: `done-${index}` })),
  )
  fake = await startFakeServer({
    data: [...aged(1, statuses), ...aged(48, statuses), ...filler, ...aged(200, statuses)],
  })
})
afterAll(() => fake.close())

const seen = (...args: ReadonlyArray<string>) => see(args, { columns: 200, env: demo(fake.url) })
const ids = (text: string) => [...text.matchAll(/"id":"([^"]*)"/g)].map(([, id]) => id)

test("search --stuck finds what is open and old enough, whatever its status is called", async () => {
  const { text } = await seen("search", "--stuck", "24h", "-o", "ndjson")
  expect(ids(text).toSorted()).toEqual([
    "approved-200h",
    "approved-48h",
    "executing-200h",
    "executing-48h",
    "on_hold-200h",
    "on_hold-48h",
  ])
  expect(ids((await seen("search", "--stuck", "7d", "--status", "on_hold", "-o", "ndjson")).text)).toEqual([
    "on_hold-200h",
  ])
})

test("summary --stuck totals them", async () => {
  const { text } = await seen("summary", "--stuck", "24h", "--by", "status", "-o", "json")
  expect(JSON.parse(text).groups.map(({ key, transfers }: never) => [key["status"], transfers])).toEqual([
    ["approved", 2],
    ["executing", 2],
    ["on_hold", 2],
  ])
})

test.each(["1", "2024-09-01", "yesterday", "-1h"])("--stuck=%s is answered with what an age is", async (age) => {
  expect(await seen("search", `--stuck=${age}`)).toEqual({
    code: 2,
    text: `error: --stuck: expected an age, such as 24h, 7d or 2w, found "${age}".\n`,
  })
})

test("a filter of its own reads on until --limit transfers match", async () => {
  const { text } = await seen("search", "--status", "declined", "--limit", "2", "-o", "table")
  expect(text.match(/declined-\d+h/g)).toEqual(["declined-1h", "declined-48h"])
  expect(text).toContain("More may match: add --page 2 for the next ones, or --all.\n")
  const { text: all } = await seen("search", "--status", "declined", "-o", "table")
  expect(all.match(/declined-\d+h/g)).toEqual(["declined-1h", "declined-48h", "declined-200h"])
  expect(all).not.toContain("--all")
})

test("doctor counts the open transfers of the last week", async () => {
  const { text } = await seen("doctor", "-o", "json")
  expect(JSON.parse(text).checks.at(-1)).toEqual({
    check: "stuck",
    verdict: "warning",
    found: "3 of 65 transfers of the last 7d are open after 24h",
    advice: "List them: transfers search --stuck 24h --since 7d --all",
  })
})

test("an export of --stuck says how it answers, because it is too old for the same age", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "transfers-stuck-"))
  const file = join(folder.path, "stuck.ndjson")
  const env = demo(fake.url)
  const from = (...args: ReadonlyArray<string>) => run(["search", "--all", "--from", file, ...args], { env })
  expect(await run(["export", "--since", "2020", "--stuck", "24h", "--out", file], { env })).toMatchObject({ code: 0 })
  const same = await from("--stuck", "24h")
  expect(same).toMatchObject({ code: 2 })
  expect(same.stderr).toContain(
    "Export it again without --stuck, leave out --stuck and any times to get what was stuck then",
  )
  expect((await from("--stuck", "24h", "--since", "2019")).stderr).toContain("Export it again, or give")
  const { code, stdout, stderr } = await from("-o", "ndjson")
  expect(code).toBe(0)
  expect(ids(stdout)).toHaveLength(6)
  expect(stderr).toContain("holds only open transfers.")
  const lacks = "lacks any transfer with status complete"
  for (const command of ["search", "summary", "export"]) {
    const out = command === "export" ? ["--out", join(folder.path, "complete.ndjson")] : []
    const asked = await run([command, "--from", file, "--status", "COMPLETE,executing", "--quiet", ...out], { env })
    expect(asked, command).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(lacks) })
  }
  const sides = [file, file, "--status", "complete", "--quiet"]
  expect(await run(["diff", ...sides], { env })).toMatchObject({ code: 2, stderr: expect.stringContaining(lacks) })
  expect((await from("--status", "complete", "--allow-incomplete")).stderr).toContain(lacks)
  const open = await from("--status", "executing", "-o", "ndjson")
  expect([open.code, open.stderr]).toEqual([0, ""])
  expect(ids(open.stdout).toSorted()).toEqual(["executing-200h", "executing-48h"])
})

test("an export of --stuck says by which statuses it was made, whatever the profile of its reader says", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "transfers-stuck-"))
  const file = join(folder.path, "stuck.ndjson")
  const env = { ...demo(fake.url), XDG_CONFIG_HOME: join(folder.path, "config") }
  for (const [name, settled] of Object.entries({ live: "complete,approved", careful: "complete,approved,on_hold" })) {
    await run(["profiles", "save", name, "--partner-id", "demo"], { env })
    expect(await run(["profiles", "set", name, "--settled", settled], { env })).toMatchObject({ code: 0 })
  }
  const live = (...args: ReadonlyArray<string>) => run([...args, "--profile", "live"], { env })
  expect(await live("export", "--since", "2020", "--stuck", "24h", "--out", file)).toMatchObject({ code: 0 })
  expect(await run(["verify", file], { env })).toMatchObject({ code: 0 })
  expect(await live("verify", file)).toMatchObject({ code: 0 })
  const search = ["search", "--all", "--from", file, "--stuck", "25h"]
  const { code, stderr } = await run(search, { env })
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("lacks any transfer with status approved. Export it again"),
  ])
  // What the file has open is more than what is open for this reader.
  const careful = await run([...search, "--profile", "careful"], { env })
  expect(careful).toMatchObject({ code: 0, stderr: "" })
  expect(ids(careful.stdout).toSorted()).toEqual(["executing-200h", "executing-48h"])
})
