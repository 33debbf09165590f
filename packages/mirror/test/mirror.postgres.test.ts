import * as Seeds from "../../../scripts/test/Seeds.ts"
import { postgres } from "./Database.ts"
import { lawSuite } from "./suites/laws.ts"
import { syncSuite } from "./suites/sync.ts"

const database = postgres()
syncSuite(database)
lawSuite(database, { seeds: Seeds.all })
