/** The suites of several processes, which mostly wait: apart from the others, so that these need not wait for them. */
import { sqlite } from "./Database.ts"
import { progressSuite, timeLeftSuite } from "./suites/progress.ts"
import { rateSuite } from "./suites/rate.ts"
import { workersSuite } from "./suites/workers.ts"

const database = sqlite()
workersSuite(database)
progressSuite(database)
timeLeftSuite()
rateSuite(database)
