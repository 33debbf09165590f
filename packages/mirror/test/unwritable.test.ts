/** A SQLite mirror on a disk, or in a folder, that whoever reads it cannot write. */
import { execFile } from "node:child_process"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as Lab from "./Lab.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mirror?unwritable-"))
})
afterAll(async () => {
  await chmod(folder, 0o755)
  await rm(folder, { recursive: true })
})

test("can be read, though SQLite can make no files beside it", async () => {
  const file = join(folder, "transfers.db")
  await Lab.sync(Lab.make(`sqlite:${file}`, { count: 40 }))
  await chmod(file, 0o644)
  await chmod(folder, 0o555)
  // Root may write everywhere.
  const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const program = fileURLToPath(new URL("ReadProcess.ts", import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program, `sqlite:${file}`], other)
  expect(stdout).toBe("40")
})
