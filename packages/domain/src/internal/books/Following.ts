/**
 * What books that follow earlier ones may pair: what those have settled is no counterpart any more, and what they left open
 * is there as carried over.
 */
import type { Transfer } from "../../Transfer.ts"
import * as Comparison from "./Comparison.ts"
import * as LedgerEntry from "./LedgerEntry.ts"
import { entriesOf, type Outcome } from "./Outcome.ts"
import type { EarlierBooks, Rules } from "./Rules.ts"

type Entry = LedgerEntry.LedgerEntry

/** The transfers of a key that earlier books have not settled, and those that they have. */
export const free = (
  transfers: ReadonlyArray<Transfer>,
  rules: Rules,
): { readonly transfers: ReadonlyArray<Transfer>; readonly used: ReadonlyArray<Transfer> } => {
  const isUsed = (transfer: Transfer) => rules.isUsed(transfer) && rules.classOf(transfer) === "settled"
  return { transfers: transfers.filter((transfer) => !isUsed(transfer)), used: transfers.filter(isUsed) }
}

/** The rows that earlier books did not have. Those of them before the period were booked late, and are rows of these. */
export const unseen = (rules: Rules, earlier: EarlierBooks): ((entry: Entry) => ReadonlyArray<Entry>) => {
  const counts = new Map<string, number>()
  return (entry) => {
    if (rules.partOf.entry(entry) !== "earlier") return [entry]
    const likeness = LedgerEntry.likenessOf(entry)
    const count = (counts.get(likeness) ?? 0) + 1
    counts.set(likeness, count)
    return count > earlier.seen(entry) ? [{ ...entry, isLate: true }] : []
  }
}

/** Shows the settled transfers of a key beside the rows that have no other: those of equal amounts, then any. */
export const withUsed = (
  outcomes: ReadonlyArray<Outcome>,
  used: ReadonlyArray<Transfer>,
  rules: Rules,
): ReadonlyArray<Outcome> => {
  if (used.length === 0) return outcomes
  const lonely = outcomes.flatMap((outcome) => (outcome._tag === "NotAtService" ? [outcome.entry] : []))
  const shown = new Map<Entry, Transfer>()
  const left = [...used]
  const take = (test: (entry: Entry, transfer: Transfer) => boolean): void => {
    for (const entry of lonely.filter((one) => !shown.has(one))) {
      const index = left.findIndex((transfer) => test(entry, transfer))
      for (const transfer of index < 0 ? [] : left.splice(index, 1)) shown.set(entry, transfer)
    }
  }
  take((entry, transfer) => {
    const amount = rules.amountOf(transfer)
    return amount !== undefined && LedgerEntry.valueOf(amount) === LedgerEntry.valueOf(entry.amount)
  })
  take(() => true)
  const by = outcomes
    .filter(({ _tag }) => _tag !== "NotAtService")
    .flatMap(entriesOf)
    .map(({ reference }) => reference)
  return outcomes.flatMap((outcome): ReadonlyArray<Outcome> => {
    if (outcome._tag !== "NotAtService") return [outcome]
    const transfer = shown.get(outcome.entry)
    if (transfer === undefined) return [{ ...outcome, why: { _tag: "Taken", by } }]
    return [Comparison.outcomeOf(outcome.entry, transfer, rules) ?? outcome]
  })
}
