/**
 * `pnpm api`: writes the API reports of the libraries again, of their built declarations. With `--check`, compares them,
 * and rejects declarations that name what a user cannot import.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as ApiReport from "./ApiReport.ts"
import * as Repository from "./Repository.ts"

const isCheck = process.argv.includes("--check")

for (const library of ApiReport.libraries) {
  for (const problem of isCheck ? ApiReport.unresolvable(library) : []) {
    console.error(`${problem} Declare the type where they can, or write it out.`)
    process.exitCode = 1
  }
  const file = join(library, "api.md")
  const path = join(Repository.root, file)
  const report = ApiReport.make(join(Repository.root, library))
  if (existsSync(path) && readFileSync(path, "utf8") === report) continue
  if (!isCheck) writeFileSync(path, report)
  else {
    console.error(`${file} is not the API any more: run pnpm api, and add a changeset with pnpm changeset.`)
    process.exitCode = 1
  }
}
