/** Command lines that are shown, as a shell reads them. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import * as Repository from "../Repository.ts"
import * as ShellText from "../ShellText.ts"

test("a shell reads the words of a line as they were given", () => {
  const words = [
    "",
    "a b",
    "it's",
    'say "no"',
    "$HOME",
    "`id`",
    "a\\b",
    "a!b",
    "SELECT *\nFROM transfers;",
    "--since",
    "2024-09",
  ]
  const printed = execFileSync("sh", ["-c", `printf '%s\\0' ${ShellText.lineOf(words)}`], { encoding: "utf8" })
  expect(printed.split("\0").slice(0, -1)).toEqual(words)
  expect(ShellText.lineOf(["transfers", "query", "SELECT 1"])).toBe('transfers query "SELECT 1"')
})

test("the demo shows its commands as they can be copied, and one line for each currency", () => {
  const demo = readFileSync(join(Repository.root, "scripts/demo.ts"), "utf8")
  expect(demo).toContain('print(`$ ${ShellText.lineOf(["transfers", ...args])}`)')
  // All amounts of 17 currencies would be 51 lines of a terminal of 80 columns.
  const summaries = demo.match(/cli\(\["summary",[^\]]*\]/g) ?? []
  expect(summaries.length).toBeGreaterThan(1)
  for (const summary of summaries) expect(summary).toContain('"--field"')
})
