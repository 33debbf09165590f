/** `transfers diff` over exports, mirrors and the service, in any combination. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { demo } from "./Cli.ts"
import * as Fake from "./Fake.ts"
import { run } from "./InProcess.ts"

let fake: RunningFakeServer
let folder: string
let before: string
const pathOf = (name: string) => join(folder, name)

beforeAll(async () => {
  fake = await startFakeServer({ transfers: 300 })
  folder = await mkdtemp(join(tmpdir(), "transfers-diff-"))
  await Fake.insert(fake.url, { id: "tr_1", status: "executing", created_at: "2024-06-01T00:00:00Z" })
  const env = demo(fake.url)
  for (const args of [
    ["export", "--out", pathOf("old.csv")],
    ["sync", "--to", pathOf("old.db")],
    ["sync", "--to", pathOf("new.db")],
  ]) {
    expect(await run(args, { env })).toMatchObject({ code: 0 })
  }
  before = new Date().toISOString()
  await Fake.change(fake.url, "tr_1", { status: "complete" })
  await Fake.insert(fake.url, { id: "tr_2", status: "complete", created_at: new Date().toISOString() })
  expect(await run(["sync", "--to", pathOf("new.db")], { env })).toMatchObject({ code: 0 })
  expect(await run(["export", "--out", pathOf("new.ndjson")], { env })).toMatchObject({ code: 0 })
})

afterAll(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

const diff = async (...args: ReadonlyArray<string>) => {
  const { code, stdout, stderr } = await run(["diff", ...args, "-o", "json"], { env: demo(fake.url) })
  expect(stderr).toBe("")
  const { same, differences }: { same: number; differences: ReadonlyArray<Record<string, string>> } = JSON.parse(stdout)
  return { code, same, found: differences.map(({ kind, id }) => `${kind} ${id}`) }
}

const differ = { code: 1, same: 300, found: ["changed tr_1", "added tr_2"] }
const equal = { code: 0, same: 302, found: [] }

test.each([
  [["old.csv", "new.db"], differ],
  [["old.db", "new.ndjson"], differ],
  [["old.db", "new.db"], differ],
  [["old.db"], differ],
  [["old.csv"], differ],
  [["new.db", "new.ndjson"], equal],
  [["new.db"], equal],
])("of %j finds what is new and different", async (names, expected) => {
  expect(await diff(...names.map(pathOf))).toEqual(expected)
})

test("compares with the mirror of --from, as it was at an instant", async () => {
  expect(await diff(pathOf("old.csv"), "--from", pathOf("new.db"))).toEqual(differ)
  expect(await diff(pathOf("old.csv"), "--from", pathOf("new.db"), "--as-of", before)).toEqual({
    code: 0,
    same: 301,
    found: [],
  })
  // A mirror that is named by itself is the one of now.
  expect(await diff(pathOf("new.db"), "--from", pathOf("new.db"), "--as-of", before)).toMatchObject({
    found: ["changed tr_1", "removed tr_2"],
  })
})

test("says nothing of what the service dates after our clock, unless it is asked for it", async () => {
  await using service = await startFakeServer({ transfers: 3 })
  const env = demo(service.url)
  const [mirror, file] = [pathOf("dated.db"), pathOf("dated.ndjson")]
  await Fake.insert(service.url, { id: "tr_dated", created_at: "2199-12-31T00:00:00Z" })
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2200-01-01T00:00:00Z") })
  try {
    for (const args of [
      ["sync", "--to", mirror],
      ["export", "--out", file],
    ])
      expect(await run(args, { env })).toMatchObject({ code: 0 })
  } finally {
    vi.useRealTimers()
  }
  await rm(`${file}.manifest.json`)
  const compared = async (...args: ReadonlyArray<string>) => {
    const { code, stdout } = await run(["diff", ...args, "-o", "json", "--allow-incomplete"], { env })
    const { same, not_compared, differences } = JSON.parse(stdout)
    return {
      code,
      same,
      not_compared,
      found: differences.map(({ kind, id }: Record<string, string>) => `${kind} ${id}`),
    }
  }
  for (const source of [mirror, file]) {
    expect(await compared(source)).toEqual({ code: 0, same: 3, not_compared: 1, found: [] })
    expect(await compared(source, "--until", "2199")).toEqual({ code: 0, same: 4, not_compared: 0, found: [] })
  }
  await Fake.remove(service.url, "tr_dated")
  expect(await compared(file)).toEqual({ code: 0, same: 3, not_compared: 1, found: [] })
  expect(await compared(file, "--until", "2199")).toEqual({
    code: 1,
    same: 3,
    not_compared: 0,
    found: ["removed tr_dated"],
  })
})

test("shows fields only if one has changed", async () => {
  const headerOf = async (...args: ReadonlyArray<string>) => {
    const names = [pathOf("old.csv"), pathOf("new.db"), ...args, "-o", "table"]
    const { stdout } = await run(["diff", ...names], { env: demo(fake.url) })
    return stdout.split("\n").find((line) => line.startsWith("ID "))
  }
  expect(await headerOf()).toMatch(/ FIELD +FROM +TO$/)
  expect(await headerOf("--since", before)).toMatch(/CREATED \(UTC\)$/)
})

test("compares what the filters select on both sides", async () => {
  const june = ["--since", "2024-06", "--until", "2024-06"]
  expect(await diff(pathOf("old.csv"), pathOf("new.db"), ...june)).toMatchObject({ found: ["changed tr_1"] })
  expect(await diff(pathOf("old.csv"), ...june, "--status", "executing")).toMatchObject({ found: ["removed tr_1"] })
})

test.each([
  [["old.txt"], "does not end in .ndjson, .jsonl, .csv, .json or .parquet, and it is not a mirror"],
  [["missing.db", "new.db"], "there is no such file"],
])("of %j is rejected: %s", async (names, reason) => {
  const { code, stderr } = await run(["diff", ...names.map(pathOf)], { env: demo(fake.url) })
  expect(code).toBe(2)
  expect(stderr).toContain(reason)
})

test.each(["csv", "json", "parquet"])("tells a number of an unknown field from a text, also in %s", async (format) => {
  const known = { id: "tr_1", kind: "cash_in", status: "complete", created_at: "2024-09-01T00:00:00Z" }
  const file = (name: string, unknown: object) =>
    writeFile(pathOf(name), `${JSON.stringify({ ...known, ...unknown })}\n`)
  await file("values.ndjson", { n: 1, t: true, none: null, o: { a: 1 } })
  await file("texts.ndjson", { n: "1", t: "true", none: "null", o: '{"a":1}' })
  const out = pathOf(`values.${format}`)
  expect(await run(["export", "--from", pathOf("values.ndjson"), "--out", out])).toMatchObject({ code: 0 })
  expect(await diff(pathOf("values.ndjson"), out)).toEqual({ code: 0, same: 1, found: [] })
  expect(await diff(pathOf("texts.ndjson"), out)).toEqual({ code: 1, same: 0, found: ["changed tr_1"] })
})
