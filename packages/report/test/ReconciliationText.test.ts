import * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import { expect, test } from "vitest"
import type * as ReconciliationLines from "../src/ReconciliationLines.ts"
import * as ReconciliationText from "../src/ReconciliationText.ts"
import * as TextReport from "../src/TextReport.ts"

const plain = (text: string): string => text

/** Breaks of four outcomes and five reasons. */
const lines = Array.from({ length: 271 }, (_, index): ReconciliationLines.Line => {
  const outcome = Reconciliation.outcomeTags[1 + (index % 4)] ?? "Differs"
  const amount = Money.parseUnsafe("1.00", "fiat/EUR")
  const head = { outcome, break: true, key: `order-${index}`, reference: `line ${index}`, date: undefined }
  const own = { ledger: amount, service: undefined, difference: undefined, why: `reason ${index % 5}` }
  return { ...head, ...own, transfer_id: undefined }
})

test.each([80, 140])(
  "of 271 breaks in groups, a terminal of %d columns shows 100, each group, and the totals",
  (width) => {
    const nothing = { outcomes: 0, breaks: 0, entries: 0, transfers: 0, ledger: [], service: [] }
    const totals = Reconciliation.byTag(() => nothing)
    const sections = ReconciliationText.sections({ totals, lines, statuses: [] }, { good: plain, bad: plain })
    const { texts } = TextReport.make(sections, {
      width,
      title: plain,
      heading: plain,
      whole: "All: --html PAGE.html.",
    })
    const text = [...texts].join("")
    expect(text.match(/^order-\d+ /gm)).toHaveLength(100)
    expect(text.match(/^.*reason \d \(\d+\)$/gim)).toHaveLength(20)
    expect(text.match(/All: --html PAGE\.html\./g)).toHaveLength(1)
    expect(text).toMatch(/All: --html PAGE\.html\.\n\nTotals\n/)
  },
)
