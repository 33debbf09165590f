/** In the mode of PostgreSQL, because both come with the tools that CI installs. */
import * as Seeds from "../../../scripts/test/Seeds.ts"
import { postgres, sqlite } from "./Database.ts"
import { pythonSuite } from "./suites/python.ts"

pythonSuite(sqlite(), { seeds: Seeds.all })
pythonSuite(postgres(), { seeds: Seeds.all })
