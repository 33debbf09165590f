/** Values that begin with a dash: they are no flags, and never print the help. */
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { run } from "./InProcess.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-dash-"))
})
afterAll(() => rm(folder, { recursive: true }))

const dash = "begins with a dash, so it is read as flags of one letter each."

test.each<[ReadonlyArray<string>, string]>([
  [
    ["export", "--sandbox", "--out", "-dash.csv"],
    `--out: "-dash.csv" ${dash} Write --out=-dash.csv, or ./-dash.csv for a file.`,
  ],
  [["export", "--out", "-d", "--sandbox"], `--out: "-d" ${dash} Write --out=-d, or ./-d for a file.`],
  [["search", "--sandbox", "--since", "-1d"], `--since: "-1d" ${dash} Write --since=-1d`],
  [["search", "--external-id", "-how"], `--external-id: "-how" ${dash} Write --external-id=-how`],
  [["search", "--from", "-version.ndjson"], `--from: "-version.ndjson" ${dash}`],
  [["profiles", "save", "live", "--secret-key-file", "-key"], `--secret-key-file: "-key" ${dash}`],
  [["reconcile", "-v.csv", "--sandbox"], `"-v.csv" ${dash} Write ./-v.csv for a file, or --v.csv for a flag.`],
  [["export", "--resume", "-out.csv"], `"-out.csv" ${dash} Write ./-out.csv for a file, or --out.csv for a flag.`],
  [["search", "-limit", "3"], `"-limit" ${dash} Write ./-limit for a file, or --limit for a flag.`],
])("%j says what to write", async (args, message) => {
  const { code, stdout, stderr } = await run(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
  expect(stderr).toContain(`error: ${message}`)
})

test("what is written instead is read as a value", async () => {
  const through = ["sh", "-c", `cd ${folder} && exec "$@"`, "sh"]
  for (const out of [["--out=-dash.csv"], ["--out", "./-hash.csv"]]) {
    expect((await run(["export", "--sandbox", "--quiet", ...out], { through })).code).toBe(0)
  }
  expect(await readdir(folder)).toEqual(expect.arrayContaining(["-dash.csv", "-hash.csv"]))
  expect((await run(["verify", "--quiet", "--", "-dash.csv"], { through })).code).toBe(0)
})

test.each([
  [["search", "--sandbox", "-qo", "ndjson", "--limit", "1"]],
  [["search", "--sandbox", "-o=ndjson", "--sort", "-created_at", "--limit", "1"]],
  [["summary", "--sandbox", "--time-zone", "-05:00"]],
  [["export", "--help"]],
])("%j has flags of one letter, and values that may begin with a dash", async (args) => {
  expect((await run(args)).code).toBe(0)
})

test.each([
  [["search", "-n", "5"], "Unknown flag -n. Did you mean --limit N?"],
  [["search", "--limit", "-5"], '--limit: expected a whole number from 1 to 20, found "-5".'],
])("%j is left to the parser", async (args, message) => {
  expect((await run(args)).stderr).toContain(message)
})
