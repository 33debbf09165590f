import * as Seeds from "../../../scripts/test/Seeds.ts"
import { postgres } from "./Database.ts"
import { anewSuite } from "./suites/anew.ts"
import { attemptSuite } from "./suites/attempts.ts"
import { clockSuite } from "./suites/clock.ts"
import { coverageSuite } from "./suites/coverage.ts"
import { decimalSumSuite } from "./suites/decimalSum.ts"
import { editedSuite } from "./suites/edited.ts"
import { freshnessSuite } from "./suites/freshness.ts"
import { latenessSuite, rereadingSuite, verificationSuite } from "./suites/lateness.ts"
import { lawSuite } from "./suites/laws.ts"
import { leaseSuite } from "./suites/lease.ts"
import { originSuite } from "./suites/origin.ts"
import { planSuite } from "./suites/plans.ts"
import { progressSuite } from "./suites/progress.ts"
import { querySuite } from "./suites/query.ts"
import { rateSuite } from "./suites/rate.ts"
import { recipeSuite } from "./suites/recipes.ts"
import { schemaSuite } from "./suites/schema.ts"
import { settlementSuite } from "./suites/settlement.ts"
import { startSuite } from "./suites/start.ts"
import { syncSuite } from "./suites/sync.ts"
import { totalsSuite } from "./suites/totals.ts"
import { vanishingSuite } from "./suites/vanishing.ts"
import { workersSuite } from "./suites/workers.ts"

const database = postgres()
syncSuite(database)
startSuite(database)
freshnessSuite(database)
editedSuite(database)
attemptSuite(database)
anewSuite(database)
clockSuite(database)
lawSuite(database, { seeds: Seeds.all })
totalsSuite(database, { seeds: Seeds.all })
decimalSumSuite(database)
recipeSuite(database)
workersSuite(database)
progressSuite(database)
rateSuite(database)
schemaSuite(database)
vanishingSuite(database)
settlementSuite(database)
leaseSuite(database)
originSuite(database)
coverageSuite(database)
querySuite(database)
planSuite(database)
latenessSuite(database)
rereadingSuite(database)
verificationSuite(database)
