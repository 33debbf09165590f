import { join } from "node:path"
import { holdTheExamplesOf } from "../../../scripts/test/holdTheExamplesOf.ts"

holdTheExamplesOf(join(import.meta.dirname, "../src"), { least: 2 })
