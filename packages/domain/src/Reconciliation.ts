/**
 * Reconciles a partner's ledger with the transfers of the service. Rows are paired by a key, without guessing. Every
 * row of either side is in exactly one outcome, so the totals of the outcomes are the totals of both sides.
 */
import type { NonEmptyReadonlyArray } from "effect/Array"
import * as Result from "effect/Result"
import type { CurrencyCode } from "./CurrencyCode.ts"
import * as Money from "./Money.ts"
import type { MoneyField, Transfer } from "./Transfer.ts"

// ---------------------------------------------------------------------------------------------------- types

/** A row of the ledger. */
export interface LedgerEntry {
  /** Its place in the ledger, for the reader of a report: a line number, for example. */
  readonly reference: string
  /** The key to pair by, empty if the row has none. */
  readonly key: string
  readonly amount: Money.Money
  /** Compared only if given. */
  readonly status?: string
  /** Its day, as `YYYY-MM-DD`, for the reader of a report. */
  readonly date?: string
}

/** The fields of a transfer that can identify it. */
export const keyFields = ["external_id", "id", "network_transaction_id", "wallet_address"] as const

/** One of {@link keyFields}. */
export type KeyField = (typeof keyFields)[number]

/** How to pair and compare. */
export interface ReconciliationOptions {
  /**
   * The field of the transfer that holds the ledger's key.
   * @default "external_id"
   */
  readonly key?: KeyField
  /**
   * The field of the transfer that the ledger's amount is compared with.
   * @default "source_total"
   */
  readonly amount?: MoneyField
  /**
   * The largest difference to accept in each currency, in either direction. A currency that is not listed has none.
   * @default []
   */
  readonly tolerance?: ReadonlyArray<Money.Money>
}

/** One way in which a ledger entry and its transfer differ. */
export type Difference =
  /** `difference` is the transfer's amount minus the ledger's. */
  | { readonly _tag: "AmountDiffers"; readonly difference: Money.Money }
  | { readonly _tag: "CurrencyDiffers"; readonly ledger: CurrencyCode; readonly transfer: CurrencyCode }
  /** The transfer does not have the field that holds the amount. */
  | { readonly _tag: "AmountMissing" }
  | { readonly _tag: "StatusDiffers"; readonly ledger: string; readonly transfer: string }

/** The result for a ledger entry, a transfer, or a pair. */
export type Outcome =
  /** `difference` is present if it is not zero but within the tolerance. */
  | {
      readonly _tag: "Matched"
      readonly entry: LedgerEntry
      readonly transfer: Transfer
      readonly difference?: Money.Money
    }
  | {
      readonly _tag: "Differs"
      readonly entry: LedgerEntry
      readonly transfer: Transfer
      readonly differences: NonEmptyReadonlyArray<Difference>
    }
  /** The service has a transfer that the ledger does not have. */
  | { readonly _tag: "MissingHere"; readonly transfer: Transfer }
  /** The ledger has an entry that the service does not have. */
  | { readonly _tag: "MissingThere"; readonly entry: LedgerEntry }
  /** Several rows on one side have the key, so any pairing would be a guess. */
  | {
      readonly _tag: "Ambiguous"
      readonly key: string
      readonly entries: ReadonlyArray<LedgerEntry>
      readonly transfers: ReadonlyArray<Transfer>
    }

/** The tags of the outcomes, in the order of a report. */
export const outcomeTags = ["Matched", "Differs", "MissingHere", "MissingThere", "Ambiguous"] as const

/** One of {@link outcomeTags}. */
export type OutcomeTag = (typeof outcomeTags)[number] & Outcome["_tag"]

/** How many rows of each side have an outcome, and what they add up to in each currency. */
export interface OutcomeTotals {
  readonly outcomes: number
  readonly entries: number
  readonly transfers: number
  readonly ledger: ReadonlyArray<Money.Money>
  readonly service: ReadonlyArray<Money.Money>
}

/** The outcomes of the ledger in its order, then those of the remaining transfers in theirs. */
export interface Reconciliation {
  readonly outcomes: ReadonlyArray<Outcome>
  readonly totals: Readonly<Record<OutcomeTag, OutcomeTotals>>
}

// ---------------------------------------------------------------------------------------------------- pairing

/**
 * Pairs a ledger with transfers.
 *
 * @example
 * Reconciliation.reconcile([], [transfer]).outcomes.map((outcome) => outcome._tag) // => ["MissingHere"]
 */
export const reconcile = (
  ledger: Iterable<LedgerEntry>,
  transfers: Iterable<Transfer>,
  options: ReconciliationOptions = {},
): Reconciliation => {
  const { key = "external_id", amount = "source_total", tolerance = [] } = options
  const byKey = groupBy(transfers, (transfer) => transfer[key] ?? "")
  const entriesByKey = groupBy(ledger, (entry) => entry.key)
  const allowed = new Map(tolerance.map((money) => [money.currency_code, money]))
  const outcomes: Array<Outcome> = []
  for (const [name, entries] of entriesByKey) {
    const candidates = byKey.get(name) ?? []
    const [entry] = entries
    const [transfer] = candidates
    if (name === "" || candidates.length === 0) {
      // Not spread into one call: many rows without a key would overflow the stack.
      for (const lonely of entries) outcomes.push({ _tag: "MissingThere", entry: lonely })
    } else if (entries.length > 1 || candidates.length > 1 || entry === undefined || transfer === undefined) {
      outcomes.push({ _tag: "Ambiguous", key: name, entries, transfers: candidates })
    } else {
      outcomes.push(compare(entry, transfer, transfer[amount], allowed))
    }
  }
  for (const [name, candidates] of byKey) {
    if (name !== "" && entriesByKey.has(name)) continue
    for (const lonely of candidates) outcomes.push({ _tag: "MissingHere", transfer: lonely })
  }
  return { outcomes, totals: totalsOf(outcomes, amount) }
}

const groupBy = <A>(items: Iterable<A>, keyOf: (item: A) => string): Map<string, Array<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

const compare = (
  entry: LedgerEntry,
  transfer: Transfer,
  actual: Money.Money | undefined,
  tolerance: ReadonlyMap<string, Money.Money>,
): Outcome => {
  // Most amounts are equal as text, which needs no arithmetic.
  const isSame = actual?.text === entry.amount.text && actual.currency_code === entry.amount.currency_code
  const difference =
    actual === undefined || isSame ? undefined : Result.getOrUndefined(Money.subtract(actual, entry.amount))
  const [first, ...rest] = [
    ...(isSame ? [] : amountDifferences(entry, actual, difference, tolerance)),
    ...(entry.status === undefined || entry.status === transfer.status
      ? []
      : [{ _tag: "StatusDiffers" as const, ledger: entry.status, transfer: transfer.status }]),
  ]
  if (first !== undefined) return { _tag: "Differs", entry, transfer, differences: [first, ...rest] }
  return difference === undefined || Money.isZero(difference)
    ? { _tag: "Matched", entry, transfer }
    : { _tag: "Matched", entry, transfer, difference }
}

const amountDifferences = (
  entry: LedgerEntry,
  actual: Money.Money | undefined,
  difference: Money.Money | undefined,
  tolerance: ReadonlyMap<string, Money.Money>,
): ReadonlyArray<Difference> => {
  if (actual === undefined) return [{ _tag: "AmountMissing" }]
  if (difference === undefined) {
    return [{ _tag: "CurrencyDiffers", ledger: entry.amount.currency_code, transfer: actual.currency_code }]
  }
  const limit = tolerance.get(difference.currency_code)
  const size = Money.abs(difference)
  const passes = limit === undefined ? Money.isZero(size) : Money.Order(size, limit) <= 0
  return passes ? [] : [{ _tag: "AmountDiffers", difference }]
}

// ---------------------------------------------------------------------------------------------------- totals

const entriesOf = (outcome: Outcome): ReadonlyArray<LedgerEntry> => {
  if (outcome._tag === "Ambiguous") return outcome.entries
  return outcome._tag === "MissingHere" ? [] : [outcome.entry]
}

const transfersOf = (outcome: Outcome): ReadonlyArray<Transfer> => {
  if (outcome._tag === "Ambiguous") return outcome.transfers
  return outcome._tag === "MissingThere" ? [] : [outcome.transfer]
}

const totalsOf = (outcomes: ReadonlyArray<Outcome>, amount: MoneyField): Reconciliation["totals"] => {
  const of = (tag: OutcomeTag): OutcomeTotals => {
    const those = outcomes.filter((outcome) => outcome._tag === tag)
    const entries = those.flatMap(entriesOf)
    const transfers = those.flatMap(transfersOf)
    return {
      outcomes: those.length,
      entries: entries.length,
      transfers: transfers.length,
      ledger: Money.sumByCurrency(entries.map((entry) => entry.amount)),
      service: Money.sumByCurrency(transfers.flatMap((transfer) => transfer[amount] ?? [])),
    }
  }
  return {
    Matched: of("Matched"),
    Differs: of("Differs"),
    MissingHere: of("MissingHere"),
    MissingThere: of("MissingThere"),
    Ambiguous: of("Ambiguous"),
  }
}
