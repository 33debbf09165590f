/** The report of `transfers audit`. */
import * as AuditTable from "@transferkit/report/AuditTable"
import type { Report } from "../../output/Report.ts"

/** Of the findings on so many transfers. */
export const make = (records: Iterable<AuditTable.Audited>, transfers: number, settings: object): Report => ({
  json: { settings, transfers },
  list: { name: "findings", items: records },
  records,
  csv: AuditTable.csv(records),
  table: () => AuditTable.sections(records),
})
