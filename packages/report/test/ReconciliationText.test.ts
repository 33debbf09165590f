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

const nothing = { outcomes: 0, breaks: 0, entries: 0, transfers: 0, ledger: [], service: [] }

const textOf = (self: ReconciliationLines.Reconciled, width: number): string => {
  const sections = ReconciliationText.sections(self, { good: plain, bad: plain })
  return [
    ...TextReport.make(sections, { width, title: plain, heading: plain, whole: "All: --html PAGE.html." }).texts,
  ].join("")
}

test.each([80, 140])(
  "of 271 breaks in groups, a terminal of %d columns shows 100, each group, and the totals",
  (width) => {
    const text = textOf({ totals: Reconciliation.byTag(() => nothing), lines, statuses: [] }, width)
    expect(text.match(/^order-\d+ /gm)).toHaveLength(100)
    expect(text.match(/^.*reason \d \(\d+\)$/gim)).toHaveLength(20)
    expect(text.match(/All: --html PAGE\.html\./g)).toHaveLength(1)
    expect(text).toMatch(/All: --html PAGE\.html\.\n\nTotals\n/)
  },
)

/** Books in so many currencies: what agrees, and what is missing, the more often the later the currency. */
const booksIn = (count: number): ReconciliationLines.Reconciled => {
  const currencies = Array.from({ length: count }, (_, index) => `fiat/C${String.fromCharCode(65 + index)}` as const)
  const sums = currencies.map((currency) => Money.parseUnsafe("12.50", currency))
  const ageing = currencies.flatMap((currency_code, index) =>
    (["0-7", "8-30"] as const).map((age) => {
      const money = Money.parseUnsafe("6.25", currency_code)
      return { outcome: "NotInLedger" as const, currency_code, age, items: index + 1, ledger: money, service: money }
    }),
  )
  const all = { ...nothing, outcomes: 40, ledger: sums, service: sums }
  const totals = Reconciliation.byTag((tag) =>
    ["Matched", "NotInLedger", "NothingToBook"].includes(tag) ? all : nothing,
  )
  return { totals, lines: [], statuses: [], ageing }
}

test("of 17 currencies, a terminal shows the totals of those with the most open items, and how many are open by age", () => {
  const text = textOf(booksIn(17), 140)
  expect(text.split("\n").map((line) => line.trimEnd().replaceAll(/ {2,}/g, "  "))).toEqual([
    "Totals",
    "OUTCOME  LEDGER  SERVICE",
    "Matched (40)",
    "  17 currencies",
    "Different (0)",
    "Not in your books (40)",
    ...["Q", "P", "O", "N", "M"].map((letter) => `  fiat/C${letter}  12.50  12.50`),
    "  12 more currencies",
    "Not at the service (0)",
    "Several candidates (0)",
    "Nothing to book (40)",
    "  17 currencies",
    "Of more than 5 currencies, those with the most open items are shown. All: --html PAGE.html.",
    "",
    "Open items by age",
    "OUTCOME  DAYS  ITEMS  CURRENCIES",
    "Not in your books  0-7  153  17",
    "Not in your books  8-30  153  17",
    "Their amounts have 34 rows, one for each currency. All: --html PAGE.html.",
    "",
  ])
})

test("few currencies have all of their totals on a terminal, and any number has them in a file", () => {
  const rowsOf = (count: number, width: number) => textOf(booksIn(count), width).match(/^ .*12\.50$/gm)?.length
  expect([rowsOf(14, 140), rowsOf(15, 140)]).toEqual([42, 5])
  expect(rowsOf(17, Number.POSITIVE_INFINITY)).toBe(51)
  expect(textOf(booksIn(17), Number.POSITIVE_INFINITY).match(/ {2}6\.25$/gm)).toHaveLength(34)
})
