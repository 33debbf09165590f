/** `pnpm api`: writes the API reports of the libraries again, of their built declarations. With `--check`, compares them. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as ApiReport from "./ApiReport.ts"
import * as Repository from "./Repository.ts"

for (const library of ApiReport.libraries) {
  const file = join(library, "api.md")
  const path = join(Repository.root, file)
  const report = ApiReport.make(join(Repository.root, library))
  if (existsSync(path) && readFileSync(path, "utf8") === report) continue
  if (!process.argv.includes("--check")) writeFileSync(path, report)
  else {
    console.error(`${file} is not the API any more: run pnpm api, and add a changeset with pnpm changeset.`)
    process.exitCode = 1
  }
}
