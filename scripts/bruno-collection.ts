/** `pnpm bruno`: writes the Bruno collection again. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as BrunoCollection from "./BrunoCollection.ts"
import * as Repository from "./Repository.ts"

const folder = join(Repository.root, BrunoCollection.folder)
rmSync(folder, { recursive: true, force: true })
for (const [file, text] of BrunoCollection.all()) {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}
