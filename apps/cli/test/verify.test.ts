/** `transfers verify`: a file against its manifest, and the manifest against what it says of itself. */
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import * as ExportManifest from "@transferkit/files/exports/ExportManifest"
import { afterAll, beforeAll, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"

let fake: RunningFakeServer
let folder: string

beforeAll(async () => {
  fake = await startFakeServer({ transfers: 300, seed: 3 })
  folder = await mkdtemp(join(tmpdir(), "transfers-verify-"))
})
afterAll(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

const september = ["--since", "2024-09", "--until", "2024-09"]
const transfers = (...args: ReadonlyArray<string>) => run(args, { env: demo(fake.url) })

/** The checks that fail. */
const failedOf = ({ stdout }: { readonly stdout: string }) => {
  const { checks }: { checks: ReadonlyArray<{ readonly ok: boolean; readonly check: string }> } = JSON.parse(stdout)
  return checks.filter(({ ok }) => !ok)
}

test("compares the columns of a file that has some", async () => {
  for (const dialect of ["rfc4180", "excel-de"]) {
    const file = join(folder, `columns-${dialect}.csv`)
    const written = ["--out", file, "--columns", "id,status", "--csv-dialect", dialect]
    expect(await transfers("export", ...september, ...written)).toMatchObject({ code: 0 })
    expect(await transfers("verify", file)).toMatchObject({ code: 0 })
    const path = `${file}.manifest.json`
    const { digest: _, ...statements } = JSON.parse(await readFile(path, "utf8"))
    await writeFile(path, JSON.stringify(ExportManifest.seal({ ...statements, columns: ["id", "kind"] })))
    const checked = await transfers("verify", file, "--output", "json")
    expect(checked.code).toBe(1)
    expect(failedOf(checked)).toEqual([{ check: "columns", expected: "id,kind", found: "id,status", ok: false }])
  }
})

test("finds a manifest that was changed: its filters, its partner's place, its file name", async () => {
  const [file, path] = [join(folder, "verified.ndjson"), `${join(folder, "verified.ndjson")}.manifest.json`]
  expect(await transfers("export", ...september, "--out", file)).toMatchObject({ code: 0 })
  const manifest = JSON.parse(await readFile(path, "utf8"))
  // Edited by hand, it is rejected for its digest. Who writes another digest meets these checks.
  const failed = async (changes: object) => {
    const { digest: _, ...statements } = { ...manifest, ...changes }
    await writeFile(path, JSON.stringify(ExportManifest.seal(statements)))
    const checked = await transfers("verify", file, "--output", "json")
    return [checked.code, checked.code === 2 ? [] : failedOf(checked).map(({ check }) => check)]
  }
  expect(await failed({})).toEqual([0, []])
  expect(await failed({ only: { status: ["complete"] } })).toEqual([1, ["outside the filters"]])
  expect(await failed({ created_at: ["lt:2024-09-02T00:00:00Z"] })).toEqual([1, ["outside the time range"]])
  expect(await failed({ created_at: ["bogus"] })).toEqual([2, []])
  for (const changes of [
    { origin: { ...manifest.origin, partner_id: "other" } },
    { filters: {} },
    { as_of: "2999-01-01T00:00:00Z" },
  ]) {
    await writeFile(path, JSON.stringify({ ...manifest, ...changes }))
    for (const command of [
      ["verify", file],
      ["summary", "--from", file],
    ]) {
      expect(await transfers(...command)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("it was changed since the export"),
      })
    }
  }
  await writeFile(path, JSON.stringify(manifest))
  const named = (...flags: ReadonlyArray<string>) => transfers("verify", file, ...flags, "--output", "json")
  expect(await named("--partner-id", "demo", "--base-url", `${fake.url}/`)).toMatchObject({ code: 0 })
  for (const flags of [
    ["--partner-id", "other"],
    ["--base-url", "https://elsewhere.example.com"],
  ]) {
    const { code, stdout } = await named(...flags)
    expect([code, JSON.parse(stdout).checks[0].ok]).toEqual([1, false])
  }
  const renamed = join(folder, "renamed.ndjson")
  await rename(file, renamed)
  await rename(path, `${renamed}.manifest.json`)
  expect(await transfers("verify", renamed, "--output", "json")).toMatchObject({ code: 1 })
})
