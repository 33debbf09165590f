/** The apostrophes of CSV: an export is read as it was written, and without its manifest a command asks how that was. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { run } from "./InProcess.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-cells-"))
})
afterAll(() => rm(folder, { recursive: true }))

const at = (name: string) => join(folder, name)
const line = (id: string, second: number) =>
  `{"id":${JSON.stringify(id)},"kind":"cash_in","status":"complete","created_at":"2024-09-01T00:00:0${second}Z"}\n`

const write = async (name: string, ids: ReadonlyArray<string>) => {
  await writeFile(at(name), ids.map(line).join(""))
  return at(name)
}

/** Exports transfers with these ids as CSV. */
const exported = async (name: string, ids: ReadonlyArray<string>, ...flags: ReadonlyArray<string>) => {
  const args = ["--from", await write(`${name}.ndjson`, ids), "--out", at(name), "--force", ...flags]
  expect(await run(["export", ...args])).toMatchObject({ code: 0 })
  return at(name)
}

/** The same without its manifest, as another program leaves it. */
const alone = async (name: string, ids: ReadonlyArray<string>, ...flags: ReadonlyArray<string>) => {
  const path = await exported(name, ids, ...flags)
  await rm(`${path}.manifest.json`)
  return path
}

const idsOf = async (from: string, ...flags: ReadonlyArray<string>) => {
  const { code, stdout, stderr } = await run(["search", "--all", "--from", from, ...flags, "-o", "ndjson"])
  const read = () => stdout.split("\n").flatMap((row) => (row === "" ? [] : [JSON.parse(row).id]))
  // A search shows the newest first.
  return code === 0 ? read().toReversed() : stderr
}

const formulas = ["=7", "'=7", "''=7", "x,=7", "x,'=7", "x;=7", "x;'=7", "-1.50", "+49 30"]
const ways = [[], ["--csv-raw"], ["--csv-dialect", "excel-de"], ["--csv-dialect", "tsv", "--csv-raw"]]

test.each(ways)("an export with its manifest keeps each id: %s %s", async (...flags) => {
  const path = await exported(`kept${flags.join("")}.csv`, formulas, ...flags)
  expect(await idsOf(path)).toEqual(formulas)
})

describe("an export without its manifest", () => {
  test.each(ways)("asks how it was written, and then keeps each id: %s %s", async (...flags) => {
    const path = await alone(`asks${flags.join("")}.csv`, formulas, ...flags)
    expect(await idsOf(path)).toContain("say how it was exported: --exported-as raw if with --csv-raw")
    const way = flags.includes("--csv-raw") ? "raw" : (flags[1] ?? "rfc4180")
    expect(await idsOf(path, "--exported-as", way)).toEqual(formulas)
  })

  test.each([["'=7"], ["x,'=7"], ["x\t'@7"]])("asks if it may have changed the id %j", async (id) => {
    const error = await idsOf(await alone("one.csv", [id], "--csv-raw"))
    expect(error).toContain("row 1: an apostrophe in its column id")
    expect(await run(["summary", "--from", at("one.csv")])).toMatchObject({ code: 2, stdout: "" })
  })

  test("does not ask if every reading is the same", async () => {
    const ids = ["1", "it's = 1", "'quoted'", "-1.50"]
    for (const flags of ways) expect(await idsOf(await alone("same.csv", ids, ...flags))).toEqual(ids)
  })

  test("is read as it was written after another program has saved it with other delimiters", async () => {
    const ids = ["=7", "x'=7", "y;=7"]
    const path = await alone("saved.csv", ids)
    const text = await readFile(path, "utf8")
    await writeFile(path, text.replaceAll(",", "\t"))
    expect(await idsOf(path)).toContain("say how it was exported")
    expect(await idsOf(path, "--exported-as", "rfc4180")).toEqual(ids)
  })
})

test("a file whose delimiters were changed is not what its manifest says", async () => {
  const path = await exported("other.csv", ["1", "2"])
  const text = await readFile(path, "utf8")
  await writeFile(path, text.replaceAll(",", ";"))
  expect(await idsOf(path)).toContain("it is not an export: its columns have other names")
})
