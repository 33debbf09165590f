/** A reconciliation as JUnit XML for build servers: one failure per break. */
import * as Money from "@transferkit/domain/Money"
import { escapeMarkup } from "./internal/pages/Markup.ts"
import * as ReconciliationLines from "./ReconciliationLines.ts"

/** The XML document, in parts. All matches are one test case. */
export function* render(self: ReconciliationLines.Reconciled): Generator<string> {
  const breaks = ReconciliationLines.failures(self)
  const counts = `name="reconciliation" tests="${breaks + 1}" failures="${breaks}"`
  yield `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${counts}>
  <testsuite ${counts}>
    <testcase classname="Matched" name="${self.totals.Matched.outcomes} matched"/>
`
  let previous: ReconciliationLines.Line | undefined
  for (const line of self.lines) {
    // What is accepted is no failure; a line that continues one is not either.
    if (!line.break || line.state === "known") continue
    if (line.continues === true) yield `\n${escapeMarkup(detail(line))}`
    else yield (previous === undefined ? "" : end) + start(line)
    previous = line
  }
  yield `${previous === undefined ? "" : end}  </testsuite>\n</testsuites>\n`
}

const start = (line: ReconciliationLines.Line): string => {
  const name = line.key === "" ? "(no key)" : line.key
  return `    <testcase classname="${line.outcome}" name="${escapeMarkup(name)}">
      <failure message="${escapeMarkup(`${line.outcome}: ${line.why}`)}">${escapeMarkup(detail(line))}`
}

const end = `</failure>
    </testcase>
`

const detail = (line: ReconciliationLines.Line): string =>
  [
    line.reference,
    line.transfer_id,
    line.ledger === undefined ? undefined : `ledger ${Money.label(line.ledger)}`,
    line.service === undefined ? undefined : `service ${Money.label(line.service)}`,
    line.difference === undefined ? undefined : `difference ${Money.label(line.difference)}`,
  ]
    .filter((part) => part !== undefined)
    .join(", ")
