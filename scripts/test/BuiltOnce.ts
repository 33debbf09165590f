/** What several test files of a run need, built by the first of them while the others wait. */
import { existsSync } from "node:fs"
import { mkdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"

/** The folder that `build` fills, in the folder of this run. */
export const folder = async (name: string, build: (folder: string) => Promise<void>): Promise<string> => {
  const built = join(process.env["TEST_RUN_FOLDER"] ?? "", name)
  const lock = `${built}.lock`
  while (!existsSync(built)) {
    const isFirst = await mkdir(lock).then(
      () => true,
      () => false,
    )
    if (isFirst) await make(built, lock, build)
    else await setTimeout(50)
  }
  return built
}

/** The lock stays, unless another test file has to try again, and fails with its own error. */
const make = async (built: string, lock: string, build: (folder: string) => Promise<void>): Promise<void> => {
  try {
    await build(`${built}.part`)
    await rename(`${built}.part`, built)
  } catch (error) {
    await rm(lock, { recursive: true })
    throw error
  }
}
