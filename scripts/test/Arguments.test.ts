import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import * as Repository from "../Repository.ts"

test.each([
  ["simulate/main.ts", ["--nonsense"], "Unknown option '--nonsense'"],
  ["simulate/main.ts", ["--seed"], "Option '--seed <value>' argument missing"],
  ["simulate/main.ts", ["--seed", "it's $HOME"], `--seed must be a whole number, not "it's $HOME".`],
  ["release.ts", ["--nonsense"], "Unknown option '--nonsense'"],
  ["mutation/main.ts", ["no/such/path"], "No source of a package or app in no/such/path."],
  ["mutation/main.ts", ["--sample", "none"], "--sample takes a whole number of 1 or more, not none."],
])("scripts/%s %j ends with 2 and says %s", (script, args, reason) => {
  const file = join(Repository.root, "scripts", script)
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { encoding: "utf8" })
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
  expect(stderr).toContain(reason)
  expect(stderr).toMatch(/\nUsage: pnpm \w+ .*\n$/)
  expect(stderr).not.toContain("    at ")
})

test("every file that a script of package.json runs exists", () => {
  const scripts = Object.values(Repository.manifest(Repository.root).scripts ?? {}).join(" ")
  const files = scripts.match(/[\w./-]+\.(?:ts|sh|json)\b/g) ?? []
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter((file) => !existsSync(join(Repository.root, file)))).toEqual([])
})
