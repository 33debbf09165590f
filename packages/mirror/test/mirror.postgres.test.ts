import { postgres } from "./Database.ts"
import { syncSuite } from "./suites/sync.ts"

const database = postgres()
syncSuite(database)
