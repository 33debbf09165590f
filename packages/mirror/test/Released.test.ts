import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import * as ReleasedMirrors from "./ReleasedMirrors.ts"
import { releasedSuite } from "./suites/released.ts"

const scratch = mkdtempSync(join(tmpdir(), "transfers-released-"))
afterAll(() => rmSync(scratch, { recursive: true }))

releasedSuite(async (release) => {
  const file = join(scratch, `${release}.db`)
  copyFileSync(join(ReleasedMirrors.folder, release, "mirror.db"), file)
  return `sqlite:${file}`
})

/** Without the number of SQLite's version, which is that of Node's. */
const bytesOf = (file: string): Buffer => readFileSync(file).fill(0, 96, 100)

test("the mirror of the coming release is the one that this version writes (pnpm artefacts writes it)", async () => {
  const again = join(scratch, "again.db")
  await ReleasedMirrors.writeSqlite(again)
  expect(bytesOf(join(ReleasedMirrors.folder, "next/mirror.db")).equals(bytesOf(again))).toBe(true)
})
