/**
 * Pairs the rows of one key, without guessing.
 *
 * A row that names an unsettled status is paired among the transfers of that status, every other row among the settled
 * ones. Rows and transfers of equal amounts are pairs if there are as many of them on both sides: they are
 * interchangeable. Of the others, a single row and a single transfer are a pair, and several are ambiguous. Rows within
 * the period come first; those outside are only used for what is left, as far as they have no counterpart of their own.
 */
import { isReadonlyArrayNonEmpty } from "effect/Array"
import type * as Money from "../../Money.ts"
import type { Transfer } from "../../Transfer.ts"
import * as Comparison from "./Comparison.ts"
import * as Following from "./Following.ts"
import * as LedgerEntry from "./LedgerEntry.ts"
import { type Outcome, transfersOf } from "./Outcome.ts"
import type { Part, Rules } from "./Rules.ts"

type Entry = LedgerEntry.LedgerEntry

/** If a key has more rows on a side, and some on the other, all are ambiguous: they would not fit in memory. */
export const mostRows = 1000

/** The outcomes of a key. */
export const outcomesOf = (
  key: string,
  entries: ReadonlyArray<Entry>,
  transfers: ReadonlyArray<Transfer>,
  rules: Rules,
): ReadonlyArray<Outcome> => {
  if (rules.earlier === undefined || key === "") return pooled(key, entries, transfers, rules)
  const { used, transfers: free } = Following.free(transfers, rules)
  return Following.withUsed(pooled(key, entries, free, rules), used, rules)
}

/** The outcomes of rows that no earlier books have settled. */
const pooled = (
  key: string,
  entries: ReadonlyArray<Entry>,
  transfers: ReadonlyArray<Transfer>,
  rules: Rules,
): ReadonlyArray<Outcome> => {
  if (key === "" || entries.length === 0 || transfers.length === 0) {
    const paid =
      key === "" ? undefined : rules.payouts.outcomesOf(entries.filter(rules.isWithin.entry), rules.tolerance)
    return [...(paid ?? entries.flatMap((entry) => alone(entry, rules))), ...unbooked(transfers, rules)]
  }
  const [entry] = entries
  const [transfer] = transfers
  if (entries.length === 1 && transfers.length === 1 && entry !== undefined && transfer !== undefined) {
    return single(entry, transfer, rules)
  }
  if (Math.max(entries.length, transfers.length) > mostRows) return [{ _tag: "Ambiguous", key, entries, transfers }]
  return several(
    key,
    { entries: entries.toSorted(LedgerEntry.compare), transfers: transfers.toSorted(byCreation) },
    rules,
  )
}

const alone = (entry: Entry, { isWithin, isEverywhere }: Rules): ReadonlyArray<Outcome> => {
  if (!isWithin.entry(entry)) return []
  if (entry.key === "") return [{ _tag: "NotAtService", entry, why: { _tag: "NoKey" } }]
  return [{ _tag: "NotAtService", entry, why: { _tag: "NotFound", isEverywhere: isEverywhere(entry.key) } }]
}

const unbooked = (transfers: ReadonlyArray<Transfer>, rules: Rules): ReadonlyArray<Outcome> =>
  transfers.flatMap((transfer): ReadonlyArray<Outcome> => {
    if (!rules.isWithin.transfer(transfer)) return []
    const settlement = rules.classOf(transfer)
    if (settlement !== "settled") return [{ _tag: "NothingToBook", transfer, why: settlement }]
    return rules.isRequired(transfer)
      ? [{ _tag: "NotInLedger", transfer }]
      : [{ _tag: "NothingToBook", transfer, why: "filtered" }]
  })

/** Most keys have one row on each side. */
const single = (entry: Entry, transfer: Transfer, rules: Rules): ReadonlyArray<Outcome> => {
  if (entry.status === transfer.status || rules.classOf(transfer) === "settled") {
    const outcome = Comparison.outcomeOf(entry, transfer, rules)
    return outcome === undefined ? [] : [outcome]
  }
  if (!rules.isWithin.entry(entry)) return unbooked([transfer], rules)
  const { key } = entry
  return [{ _tag: "NotSettled", key, entries: [entry], transfers: [transfer], statuses: [transfer.status] }]
}

// ---------------------------------------------------------------------------------------------------- several rows

interface Pool {
  readonly entries: ReadonlyArray<Entry>
  readonly transfers: ReadonlyArray<Transfer>
}

interface Pair {
  readonly entry: Entry
  readonly transfer: Transfer
}

const several = (key: string, rows: Pool, rules: Rules): ReadonlyArray<Outcome> => {
  const isSettled = (transfer: Transfer) => rules.classOf(transfer) === "settled"
  const [settled, unsettled] = partition(rows.transfers, isSettled)
  const statuses = [...new Set(rows.transfers.map(({ status }) => status))].toSorted()
  const pairs: Array<Pair> = []
  const outcomes: Array<Outcome> = []
  const settle = (pool: Pool, more: ReadonlyArray<Entry> = []): Pool => {
    const equal = equalPairs(pool, rules)
    pairs.push(...equal.pairs)
    const left = leftOf(key, { ...equal.left, entries: [...equal.left.entries, ...more] }, rules)
    pairs.push(...left.pairs)
    outcomes.push(...left.ambiguous)
    return left.left
  }

  // Those that name an unsettled status, each with the transfers of that status.
  const names = new Set(unsettled.map(({ status }) => status))
  const namesUnsettled = ({ status }: Entry) => status !== undefined && names.has(status)
  const [named, others] = partition(rows.entries, namesUnsettled)
  const rests = [...names].map((name) =>
    settle({
      entries: named.filter(({ status }) => status === name),
      transfers: unsettled.filter(({ status }) => status === name),
    }),
  )
  // A row that names a status which no transfer has is a counterpart only for what the others leave.
  const [usual, strays] = partition(others, ({ status }) => status === undefined || rules.isSettledStatus(status))
  const rest = settle({ entries: usual, transfers: settled }, strays)

  const entries = [...rests.flatMap((pool) => pool.entries), ...rest.entries].toSorted(LedgerEntry.compare)
  const used = new Set([...pairs.map(({ transfer }) => transfer), ...outcomes.flatMap(transfersOf)])
  const open = unsettled.filter((transfer) => !used.has(transfer))
  const of = { key, statuses }
  const notSettled =
    settled.length === 0 ? allOf({ entries, transfers: open }, of) : equalOf({ entries, transfers: open }, of, rules)
  const by = pairs.map(({ entry }) => entry.reference)
  return [
    ...pairs.flatMap(({ entry, transfer }) => Comparison.outcomeOf(entry, transfer, rules) ?? []),
    ...outcomes,
    ...notSettled.outcomes,
    ...notSettled.left.entries.map((entry): Outcome => ({ _tag: "NotAtService", entry, why: { _tag: "Taken", by } })),
    ...unbooked([...rest.transfers, ...notSettled.left.transfers], rules),
  ]
}

type NotSettled = { readonly outcomes: ReadonlyArray<Outcome>; readonly left: Pool }

interface Key {
  readonly key: string
  readonly statuses: ReadonlyArray<string>
}

/** No transfer of the key is settled, so no row of the key is. */
const allOf = ({ entries, transfers }: Pool, of: Key): NotSettled =>
  isReadonlyArrayNonEmpty(entries)
    ? { outcomes: [{ _tag: "NotSettled", ...of, entries, transfers }], left: none }
    : { outcomes: [], left: { entries, transfers } }

/** Other rows have the settled transfers; of those that are left, rows and transfers of equal amounts belong together. */
const equalOf = (rows: Pool, of: Key, rules: Rules): NotSettled => {
  const { pairs, left } = equalPairs(rows, rules)
  return {
    outcomes: pairs.map(({ entry, transfer }) => ({
      _tag: "NotSettled",
      ...of,
      entries: [entry],
      transfers: [transfer],
    })),
    left: { entries: left.entries.filter(rules.isWithin.entry), transfers: left.transfers },
  }
}

const none: Pool = { entries: [], transfers: [] }

/**
 * Pairs of equal amounts, if both sides have as many of them. Rows outside of the period are those of each other first: what
 * has a counterpart in its own period is not there for rows within.
 */
const equalPairs = (rows: Pool, rules: Rules): { readonly pairs: ReadonlyArray<Pair>; readonly left: Pool } => {
  const byValue = new Map<string, { entries: Array<Entry>; transfers: Array<Transfer> }>()
  const of = (money: Money.Money) => {
    const value = LedgerEntry.valueOf(money)
    const known = byValue.get(value) ?? { entries: [], transfers: [] }
    byValue.set(value, known)
    return known
  }
  const left: { entries: Array<Entry>; transfers: Array<Transfer> } = { entries: [], transfers: [] }
  for (const entry of rows.entries) of(entry.amount).entries.push(entry)
  for (const transfer of rows.transfers) {
    const amount = rules.amountOf(transfer)
    if (amount === undefined) left.transfers.push(transfer)
    else of(amount).transfers.push(transfer)
  }
  const pairs: Array<Pair> = []
  for (const group of byValue.values()) {
    const { within, earlier, later } = split(group, rules)
    const [before, after] = [apart(earlier, "last"), apart(later, "first")]
    // They have no outcome, but a row within names them as those that have its transfer.
    pairs.push(...zip(before.paired), ...zip(after.paired))
    const rest = union([before.left, within, after.left])
    const [paired, others] = isEven(within)
      ? [within, union([before.left, after.left])]
      : isEven(rest)
        ? [rest, none]
        : [none, rest]
    pairs.push(...zip(paired))
    left.entries.push(...others.entries)
    left.transfers.push(...others.transfers)
  }
  return { pairs, left }
}

/** As many rows of both sides as are pairs, and the others, which are those next to the period: the first, or the last. */
const apart = (
  { entries, transfers }: Pool,
  nearest: "first" | "last",
): { readonly paired: Pool; readonly left: Pool } => {
  const count = Math.min(entries.length, transfers.length)
  const parts = <A>(rows: ReadonlyArray<A>) => {
    const at = nearest === "first" ? rows.length - count : count
    const [start, end] = [rows.slice(0, at), rows.slice(at)]
    return nearest === "first" ? { left: start, paired: end } : { left: end, paired: start }
  }
  const [own, sent] = [parts(entries), parts(transfers)]
  return {
    paired: { entries: own.paired, transfers: sent.paired },
    left: { entries: own.left, transfers: sent.left },
  }
}

const isEven = ({ entries, transfers }: Pool): boolean => entries.length === transfers.length

/** Rows with a status get a transfer of it, as far as there are some; the others follow in order. */
const zip = ({ entries, transfers }: Pool): ReadonlyArray<Pair> => {
  const left = [...transfers]
  const take = (entry: Entry, index: number): ReadonlyArray<Pair> =>
    left.splice(index, 1).map((transfer) => ({ entry, transfer }))
  const [named, others] = partition(entries, ({ status }) => status !== undefined)
  const waiting: Array<Entry> = []
  const pairs = named.flatMap((entry) => {
    const index = left.findIndex(({ status }) => status === entry.status)
    if (index < 0) waiting.push(entry)
    return index < 0 ? [] : take(entry, index)
  })
  const rest = [...waiting, ...others].toSorted(LedgerEntry.compare)
  return [...pairs, ...rest.flatMap((entry) => take(entry, 0))]
}

interface Left {
  readonly pairs: ReadonlyArray<Pair>
  readonly ambiguous: ReadonlyArray<Outcome>
  /** Rows of one side only. */
  readonly left: Pool
}

/**
 * What is left after equal amounts: a single row and a single transfer are a pair. Rows before or after the period that have
 * transfers there are left to the books of those days.
 */
const leftOf = (key: string, rows: Pool, rules: Rules): Left => {
  const { within, earlier, later } = split(rows, rules)
  const outside = union([earlier, later].filter((part) => part.entries.length === 0 || part.transfers.length === 0))
  const entries = within.entries.length > 0 ? within.entries : outside.entries
  const transfers = within.transfers.length > 0 ? within.transfers : outside.transfers
  const [entry] = entries
  const [transfer] = transfers
  const isNone = within.entries.length === 0 && within.transfers.length === 0
  if (isNone || entry === undefined || transfer === undefined) return { pairs: [], ambiguous: [], left: within }
  if (entries.length === 1 && transfers.length === 1) {
    return { pairs: [{ entry, transfer }], ambiguous: [], left: none }
  }
  return { pairs: [], ambiguous: [{ _tag: "Ambiguous", key, entries, transfers }], left: none }
}

const split = ({ entries, transfers }: Pool, { partOf }: Rules): Readonly<Record<Part, Pool>> => {
  const of = (part: Part): Pool => ({
    entries: entries.filter((entry) => partOf.entry(entry) === part),
    transfers: transfers.filter((transfer) => partOf.transfer(transfer) === part),
  })
  return { earlier: of("earlier"), within: of("within"), later: of("later") }
}

const union = (pools: ReadonlyArray<Pool>): Pool => ({
  entries: pools.flatMap(({ entries }) => entries),
  transfers: pools.flatMap(({ transfers }) => transfers),
})

const partition = <A>(items: ReadonlyArray<A>, test: (item: A) => boolean): readonly [Array<A>, Array<A>] => {
  const [passed, failed]: [Array<A>, Array<A>] = [[], []]
  for (const item of items) (test(item) ? passed : failed).push(item)
  return [passed, failed]
}

/** Does not depend on the order in which a service sends them. */
const byCreation = (self: Transfer, that: Transfer): number => {
  const [one, other] = [self.created_at.epochNanoseconds, that.created_at.epochNanoseconds]
  if (one !== other) return one < other ? -1 : 1
  return self.id < that.id ? -1 : self.id > that.id ? 1 : 0
}
