/** The report is what the results say. `pnpm bench --render` writes it. */
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { test } from "node:test"
import * as RenderedFiles from "../src/RenderedFiles.ts"

const folder = join(import.meta.dirname, "..")

for (const [file, text] of await RenderedFiles.render(join(folder, "results"))) {
  test(`${relative(folder, file)} is up to date with bench/results`, () => {
    assert.equal(readFileSync(file, "utf8"), text)
  })
}
