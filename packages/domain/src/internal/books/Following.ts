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

/** The rows of a key. */
interface Rows {
  readonly entries: ReadonlyArray<Entry>
  readonly transfers: ReadonlyArray<Transfer>
}

/** The rows that earlier books have not settled, and the transfers that they have. */
export const free = (
  { entries, transfers }: Rows,
  rules: Rules,
  earlier: EarlierBooks,
): Rows & { readonly used: ReadonlyArray<Transfer> } => {
  const isUsed = (transfer: Transfer) => rules.isUsed(transfer) && rules.classOf(transfer) === "settled"
  return {
    entries: freeEntries({ entries, transfers }, rules, earlier),
    transfers: transfers.filter((transfer) => !isUsed(transfer)),
    used: transfers.filter(isUsed),
  }
}

/**
 * A row before the period that is not carried over has a transfer in earlier books, or is the row that is carried over, which
 * an overlapping ledger has again. Only if the key has nothing else than a transfer that was left open can it be a row of that
 * which was booked later.
 */
const freeEntries = ({ entries, transfers }: Rows, rules: Rules, earlier: EarlierBooks): ReadonlyArray<Entry> => {
  const own = entries.filter((entry) => rules.partOf.entry(entry) !== "earlier")
  const [[entry, ...more], [transfer, ...others]] = [entries, transfers]
  if (entry === undefined || transfer === undefined || more.length + others.length > 0) return own
  const amount = earlier.isOpen(transfer) ? rules.amountOf(transfer) : undefined
  return amount !== undefined && LedgerEntry.valueOf(amount) === LedgerEntry.valueOf(entry.amount) ? entries : own
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
