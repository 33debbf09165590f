import * as Seeds from "../../../scripts/test/Seeds.ts"
import { sqlite } from "./Database.ts"
import { anewSuite } from "./suites/anew.ts"
import { attemptSuite } from "./suites/attempts.ts"
import { clockSuite } from "./suites/clock.ts"
import { coverageSuite } from "./suites/coverage.ts"
import { decimalSumSuite } from "./suites/decimalSum.ts"
import { editedSuite } from "./suites/edited.ts"
import { freshnessSuite } from "./suites/freshness.ts"
import { decisionSuite, latenessSuite, rereadingSuite, verificationSuite } from "./suites/lateness.ts"
import { lawSuite } from "./suites/laws.ts"
import { originSuite } from "./suites/origin.ts"
import { planSuite } from "./suites/plans.ts"
import { querySuite } from "./suites/query.ts"
import { recipeSuite } from "./suites/recipes.ts"
import { schemaSuite } from "./suites/schema.ts"
import { settlementSuite } from "./suites/settlement.ts"
import { startSuite } from "./suites/start.ts"
import { syncSuite } from "./suites/sync.ts"
import { totalsSuite } from "./suites/totals.ts"
import { vanishingSuite } from "./suites/vanishing.ts"

const database = sqlite()
syncSuite(database)
startSuite(database)
freshnessSuite(database)
attemptSuite(database)
anewSuite(database)
clockSuite(database)
lawSuite(database, { seeds: Seeds.all })
totalsSuite(database, { seeds: Seeds.all })
decimalSumSuite(database)
recipeSuite(database)
schemaSuite(database)
vanishingSuite(database)
settlementSuite(database)
originSuite(database)
coverageSuite(database)
querySuite(database)
planSuite(database)
latenessSuite(database)
rereadingSuite(database)
verificationSuite(database)
decisionSuite()
editedSuite(database)
