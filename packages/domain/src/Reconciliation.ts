/**
 * Reconciles a partner's ledger with the transfers of the service. Rows are paired by a key, without guessing. Every
 * row of either side is in exactly one outcome, so the totals of the outcomes are the totals of both sides.
 *
 * A row of the ledger belongs to a settled transfer. If it names an unsettled status, it belongs to a transfer of that
 * status. A row whose transfers have failed or are open is not settled, whatever its amount. A transfer that is not
 * settled need not be booked.
 */
import * as Iterable from "effect/Iterable"
import * as Following from "./internal/books/Following.ts"
import * as Grouping from "./internal/books/Grouping.ts"
import type { LedgerEntry } from "./internal/books/LedgerEntry.ts"
import type { Outcome } from "./internal/books/Outcome.ts"
import * as Pairing from "./internal/books/Pairing.ts"
import * as Rules from "./internal/books/Rules.ts"
import * as Totals from "./internal/books/Totals.ts"
import * as Transit from "./internal/books/Transit.ts"
import type { Transfer } from "./Transfer.ts"

export {
  type CarriedPart,
  carriedOf,
  type LedgerEntry,
  likenessOf,
  namingOf,
  rowsOf,
} from "./internal/books/LedgerEntry.ts"
export {
  type Difference,
  entriesOf,
  isBreak,
  type Outcome,
  type OutcomeTag,
  outcomeTags,
  outcomeWords,
  transfersOf,
  type Unmatched,
  type Unpaired,
} from "./internal/books/Outcome.ts"
export { mostRows } from "./internal/books/Pairing.ts"
export type { KnownPayout, Payouts } from "./internal/books/Payouts.ts"
export { type KeyField, keyFields } from "./FieldNames.ts"
export type { EarlierBooks, Part, ReconciliationOptions } from "./internal/books/Rules.ts"
export { breaks, byTag, type OutcomeTotals, type Totals } from "./internal/books/Totals.ts"

/** The outcomes of the ledger in its order, then those of the remaining transfers in theirs. */
export interface Reconciliation {
  readonly outcomes: ReadonlyArray<Outcome>
  readonly totals: Totals.Totals
}

/**
 * Pairs a ledger with transfers.
 *
 * @example
 * Reconciliation.reconcile([], [transfer]).outcomes.map((outcome) => outcome._tag) // => ["NotInLedger"]
 */
export const reconcile = (
  ledger: Iterable<LedgerEntry>,
  transfers: Iterable<Transfer>,
  options: Rules.ReconciliationOptions = {},
): Reconciliation => {
  const rules = Rules.make(options)
  const byKey = groupBy(transfers, (transfer) => transfer[rules.key] ?? "")
  const entries = options.payouts === undefined ? Iterable.flatMap(ledger, Following.intake(rules)) : ledger
  const entriesByKey = groupBy(entries, (entry) => entry.key)
  const outcomes: Array<Outcome> = []
  const use = (key: string, entries: ReadonlyArray<LedgerEntry>, candidates: ReadonlyArray<Transfer>) => {
    // Not spread into one call: many rows without a key would overflow the stack.
    for (const outcome of Pairing.outcomesOf(key, entries, candidates, rules)) outcomes.push(Transit.of(outcome, rules))
  }
  for (const [key, rows] of entriesByKey) {
    if (key === "") use(key, rows, [])
    else use(key, rules.isGrouped ? added(rows, rules) : rows, byKey.get(key) ?? [])
  }
  for (const [key, candidates] of byKey) {
    if (key === "" || !entriesByKey.has(key)) use(key, [], candidates)
  }
  return { outcomes, totals: Totals.of(outcomes, rules.amountOf) }
}

/**
 * The totals of some outcomes of a reconciliation with these options.
 *
 * @example
 * Reconciliation.totalsOf([], {}).Matched.outcomes // => 0
 */
export const totalsOf = (outcomes: ReadonlyArray<Outcome>, options: Rules.ReconciliationOptions): Totals.Totals =>
  Totals.of(outcomes, Rules.make(options).amountOf)

/**
 * Whether rows are within the period of the books.
 *
 * @example
 * Reconciliation.within({ period: CreatedAt.none }).transfer(transfer) // => false
 */
export const within = (options: Rules.ReconciliationOptions): Rules.Rules["isWithin"] => Rules.make(options).isWithin

/**
 * Where rows are, within the period of the books or on which side of it, and which transfers earlier books have settled. What
 * those left open is within.
 *
 * @example
 * Reconciliation.places({ period: CreatedAt.none }).partOf.transfer(transfer) // => "later"
 */
export const places = (options: Rules.ReconciliationOptions): Pick<Rules.Rules, "partOf" | "isUsed"> => {
  const { partOf, isUsed } = Rules.make(options)
  return { partOf, isUsed }
}

/** The rows of a key that are added while they come, however many there are. */
export interface Group extends Grouping.Group {}

/**
 * Adds the rows of one key, exactly. Those of different currencies or statuses stay apart, and those within the period
 * from those before and after it; an entry without a status has any.
 *
 * @example
 * Reconciliation.group({}).entries() // => []
 */
export const group = (options: Rules.ReconciliationOptions): Group => Grouping.make(Rules.make(options).partOf.entry)

/**
 * The payouts that rows of a ledger name, before any row is taken in: those of earlier books.
 *
 * @example
 * [...Reconciliation.payouts({}).known()] // => []
 */
export const payouts = (options: Rules.ReconciliationOptions): Rules.Rules["payouts"] => Rules.make(options).payouts

/**
 * Takes the rows of a ledger, one after the other, counts those that name a payout, and leaves out those before the period
 * that earlier books had: an overlapping ledger has them again. One that they did not have is late, and within the period. A
 * payout that they found right comes again if something of it is new.
 *
 * @example
 * Reconciliation.intake({})({ reference: "line 2", key: "a", amount: Money.parseUnsafe("1.10", "fiat/USD") }).length // => 1
 */
export const intake = (options: Rules.ReconciliationOptions): ((entry: LedgerEntry) => ReadonlyArray<LedgerEntry>) =>
  Following.intake(Rules.make(options))

const added = (rows: ReadonlyArray<LedgerEntry>, rules: Rules.Rules): ReadonlyArray<LedgerEntry> => {
  if (rows.length === 1) return rows
  const sums = Grouping.make(rules.partOf.entry)
  for (const row of rows) sums.add(row)
  return sums.entries()
}

const groupBy = <A>(items: Iterable<A>, keyOf: (item: A) => string): Map<string, Array<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const item of items) {
    const key = keyOf(item)
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [item])
    else known.push(item)
  }
  return groups
}
