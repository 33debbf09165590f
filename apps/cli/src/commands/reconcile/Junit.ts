/** A reconciliation as JUnit XML for build servers: one failure per break. */
import * as TransferTable from "../../output/TransferTable.ts"
import { escapeMarkup } from "../../pages/Markup.ts"
import * as ReconciliationReport from "./Report.ts"

/** The XML document, in parts. All matches are one test case. */
export function* render(self: ReconciliationReport.Reconciled): Generator<string> {
  const breaks = ReconciliationReport.breaks(self)
  const counts = `name="reconciliation" tests="${breaks + 1}" failures="${breaks}"`
  yield `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${counts}>
  <testsuite ${counts}>
    <testcase classname="Matched" name="${self.totals.Matched.outcomes} matched"/>
`
  let previous: ReconciliationReport.Line | undefined
  for (const line of self.lines) {
    if (!ReconciliationReport.isBreak(line.outcome)) continue
    // The rows of an ambiguous key are one break.
    const isSame = line.outcome === "Ambiguous" && previous?.outcome === "Ambiguous" && previous.key === line.key
    if (isSame) yield `\n${escapeMarkup(detail(line))}`
    else yield (previous === undefined ? "" : end) + start(line)
    previous = line
  }
  yield `${previous === undefined ? "" : end}  </testsuite>\n</testsuites>\n`
}

const start = (line: ReconciliationReport.Line): string => {
  const name = line.key === "" ? "(no key)" : line.key
  return `    <testcase classname="${line.outcome}" name="${escapeMarkup(name)}">
      <failure message="${escapeMarkup(`${line.outcome}: ${line.why}`)}">${escapeMarkup(detail(line))}`
}

const end = `</failure>
    </testcase>
`

const detail = (line: ReconciliationReport.Line): string =>
  [
    line.reference,
    line.transfer_id,
    line.ledger === undefined ? undefined : `ledger ${TransferTable.money(line.ledger)}`,
    line.service === undefined ? undefined : `service ${TransferTable.money(line.service)}`,
    line.difference === undefined ? undefined : `difference ${TransferTable.money(line.difference)}`,
  ]
    .filter((part) => part !== undefined)
    .join(", ")
