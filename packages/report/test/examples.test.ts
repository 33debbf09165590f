import { join } from "node:path"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Day from "@transferkit/domain/Day"
import * as Money from "@transferkit/domain/Money"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import * as Result from "effect/Result"
import { holdTheExamplesOf } from "../../../scripts/test/holdTheExamplesOf.ts"

await holdTheExamplesOf(join(import.meta.dirname, "../src"), {
  least: 2,
  scope: { CreatedAt, Day, Money, Result, Timestamp, Transfer },
})
