/** A reconciliation as rows: one per outcome, and the totals of each kind of outcome. */
import type * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import type * as Ledger from "@transferkit/files/ledgers/Ledger"
import * as ReconciliationLines from "@transferkit/report/ReconciliationLines"
import * as Iterable from "effect/Iterable"
import type { Report } from "../../output/Report.ts"
import * as TransferTable from "../../output/TransferTable.ts"
import type * as SettingsOf from "./SettingsOf.ts"

const goodWords: ReadonlySet<string> = new Set(
  (["Matched", "Expected", "NothingToBook"] as const).map((tag) => Reconciliation.outcomeWords[tag]),
)

const csvHeader = [
  "outcome",
  "key",
  "reference",
  "transfer_id",
  "ledger_amount",
  "ledger_currency_code",
  "service_amount",
  "service_currency_code",
  "difference",
  "why",
]

const csvRow = (line: ReconciliationLines.Line): ReadonlyArray<string | undefined> => [
  line.outcome,
  line.key,
  line.reference,
  line.transfer_id,
  line.ledger?.text,
  line.ledger?.currency_code,
  line.service?.text,
  line.service?.currency_code,
  line.difference?.text,
  line.why,
]

const tableRow = (line: ReconciliationLines.Line): ReadonlyArray<string> => [
  Reconciliation.outcomeWords[line.outcome],
  line.key,
  line.reference ?? "",
  line.transfer_id ?? "",
  TransferTable.money(line.ledger),
  TransferTable.money(line.service),
  line.difference?.text ?? "",
  line.why,
]

/** The report: its lines, and the totals. */
export const make = (
  self: ReconciliationLines.Reconciled,
  options: { readonly ledgers: ReadonlyArray<Ledger.Reading>; readonly settings: ReturnType<typeof SettingsOf.make> },
): Report => ({
  json: {
    settings: options.settings,
    ledgers: options.ledgers,
    statuses: self.statuses,
    breaks: ReconciliationLines.breaks(self),
    ...(self.states === undefined ? {} : { states: self.states }),
    totals: self.totals,
  },
  list: { name: "outcomes", items: self.lines },
  records: self.lines,
  csv: Iterable.prepend(Iterable.map(self.lines, csvRow), csvHeader),
  table: (style) => [
    {
      columns: [
        {
          header: "OUTCOME",
          style: (cut: string, cell: string) => (goodWords.has(cell) ? style.good(cut) : style.bad(cut)),
        },
        { header: "KEY", shrinkTo: 8, cut: "middle" as const },
        { header: "ROW", dropOrder: 1 },
        { header: "TRANSFER", shrinkTo: 8, cut: "middle" as const, dropOrder: 2 },
        { header: "LEDGER", align: "right" as const },
        { header: "SERVICE", align: "right" as const },
        { header: "DIFFERENCE", align: "right" as const },
        { header: "WHY", shrinkTo: 16, wrap: true, dropOrder: 3 },
      ],
      rows: Iterable.map(self.lines, tableRow),
    },
    {
      title: "Totals",
      columns: [
        { header: "OUTCOME" },
        { header: "COUNT", align: "right" },
        { header: "CURRENCY" },
        { header: "LEDGER", align: "right" },
        { header: "SERVICE", align: "right" },
      ],
      rows: ReconciliationLines.shownTags(self).flatMap((tag) => totalRows(tag, self.totals[tag])),
    },
  ],
})

const totalRows = (
  tag: Reconciliation.OutcomeTag,
  totals: Reconciliation.OutcomeTotals,
): ReadonlyArray<ReadonlyArray<string>> => {
  const words = Reconciliation.outcomeWords[tag]
  const currencies = [...new Set([...totals.ledger, ...totals.service].map((money) => money.currency_code))].toSorted()
  const of = (side: ReadonlyArray<Money.Money>, currency: string) =>
    side.find((money) => money.currency_code === currency)?.text ?? ""
  if (currencies.length === 0) return [[words, String(totals.outcomes), "", "", ""]]
  return currencies.map((currency, index) => [
    words,
    index === 0 ? String(totals.outcomes) : "",
    currency,
    of(totals.ledger, currency),
    of(totals.service, currency),
  ])
}
