import { sqlite } from "./Database.ts"
import { syncSuite } from "./suites/sync.ts"

const database = sqlite()
syncSuite(database)
