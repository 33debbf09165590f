import { join } from "node:path"
import { holdTheExamplesOf } from "../../../scripts/test/holdTheExamplesOf.ts"

await holdTheExamplesOf(join(import.meta.dirname, "../src/formats"), { least: 2 })
await holdTheExamplesOf(join(import.meta.dirname, "../src/ledgers"), { least: 3 })
