/** What the books leave open as tables of text: how long, and the movement since the last books. */
import * as Money from "@transferkit/domain/Money"
import { grouped } from "@transferkit/domain/Quantity"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Ageing from "./Ageing.ts"
import * as BatchProposals from "./BatchProposals.ts"
import type * as ReconciliationLines from "./ReconciliationLines.ts"
import type { Section } from "./TextReport.ts"

/** The most lines of ages on a terminal: of more, only their items are counted. */
const mostAges = 30

type Aged = NonNullable<ReconciliationLines.Reconciled["ageing"]>[number]

/** How long items have been open, and what was carried over. */
export const of = ({ ageing = [], rollForward = [] }: ReconciliationLines.Reconciled) => [
  ...(ageing.length === 0
    ? []
    : [
        {
          title: "Open items by age",
          columns: [identifying("OUTCOME"), ...ofAge],
          rows: ageing.map((line) => [Reconciliation.outcomeWords[line.outcome], ...cellsOfAge(line)]),
          // The outcome is a title there: in a column it takes the place of an amount.
          narrow: [...new Set(ageing.map(({ outcome }) => outcome))].map((outcome) => ({
            title: Reconciliation.outcomeWords[outcome],
            columns: ofAge,
            rows: ageing.filter((line) => line.outcome === outcome).map(cellsOfAge),
          })),
          brief: {
            above: mostAges,
            columns: [...["OUTCOME", "DAYS"].map(identifying), ...["ITEMS", "CURRENCIES"].map(onTheRight)],
            rows: Ageing.counts(ageing).map(({ outcome, age, items, currencies }) => [
              Reconciliation.outcomeWords[outcome],
              age,
              grouped(items),
              String(currencies),
            ]),
            what: `Their amounts have ${grouped(ageing.length)} rows, one for each currency.`,
          },
        },
      ]),
  ...(rollForward.every(({ open_at_start: { rows } }) => rows === 0)
    ? []
    : [
        {
          title: "Roll-forward",
          columns: [
            ...["SIDE", "CURRENCY"].map(identifying),
            ...["OPEN AT THE START", "+ NEW", "- CLEARED", "= OPEN AT THE END"].map(onTheRight),
          ],
          rows: rollForward.map((line) => [
            line.side,
            line.currency_code,
            ...[line.open_at_start, line.new, line.cleared, line.open_at_end].map(
              ({ rows, amount }) => `${amount.text} (${rows})`,
            ),
          ]),
        },
      ]),
]

/** The batches that are proposed: a row for each transfer. Then the rows of the ledger for which there is none. */
export const proposals = (all: ReadonlyArray<BatchProposals.Proposal>): ReadonlyArray<Section> => {
  const others = all.filter(({ step }) => step === undefined)
  return [
    ...(["days", "sets"] as const).map((step) => {
      const own = all.filter((proposal) => proposal.step === step)
      return {
        title: `Proposed, not matched: ${BatchProposals.nouns[step]} (${grouped(own.length)})`,
        columns: [
          ...["KEY", "TRANSFER"].map(identifying),
          row,
          ...["LEDGER", "SERVICE"].map(onTheRight),
          { header: "CURRENCY" },
        ],
        rows: own.flatMap(({ key, reference, ledger, transfers = [] }) =>
          transfers.map(({ transfer_id, service }, index) => [
            key,
            transfer_id,
            ...(index === 0 ? [reference, ledger.text] : ["", ""]),
            service?.text ?? "",
            ledger.currency_code,
          ]),
        ),
      }
    }),
    {
      title: `No batch proposed (${grouped(others.length)})`,
      columns: [identifying("KEY"), row, onTheRight("LEDGER"), { header: "WHY", shrinkTo: 16, wrap: true }],
      rows: others.map(({ key, reference, ledger, why }) => [key, reference, Money.label(ledger), why]),
    },
  ].filter(({ rows }) => rows.length > 0)
}

const cellsOfAge = ({ age, currency_code, items, ledger, service }: Aged): ReadonlyArray<string> => [
  age,
  currency_code,
  String(items),
  ...[ledger, service].map((money) => (Money.isZero(money) ? "" : money.text)),
]

const row = { header: "ROW", dropOrder: 1 }
const identifying = (header: string) => ({ header, id: true })
const onTheRight = (header: string) => ({ header, align: "right" as const })
const ofAge = [...["DAYS", "CURRENCY"].map(identifying), ...["ITEMS", "LEDGER", "SERVICE"].map(onTheRight)]
