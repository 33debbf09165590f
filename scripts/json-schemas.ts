/** `pnpm schemas`: writes the JSON Schemas of the packages again. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as JsonSchemas from "./JsonSchemas.ts"
import * as Repository from "./Repository.ts"

for (const [file, text] of JsonSchemas.all()) {
  const path = join(Repository.root, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
