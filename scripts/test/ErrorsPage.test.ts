import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import * as ErrorsPage from "../ErrorsPage.ts"
import * as Repository from "../Repository.ts"

const path = join(Repository.root, "docs/errors.md")

it("docs/errors.md is what the sources say; UPDATE_GOLDEN=1 writes it", () => {
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(path, ErrorsPage.markdown())
  expect(readFileSync(path, "utf8")).toBe(ErrorsPage.markdown())
})

it("has an exit code for every error", () => {
  expect(ErrorsPage.markdown()).not.toContain("Exit code undefined")
  expect(ErrorsPage.markdown().match(/^### /gm)?.length).toBeGreaterThan(20)
})

it("reads meaning and messages of an error", () => {
  const source =
    '/** Too late.\n * Really. */\nexport class Late extends Data.TaggedError("Late")<{}> {\n  override get message(): string {\n    return `By ${a ? `${b} s` : ""} late.`\n  }\n}\n'
  expect(ErrorsPage.errorsIn(source)).toEqual([
    { name: "Late", meaning: "Too late. Really.", messages: ["By … late."] },
  ])
})
