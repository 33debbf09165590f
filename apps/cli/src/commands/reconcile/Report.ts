/** A reconciliation as rows: one per outcome, and the totals of each kind of outcome. */
import type * as Ledger from "@transferkit/files/ledgers/Ledger"
import * as ReconciliationLines from "@transferkit/report/ReconciliationLines"
import * as ReconciliationTable from "@transferkit/report/ReconciliationTable"
import * as ReconciliationText from "@transferkit/report/ReconciliationText"
import type { Report } from "../../output/Report.ts"

/** The report: its lines, and the totals. */
export const make = (
  self: ReconciliationLines.Reconciled,
  options: { readonly ledgers: ReadonlyArray<Ledger.Reading>; readonly settings: object },
): Report => ({
  json: {
    settings: options.settings,
    ledgers: options.ledgers,
    statuses: self.statuses,
    breaks: ReconciliationLines.breaks(self),
    ...(self.states === undefined ? {} : { states: self.states }),
    totals: self.totals,
    ...(self.proposals === undefined ? {} : { proposals: self.proposals }),
    ...(self.ageing === undefined ? {} : { ageing: self.ageing }),
    ...(self.rollForward === undefined ? {} : { roll_forward: self.rollForward }),
  },
  list: { name: "outcomes", items: self.lines },
  records: self.lines,
  csv: ReconciliationTable.csv(self),
  sheets: [
    { name: "Totals", csv: ReconciliationTable.totals(self), numbers: new Set(["outcomes"]) },
    { name: "Open items by age", csv: ReconciliationTable.ages(self), numbers: new Set(["items"]) },
  ],
  table: (style) => ReconciliationText.sections(self, style),
})
