/** A working folder of their own for the tests of a file. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"

/** Makes the folder before the tests, and removes it after them. */
export const use = (): void => {
  const before = process.cwd()
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "transfers-"))
    process.chdir(folder)
  })
  afterAll(async () => {
    process.chdir(before)
    await rm(folder, { recursive: true })
  })
}
