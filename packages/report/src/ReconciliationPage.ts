/** A reconciliation as a page. */
import type * as CreatedAt from "@transferkit/domain/CreatedAt"
import type * as Dialect from "@transferkit/domain/Dialect"
import type * as Timestamp from "@transferkit/domain/Timestamp"
import { markup } from "./internal/pages/Html.ts"
import * as Page from "./internal/pages/Page.ts"
import * as ReconciliationPart from "./internal/pages/ReconciliationPart.ts"
import * as Period from "./Period.ts"
import * as ReconciliationLines from "./ReconciliationLines.ts"

/** What the page says of its subject. */
export interface PageOptions extends Pick<ReconciliationLines.LineOptions, "key" | "amount"> {
  readonly ledger: string
  /** How the ledgers were read. */
  readonly read_as: ReadonlyArray<string>
  readonly period: CreatedAt.CreatedAt
  /** Which statuses are settled, and which have failed. */
  readonly settlement: Dialect.Settlement
  readonly made_at: Timestamp.Timestamp
}

/** The page. */
export const render = (self: ReconciliationLines.Reconciled, options: PageOptions): string => {
  const count = ReconciliationLines.failures(self)
  const verdict =
    count === 0 && self.states === undefined ? "Everything matches." : `${ReconciliationLines.verdict(self)}.`
  return Page.render({
    title: `Reconciliation of ${options.ledger}`,
    body: markup`<h1>Reconciliation of ${options.ledger}</h1>
      <p>${Period.name(options.period)}, in UTC. <strong class="${count === 0 ? "good" : "bad"}">${verdict}</strong></p>
      ${Page.facts([
        ["Ledger", markup`${options.read_as.map((sentence) => markup`<div>${sentence}</div>`)}`],
        ["Compared", markup`${options.amount} of the transfers whose ${options.key} is the ledger's key`],
        ["Statuses", markup`${ReconciliationLines.classes(self, options.settlement)}`],
        ["Made", markup`${Period.instant(options.made_at)}`],
      ])}
      ${ReconciliationPart.render(self)}`,
  })
}
