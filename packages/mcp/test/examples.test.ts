import { join } from "node:path"
import { holdTheExamplesOf } from "../../../scripts/test/holdTheExamplesOf.ts"

await holdTheExamplesOf(join(import.meta.dirname, "../src"), { least: 1 })
