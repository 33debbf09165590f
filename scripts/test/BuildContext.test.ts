/** What `docker build` copies, and `git add .` adds: sources, and nothing that a user keeps beside them. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { dirname, join, matchesGlob } from "node:path"
import { expect, test } from "vitest"
import * as Repository from "../Repository.ts"

const rules = readFileSync(join(Repository.root, ".dockerignore"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))

/** A rule is also about what a folder has in it, and the last one that fits decides. */
const isCopied = (file: string): boolean => {
  const fits = (pattern: string) => {
    for (let path = file; path !== "."; path = dirname(path)) if (matchesGlob(path, pattern)) return true
    return false
  }
  return rules.findLast((rule) => fits(rule.replace(/^!/, "")))?.startsWith("!") ?? true
}

const secrets = [".env", "deploy/workers/.env", "deploy/workers/secrets.env", "apps/fake-server/.env.local"]
const data = [
  "transfers.db",
  "apps/cli/transfers.db-wal",
  "packages/mirror/copy.sqlite3",
  "export.ndjson",
  "ledger.csv",
]

test.each([...secrets, ...data])("%s is copied into no image", (file) => {
  expect(isCopied(file)).toBe(false)
})

test("what a build reads is copied", () => {
  const needed = ["apps/cli/src/bin.ts", "scripts/ThirdPartyNotices.ts", "examples/package.json", "LICENSE"]
  expect(needed.filter((file) => !isCopied(file))).toEqual([])
})

test("files of secrets are not added to the repository", () => {
  const ignored = secrets.slice(0, 3)
  const found = execFileSync("git", ["check-ignore", ...ignored], { cwd: Repository.root, encoding: "utf8" })
  expect(found.trimEnd().split("\n")).toEqual(ignored)
})
