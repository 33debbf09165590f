/** What the books leave open as tables of text: how long, and the movement since the last books. */
import * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import type { Proposal } from "./BatchProposals.ts"
import type * as ReconciliationLines from "./ReconciliationLines.ts"

/** How long items have been open, and what was carried over. */
export const of = ({ ageing = [], rollForward = [] }: ReconciliationLines.Reconciled) => [
  ...(ageing.length === 0
    ? []
    : [
        {
          title: "Open items by age",
          columns: [
            { header: "OUTCOME" },
            { header: "DAYS" },
            { header: "ITEMS", align: "right" as const },
            { header: "LEDGER", align: "right" as const },
            { header: "SERVICE", align: "right" as const },
          ],
          rows: ageing.map(({ outcome, age, items, ledger, service }) => [
            Reconciliation.outcomeWords[outcome],
            age,
            String(items),
            ...[ledger, service].map((money) => (Money.isZero(money) ? "" : Money.label(money))),
          ]),
        },
      ]),
  ...(rollForward.every(({ open_at_start: { rows } }) => rows === 0)
    ? []
    : [
        {
          title: "Roll-forward",
          columns: ["SIDE", "OPEN AT THE START", "+ NEW", "- CLEARED", "= OPEN AT THE END"].map((header, index) =>
            index === 0 ? { header } : { header, align: "right" as const },
          ),
          rows: rollForward.map((line) => [
            line.side,
            ...[line.open_at_start, line.new, line.cleared, line.open_at_end].map(
              ({ rows, amount }) => `${Money.label(amount)} (${rows})`,
            ),
          ]),
        },
      ]),
]

/** The batches that are proposed. */
export const proposals = (all: ReadonlyArray<Proposal>) => ({
  title: "Proposed batches",
  columns: [
    { header: "KEY", id: true },
    { header: "ROW", dropOrder: 1 },
    { header: "LEDGER", align: "right" as const },
    { header: "WHY" },
    { header: "TRANSFERS", shrinkTo: 16, wrap: true },
  ],
  rows: all.map(({ key, reference, ledger, transfers = [], why }) => [
    key,
    reference,
    Money.label(ledger),
    why,
    transfers.map(({ transfer_id }) => transfer_id).join(" "),
  ]),
})
