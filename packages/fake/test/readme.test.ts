/** The README's example runs, and its tables are complete. */
import { execFile } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { promisify } from "node:util"
import { Fault } from "@transferkit/fake/Fault"
import * as FaultRule from "@transferkit/fake/FaultRule"
import * as Result from "effect/Result"
import { expect, test } from "vitest"

const package_ = path.join(import.meta.dirname, "..")
const readme = await fs.readFile(path.join(package_, "README.md"), "utf8")
const block = (info: string): string => new RegExp(`\`\`\`${info}\n([^]*?)\`\`\``).exec(readme)?.[1] ?? ""

test("runs the example for tests", async () => {
  const args = ["--input-type=module-typescript", "--eval", block("typescript")]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: package_ })
  expect(stdout).toBe("503\n200\n")
})

test("shows a valid rule, and names every fault with all its fields", () => {
  expect(Result.isSuccess(FaultRule.parse(JSON.parse(block("json"))))).toBe(true)
  const [, table = ""] = readme.split("| fault | with | the response |\n|---|---|---|\n")
  const rows = (table.split("\n\n")[0] ?? "").split("\n").map((line) => line.split("|"))
  const words = (cell = "") => [...cell.matchAll(/`(\w+)`/g)].map(([, word]) => word)
  expect(rows.flatMap(([, names]) => words(names)).toSorted()).toEqual(
    Fault.members.map(({ fields }) => fields.fault.literal).toSorted(),
  )
  for (const { fields } of Fault.members) {
    const { fault, ...others } = fields
    const [, , taken] = rows.find(([, names]) => words(names).includes(fault.literal)) ?? []
    expect(words(taken), fault.literal).toEqual(expect.arrayContaining(Object.keys(others)))
  }
})
