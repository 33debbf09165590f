/** The zip that is deployed, unpacked into a folder of its own as Lambda does. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { unzipSync } from "fflate"
import { bundle, zip } from "../scripts/bundle.ts"

/** A folder that is removed when it is disposed of. */
export interface TaskRoot {
  readonly folder: string
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/** Bundles, zips and unpacks the function. */
export const unpack = async (): Promise<TaskRoot> => {
  const folder = await mkdtemp(join(tmpdir(), "validation-lambda-"))
  const files = unzipSync(zip((await bundle()).files))
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}
