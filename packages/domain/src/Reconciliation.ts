/**
 * Reconciles a partner's ledger with the transfers of the service. Rows are paired by a key, without guessing. Every
 * row of either side is in exactly one outcome, so the totals of the outcomes are the totals of both sides.
 *
 * Several transfers of a key are attempts at one payment if at most one of them was not declined. The ledger's entry of
 * that key is paired with the only attempt of its status. If there is none, it is paired with the attempt that was not
 * declined, unless only a declined one has the entry's amount, which is ambiguous. If its status names several, or all
 * were declined, the amount decides. Several entries are paired by their statuses, if each has its own. Whatever else
 * has several rows on a side is ambiguous.
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
  /**
   * How many rows of the ledger were added to it by {@link group}.
   * @default 1
   */
  readonly rows?: number
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
  /**
   * Whether the ledger's rows of a key are added before they are compared, as fees that are booked apart need.
   * @default false
   */
  readonly group?: boolean
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
  | { readonly _tag: "NotInLedger"; readonly transfer: Transfer }
  /** The ledger has an entry that the service does not have. */
  | { readonly _tag: "NotAtService"; readonly entry: LedgerEntry }
  /** A declined attempt at a payment of which another attempt was paired with the ledger. */
  | { readonly _tag: "NothingToBook"; readonly transfer: Transfer }
  /** Several rows on one side have the key, so any pairing would be a guess. */
  | {
      readonly _tag: "Ambiguous"
      readonly key: string
      readonly entries: ReadonlyArray<LedgerEntry>
      readonly transfers: ReadonlyArray<Transfer>
    }

/** The tags of the outcomes, in the order of a report. */
export const outcomeTags = ["Matched", "Differs", "NotInLedger", "NotAtService", "Ambiguous", "NothingToBook"] as const

/** One of {@link outcomeTags}. */
export type OutcomeTag = (typeof outcomeTags)[number] & Outcome["_tag"]

/**
 * The words for each outcome on screens and pages. JSON and CSV have the tags.
 *
 * @example
 * Reconciliation.outcomeWords.NotInLedger // => "Not in your books"
 */
export const outcomeWords: Readonly<Record<OutcomeTag, string>> = {
  Matched: "Matched",
  Differs: "Different",
  NotInLedger: "Not in your books",
  NotAtService: "Not at the service",
  Ambiguous: "Several candidates",
  NothingToBook: "Nothing to book",
}

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
 * Reconciliation.reconcile([], [transfer]).outcomes.map((outcome) => outcome._tag) // => ["NotInLedger"]
 */
export const reconcile = (
  ledger: Iterable<LedgerEntry>,
  transfers: Iterable<Transfer>,
  options: ReconciliationOptions = {},
): Reconciliation => {
  const { key = "external_id", amount = "source_total", tolerance = [], group: isGrouped = false } = options
  const byKey = groupBy(transfers, (transfer) => transfer[key] ?? "")
  const entriesByKey = groupBy(ledger, (entry) => entry.key)
  const allowed = new Map(tolerance.map((money) => [money.currency_code, money]))
  const outcomes: Array<Outcome> = []
  for (const [name, rows] of entriesByKey) {
    const candidates = byKey.get(name) ?? []
    const entries = isGrouped && name !== "" ? group(rows) : rows
    if (name === "" || candidates.length === 0) {
      // Not spread into one call: many rows without a key would overflow the stack.
      for (const lonely of entries) outcomes.push({ _tag: "NotAtService", entry: lonely })
      continue
    }
    const pairs = pairsOf(entries, candidates, amount)
    if (pairs === undefined) {
      outcomes.push({ _tag: "Ambiguous", key: name, entries, transfers: candidates })
      continue
    }
    for (const { entry, transfer } of pairs) outcomes.push(compare(entry, transfer, transfer[amount], allowed))
    for (const transfer of candidates) {
      if (pairs.some((pair) => pair.transfer === transfer)) continue
      outcomes.push({ _tag: isDeclined(transfer) ? "NothingToBook" : "NotInLedger", transfer })
    }
  }
  for (const [name, candidates] of byKey) {
    if (name !== "" && entriesByKey.has(name)) continue
    for (const lonely of candidates) outcomes.push({ _tag: "NotInLedger", transfer: lonely })
  }
  return { outcomes, totals: totalsOf(outcomes, amount) }
}

interface Pair {
  readonly entry: LedgerEntry
  readonly transfer: Transfer
}

/** More rows of a key than this, on either side, are not attempts at one payment. */
export const mostAttempts = 50

const isDeclined = ({ status }: Transfer): boolean => status === "declined"

/** The pairs of a key, if its rows leave no doubt. */
const pairsOf = (
  entries: ReadonlyArray<LedgerEntry>,
  transfers: ReadonlyArray<Transfer>,
  amount: MoneyField,
): ReadonlyArray<Pair> | undefined => {
  const [entry, ...more] = entries
  const [transfer, ...others] = transfers
  if (entry === undefined || transfer === undefined) return undefined
  if (more.length === 0 && others.length === 0) return [{ entry, transfer }]
  if (Math.max(entries.length, transfers.length) > mostAttempts) return undefined
  const alive = transfers.filter((attempt) => !isDeclined(attempt))
  if (alive.length > 1) return undefined
  if (more.length > 0) return pairsByStatus(entries, transfers)
  const counterpart = attemptOf(entry, transfers, amount)
  return counterpart && [{ entry, transfer: counterpart }]
}

/** The attempt that an entry is about: the one of its status or, if that names several, the one of its amount. */
const attemptOf = (
  entry: LedgerEntry,
  transfers: ReadonlyArray<Transfer>,
  amount: MoneyField,
): Transfer | undefined => {
  const named = transfers.filter(({ status }) => status === entry.status)
  if (named.length === 1) return named[0]
  const hasAmount = (transfer: Transfer) =>
    transfer[amount] !== undefined && Money.equals(transfer[amount], entry.amount)
  const [equal, ...others] = (named.length === 0 ? transfers : named).filter(hasAmount)
  const paid = transfers.find((transfer) => !isDeclined(transfer))
  if (named.length > 0 || paid === undefined) return others.length === 0 ? equal : undefined
  return equal === undefined || hasAmount(paid) ? paid : undefined
}

/** Each entry with the transfer of its status, if every entry has one and no status occurs twice on a side. */
const pairsByStatus = (
  entries: ReadonlyArray<LedgerEntry>,
  transfers: ReadonlyArray<Transfer>,
): ReadonlyArray<Pair> | undefined => {
  const byStatus = new Map(transfers.map((transfer) => [transfer.status, transfer]))
  if (byStatus.size < transfers.length || new Set(entries.map(({ status }) => status)).size < entries.length) {
    return undefined
  }
  const pairs = entries.flatMap((entry) => {
    const transfer = byStatus.get(entry.status ?? "")
    return transfer === undefined ? [] : [{ entry, transfer }]
  })
  return pairs.length === entries.length ? pairs : undefined
}

/**
 * Adds the entries of one key, exactly. Those of different currencies or statuses stay apart; an entry without a status
 * has any.
 *
 * @example
 * Reconciliation.group([]) // => []
 */
export const group = (entries: ReadonlyArray<LedgerEntry>): ReadonlyArray<LedgerEntry> => {
  const statuses = new Set(entries.flatMap(({ status }) => status ?? []))
  const [only] = statuses.size === 1 ? statuses : []
  const groups = groupBy(entries, ({ amount, status = only ?? "" }) => `${amount.currency_code} ${status}`)
  return [...groups.values()].flatMap((members) => {
    const [first, ...others] = members
    if (first === undefined) return []
    if (others.length === 0) return [first]
    const status = members.find((member) => member.status !== undefined)?.status
    const rows = members.reduce((count, member) => count + rowsOf(member), 0)
    const amounts = Money.sumByCurrency(members.map((member) => member.amount))
    return amounts.map((amount) => ({ ...first, amount, rows, ...(status === undefined ? {} : { status }) }))
  })
}

const rowsOf = ({ rows = 1 }: LedgerEntry): number => rows

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
  return outcome._tag === "NotInLedger" || outcome._tag === "NothingToBook" ? [] : [outcome.entry]
}

const transfersOf = (outcome: Outcome): ReadonlyArray<Transfer> => {
  if (outcome._tag === "Ambiguous") return outcome.transfers
  return outcome._tag === "NotAtService" ? [] : [outcome.transfer]
}

const totalsOf = (outcomes: ReadonlyArray<Outcome>, amount: MoneyField): Reconciliation["totals"] => {
  const of = (tag: OutcomeTag): OutcomeTotals => {
    const those = outcomes.filter((outcome) => outcome._tag === tag)
    const entries = those.flatMap(entriesOf)
    const transfers = those.flatMap(transfersOf)
    return {
      outcomes: those.length,
      entries: entries.reduce((count, entry) => count + rowsOf(entry), 0),
      transfers: transfers.length,
      ledger: Money.sumByCurrency(entries.map((entry) => entry.amount)),
      service: Money.sumByCurrency(transfers.flatMap((transfer) => transfer[amount] ?? [])),
    }
  }
  return {
    Matched: of("Matched"),
    Differs: of("Differs"),
    NotInLedger: of("NotInLedger"),
    NotAtService: of("NotAtService"),
    Ambiguous: of("Ambiguous"),
    NothingToBook: of("NothingToBook"),
  }
}
