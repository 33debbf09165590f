/** What the books leave open on a page: how long, and the movement since the last books. */
import * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Ageing from "../../Ageing.ts"
import type * as ReconciliationLines from "../../ReconciliationLines.ts"
import type { Sum } from "../../RollForward.ts"
import { digits, money } from "./Amounts.ts"
import { type Html, markup, nothing } from "./Html.ts"
import { table } from "./Table.ts"

/** Both parts, as far as there is something to show. With more lines of ages than `most`, only their items are counted. */
export const render = (
  { ageing = [], rollForward = [] }: ReconciliationLines.Reconciled,
  { most, where }: { readonly most: number; readonly where: string } = { most: Number.POSITIVE_INFINITY, where: "" },
): Html => markup`${movement(rollForward)} ${ageing.length > most ? countedByAge(ageing, where) : byAge(ageing)}`

const countedByAge = (lines: ReadonlyArray<Ageing.AgeLine>, where: string): Html =>
  markup`<h3>Open items by age</h3>
    ${table(
      [
        { header: "Outcome" },
        { header: "Days" },
        { header: "Items", kind: "amount" },
        { header: "Currencies", kind: "amount" },
      ],
      Ageing.counts(lines).map(({ outcome, age, items, currencies }) => [
        markup`${Reconciliation.outcomeWords[outcome]}`,
        markup`${age}`,
        digits(String(items)),
        digits(String(currencies)),
      ]),
    )}
    <p class="muted">${where} has the amounts of each currency.</p>`

const movement = (lines: NonNullable<ReconciliationLines.Reconciled["rollForward"]>): Html =>
  lines.some(({ open_at_start: { rows } }) => rows > 0)
    ? markup`<h3>Roll-forward</h3>
      ${table(
        [
          { header: "Side" },
          { header: "Open at the start", kind: "amount" },
          { header: "+ New", kind: "amount" },
          { header: "− Cleared", kind: "amount" },
          { header: "= Open at the end", kind: "amount" },
        ],
        lines.map((line) => [
          markup`${line.side === "ledger" ? "Your books" : "The service"}`,
          ...[line.open_at_start, line.new, line.cleared, line.open_at_end].map(sum),
        ]),
      )}`
    : nothing

const sum = ({ rows, amount }: Sum): Html => markup`${money(amount)} <small>(${digits(String(rows))})</small>`

/** The sort is stable: within an age, currencies stay in order. */
const byOutcomeAndAge = (one: Ageing.AgeLine, other: Ageing.AgeLine): number =>
  Reconciliation.outcomeTags.indexOf(one.outcome) - Reconciliation.outcomeTags.indexOf(other.outcome) ||
  Ageing.ages.indexOf(one.age) - Ageing.ages.indexOf(other.age)

const byAge = (lines: ReadonlyArray<Ageing.AgeLine>): Html =>
  lines.length === 0
    ? nothing
    : markup`<h3>Open items by age</h3>
      ${table(
        [
          { header: "Outcome" },
          { header: "Days" },
          { header: "Items", kind: "amount" },
          { header: "Ledger", kind: "amount" },
          { header: "Service", kind: "amount" },
        ],
        lines
          .toSorted(byOutcomeAndAge)
          .map(({ outcome, age, items, ledger, service }) => [
            markup`${Reconciliation.outcomeWords[outcome]}`,
            markup`${age}`,
            digits(String(items)),
            ...[ledger, service].map((amount) => (Money.isZero(amount) ? nothing : money(amount))),
          ]),
      )}`
