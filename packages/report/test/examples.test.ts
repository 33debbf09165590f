import { join } from "node:path"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { holdTheExamplesOf } from "../../../scripts/test/holdTheExamplesOf.ts"

await holdTheExamplesOf(join(import.meta.dirname, "../src"), { least: 2, scope: { CreatedAt, Timestamp } })
