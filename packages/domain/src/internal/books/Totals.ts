/** The outcomes of a reconciliation in numbers: together they are the totals of both sides. */
import * as Money from "../../Money.ts"
import { rowsOf } from "./LedgerEntry.ts"
import { entriesOf, isBreak, type Outcome, type OutcomeTag, outcomeTags, transfersOf } from "./Outcome.ts"
import type { Rules } from "./Rules.ts"

/** How many rows of each side have an outcome, and what they add up to in each currency. */
export interface OutcomeTotals {
  readonly outcomes: number
  /** How many of them a person must look at. */
  readonly breaks: number
  readonly entries: number
  readonly transfers: number
  readonly ledger: ReadonlyArray<Money.Money>
  readonly service: ReadonlyArray<Money.Money>
}

/** The totals of each outcome. */
export type Totals = Readonly<Record<OutcomeTag, OutcomeTotals>>

/** The totals of some outcomes. */
export const of = (outcomes: ReadonlyArray<Outcome>, amountOf: Rules["amountOf"]): Totals => {
  const groups = Map.groupBy(outcomes, ({ _tag }) => _tag)
  return byTag((tag) => {
    const those = groups.get(tag) ?? []
    const entries = those.flatMap(entriesOf)
    const transfers = those.flatMap(transfersOf)
    return {
      outcomes: those.length,
      breaks: those.filter(isBreak).length,
      entries: entries.reduce((count, entry) => count + rowsOf(entry), 0),
      transfers: transfers.length,
      ledger: Money.sumByCurrency(entries.map((entry) => entry.amount)),
      service: Money.sumByCurrency(transfers.flatMap((transfer) => amountOf(transfer) ?? [])),
    }
  })
}

/**
 * A value for each outcome.
 *
 * @example
 * Object.keys(Reconciliation.byTag(() => 0)) // => [...Reconciliation.outcomeTags]
 */
export const byTag = <A>(make: (tag: OutcomeTag) => A): Record<OutcomeTag, A> => {
  const [
    Matched,
    Differs,
    NotInLedger,
    NotAtService,
    NotSettled,
    OtherPeriod,
    Payout,
    Ambiguous,
    Expected,
    NothingToBook,
  ] = outcomeTags
  return {
    Matched: make(Matched),
    Differs: make(Differs),
    NotInLedger: make(NotInLedger),
    NotAtService: make(NotAtService),
    NotSettled: make(NotSettled),
    OtherPeriod: make(OtherPeriod),
    Payout: make(Payout),
    Ambiguous: make(Ambiguous),
    Expected: make(Expected),
    NothingToBook: make(NothingToBook),
  }
}

/**
 * How many outcomes a person must look at.
 *
 * @example
 * Reconciliation.breaks(Reconciliation.reconcile([], [transfer]).totals) // => 1
 */
export const breaks = (totals: Totals): number => outcomeTags.reduce((sum, tag) => sum + totals[tag].breaks, 0)
