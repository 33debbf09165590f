/** The paths of docs/architecture.md lead somewhere, so that a newcomer finds a thing without search. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import * as Documents from "../Documents.ts"
import * as Repository from "../Repository.ts"

const { spans } = Documents.parse(
  "docs/architecture.md",
  readFileSync(join(Repository.root, "docs/architecture.md"), "utf8"),
)
const paths = [...new Set(spans.filter((span) => /^(?:apps|packages|bench|scripts)\//.test(span)))]

it.each(paths)("%s exists", (path) => {
  expect(existsSync(join(Repository.root, path))).toBe(true)
})

it("shows where each common task is done", () => {
  const tasks = {
    "encode a query parameter": "packages/http-api/src/SearchQuery.ts",
    "split a window": "packages/domain/src/internal/scan/Coverage.ts",
    "escape CSV": "packages/files/src/formats/Csv.ts",
    "decide an exit code": "apps/cli/src/ExitCode.ts",
    "add a transfer field": "packages/domain/src/internal/wire/TransferFields.ts",
    "add a command": "apps/cli/src/commands",
    "add an output format": "packages/files/src/formats",
  }
  expect(Object.values(tasks).filter((path) => !paths.includes(path))).toEqual([])
})
