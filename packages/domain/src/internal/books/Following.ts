/**
 * What books that follow earlier ones may pair: what those have settled is no counterpart any more, and what they left open
 * is there as carried over.
 */
import type { Transfer } from "../../Transfer.ts"
import * as Comparison from "./Comparison.ts"
import * as LedgerEntry from "./LedgerEntry.ts"
import { entriesOf, type Outcome } from "./Outcome.ts"
import type { Rules } from "./Rules.ts"

type Entry = LedgerEntry.LedgerEntry

/** The transfers of a key that earlier books have not settled, and those that they have. */
export const free = (
  transfers: ReadonlyArray<Transfer>,
  rules: Rules,
): { readonly transfers: ReadonlyArray<Transfer>; readonly used: ReadonlyArray<Transfer> } => {
  const isUsed = (transfer: Transfer) => rules.isUsed(transfer) && rules.classOf(transfer) === "settled"
  return { transfers: transfers.filter((transfer) => !isUsed(transfer)), used: transfers.filter(isUsed) }
}

/**
 * Takes the rows of a ledger, and counts those that name a payout. The rows of books that follow others are those that these
 * did not have; one before the period was booked late. A payout that these found right comes again if something of it is new.
 */
export const intake = (rules: Rules): ((entry: Entry) => ReadonlyArray<Entry>) => {
  const { payouts, earlier } = rules
  const partOf = rules.partOf.entry
  if (earlier === undefined) {
    return (entry) => {
      const payout = LedgerEntry.payoutOf(entry)
      if (payout !== undefined) payouts.add(payout, entry, partOf(entry) === "later")
      return [entry]
    }
  }
  const isUnseen = surplus(LedgerEntry.likenessOf, earlier.seen)
  const isUncounted = surplus((entry) => LedgerEntry.namingOf(entry) ?? "", earlier.named)
  return (entry) => {
    const part = partOf(entry)
    const rows = part !== "earlier" ? [entry] : isUnseen(entry) ? [{ ...entry, isLate: true }] : []
    // A row that is carried over counted in the books that left it open.
    const payout = entry.carried === undefined ? LedgerEntry.payoutOf(entry) : undefined
    const named = payout !== undefined && (part !== "earlier" || isUncounted(entry)) ? payout : undefined
    if (named !== undefined) payouts.add(named, entry, part === "later")
    const paid = rows.length > 0 && part !== "later" ? entry.key : undefined
    return [...rows, ...[named, paid].flatMap((id) => (id === undefined ? [] : payouts.again(id)))]
  }
}

/** Whether a row is one more with its name than earlier books had. */
const surplus = (nameOf: (entry: Entry) => string, had: (entry: Entry) => number): ((entry: Entry) => boolean) => {
  const counts = new Map<string, number>()
  return (entry) => {
    const name = nameOf(entry)
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count > had(entry)
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
