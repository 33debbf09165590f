import * as Https from "node:https"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { holdTheExamplesOf } from "../../../scripts/test/holdTheExamplesOf.ts"

await holdTheExamplesOf(join(import.meta.dirname, "../src"), { least: 1, scope: { gzipSync, Https } })
