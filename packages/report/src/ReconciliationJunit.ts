/** A reconciliation as JUnit XML for build servers: a break fails, an accepted one is skipped, and a resolved one passes. */
import * as Money from "@transferkit/domain/Money"
import * as Iterable from "effect/Iterable"
import { escapeMarkup } from "./internal/pages/Markup.ts"
import * as ReconciliationLines from "./ReconciliationLines.ts"

/** The XML document, in parts. All matches are one test case. */
export function* render(self: ReconciliationLines.Reconciled): Generator<string> {
  const failures = ReconciliationLines.failures(self)
  const { known = 0, resolved = 0 } = self.states ?? {}
  // Equal accepted breaks that are gone are one line, and so one test case.
  const gone = resolved === 0 ? 0 : Iterable.size(Iterable.filter(self.lines, ({ state }) => state === "resolved"))
  const tests = 1 + failures + known + gone
  const counts = `name="reconciliation" tests="${tests}" failures="${failures}" skipped="${known}"`
  yield `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${counts}>
  <testsuite ${counts}>
    <testcase classname="Matched" name="${self.totals.Matched.outcomes} matched"/>
`
  let previous: ReconciliationLines.Line | undefined
  for (const line of self.lines) {
    if (!line.break && line.state !== "resolved") continue
    if (line.continues === true) yield `\n${escapeMarkup(detail(line))}`
    else yield endOf(previous) + start(line)
    previous = line
  }
  yield `${endOf(previous)}  </testsuite>\n</testsuites>\n`
}

const tagOf = ({ state }: ReconciliationLines.Line): string =>
  state === "known" ? "skipped" : state === "resolved" ? "system-out" : "failure"

const start = (line: ReconciliationLines.Line): string => {
  const name = line.key === "" ? "(no key)" : line.key
  const tag = tagOf(line)
  const clause = `${line.outcome}: ${line.why}`
  const [message, text] = tag === "system-out" ? ["", clause] : [` message="${escapeMarkup(clause)}"`, detail(line)]
  return `    <testcase classname="${line.outcome}" name="${escapeMarkup(name)}">
      <${tag}${message}>${escapeMarkup(text)}`
}

const endOf = (line: ReconciliationLines.Line | undefined): string =>
  line === undefined ? "" : `</${tagOf(line)}>\n    </testcase>\n`

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
