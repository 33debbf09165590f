import { sqlite } from "./Database.ts"
import { leaseSuite } from "./suites/lease.ts"

leaseSuite(sqlite())
