/** A reconciliation as JUnit XML for build servers: one failure per break. */
import type * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as TransferTable from "../../output/TransferTable.ts"
import { escapeMarkup } from "../../pages/Markup.ts"
import * as ReconciliationReport from "./Report.ts"

/** The XML document. All matches are one test case. */
export const render = (self: Reconciliation.Reconciliation, options: ReconciliationReport.LineOptions): string => {
  const breaks = self.outcomes.filter(ReconciliationReport.isBreak)
  const matched = self.totals.Matched.outcomes
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<testsuites name="reconciliation" tests="${breaks.length + 1}" failures="${breaks.length}">`,
    `  <testsuite name="reconciliation" tests="${breaks.length + 1}" failures="${breaks.length}">`,
    `    <testcase classname="matched" name="${matched} matched"/>`,
    ...breaks.map((outcome) => testCase(outcome, options)),
    `  </testsuite>`,
    `</testsuites>`,
    "",
  ].join("\n")
}

const testCase = (outcome: Reconciliation.Outcome, options: ReconciliationReport.LineOptions): string => {
  const lines = ReconciliationReport.linesOf(outcome, options)
  const [first] = lines
  const meaning = ReconciliationReport.meanings[outcome._tag]
  const detail = lines.map((line) =>
    [
      line.reference,
      line.transfer_id,
      line.ledger === undefined ? undefined : `ledger ${TransferTable.money(line.ledger)}`,
      line.service === undefined ? undefined : `service ${TransferTable.money(line.service)}`,
      line.difference === undefined ? undefined : `difference ${TransferTable.money(line.difference)}`,
    ]
      .filter((part) => part !== undefined)
      .join(", "),
  )
  const name = first === undefined || first.key === "" ? "(no key)" : first.key
  return [
    `    <testcase classname="${escapeMarkup(meaning)}" name="${escapeMarkup(name)}">`,
    `      <failure message="${escapeMarkup(`${meaning}: ${first?.why ?? ""}`)}">${escapeMarkup(detail.join("\n"))}</failure>`,
    `    </testcase>`,
  ].join("\n")
}
