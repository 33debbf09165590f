import { copyFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import * as ReleasedMirrors from "./ReleasedMirrors.ts"
import { releasedSuite } from "./suites/released.ts"

const scratch = mkdtempSync(join(tmpdir(), "transfers-released-"))
afterAll(() => rmSync(scratch, { recursive: true }))

releasedSuite(async (release) => {
  const file = join(scratch, `${release}.db`)
  copyFileSync(join(ReleasedMirrors.folder, release, "mirror.db"), file)
  return `sqlite:${file}`
})
