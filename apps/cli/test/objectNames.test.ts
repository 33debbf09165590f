/** Names that every object of JavaScript has are names like any other: as arguments, values and profiles. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as Cli from "./Cli.ts"
import { run } from "./InProcess.ts"

const names = Object.getOwnPropertyNames(Object.prototype)

let home: string
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "transfers-"))
})
afterAll(() => rmSync(home, { recursive: true }))

test("there are such names", () => {
  expect(names).toEqual(expect.arrayContaining(["constructor", "__proto__", "valueOf", "hasOwnProperty"]))
})

test.each<[string, (name: string) => ReadonlyArray<string>, number]>([
  ["a command", (name) => [name], 2],
  ["an argument", (name) => ["show", name, "--sandbox"], 1],
  ["a value", (name) => ["search", "--external-id", name, "--sandbox"], 0],
  ["an open value", (name) => ["search", "--status", name, "--kind", name, "--sandbox"], 0],
  ["a choice", (name) => ["search", "--output", name, "--sandbox"], 2],
  ["a column", (name) => ["search", "--columns", name, "--sandbox"], 2],
  ["a field", (name) => ["search", "--json", name, "--sandbox"], 2],
  ["an order", (name) => ["search", "--sort", `-${name}`, "--sandbox"], 2],
  ["a template", (name) => ["search", "--template", `{{${name}}}`, "--sandbox"], 2],
  ["a group", (name) => ["summary", "--by", name, "--sandbox"], 2],
  ["a time", (name) => ["search", "--since", `3${name}`, "--sandbox"], 2],
  ["a file", (name) => ["validate", name], 2],
  ["a part of a ledger", (name) => ["reconcile", "x.csv", "--map", `${name}=1`, "--sandbox"], 2],
  ["a profile", (name) => ["whoami", "--profile", name], 2],
])("as %s", async (_, argsOf, code) => {
  for (const name of names) {
    const args = argsOf(name)
    const result = await run(args, { env: { HOME: home } })
    expect([args, result.code, result.stderr]).toEqual([
      args,
      code,
      expect.not.stringMatching(/ is not a function|at \w/),
    ])
  }
})

test("as saved profiles, each with its own settings", async () => {
  for (const name of names) {
    await run(["profiles", "save", name, "--partner-id", name, "--base-url", "https://a.example"], {
      env: { HOME: home },
    })
  }
  for (const name of names) {
    const { stderr } = await run(["whoami", "--profile", name], { env: { HOME: home } })
    expect(stderr).not.toContain("There is no profile")
    expect(stderr).not.toContain("the partner id")
  }
})

test("an error that no code of ours catches is a defect, shown without code", async () => {
  const preload = join(home, "preload.cjs")
  writeFileSync(preload, 'setImmediate(() => { throw new Error("a part is missing") })')
  const { code, stderr } = await Cli.run(["search", "--sandbox"], { env: { NODE_OPTIONS: `--require ${preload}` } })
  expect([code, stderr]).toEqual([70, expect.stringMatching(/^error: a part is missing$/m)])
  expect(stderr).not.toMatch(/^ {4}at /m)
})
