/** The ledger's rows of a key, added exactly. Those of different currencies or statuses stay apart. */
import * as Result from "effect/Result"
import * as Money from "../../Money.ts"
import * as LedgerEntry from "./LedgerEntry.ts"
import type { Part } from "./Rules.ts"

type Entry = LedgerEntry.LedgerEntry

/** Rows that come one after the other, in any number: only their sums are held. */
export interface Group {
  readonly add: (entry: Entry) => void
  /** The sums. A row without a status has any: it joins the only status that others have. */
  readonly entries: () => ReadonlyArray<Entry>
}

/** A group without rows. Those of each part are added apart from the others. */
export const make = (partOf: (entry: Entry) => Part): Group => {
  const sums = new Map<string, Sum>()
  const add = (entry: Entry): void => {
    const name = JSON.stringify([partOf(entry), entry.amount.currency_code, entry.status])
    const known = sums.get(name)
    sums.set(name, known === undefined ? sumOf(entry) : plus(known, sumOf(entry)))
  }
  const entries = (): ReadonlyArray<Entry> => {
    const all = [...sums.values()]
    const statuses = new Set(all.flatMap(({ first }) => first.status ?? []))
    const [only] = statuses.size === 1 ? statuses : []
    const joined = new Map<string, Sum>()
    for (const sum of all) {
      const { amount, status = only } = sum.first
      const name = JSON.stringify([partOf(sum.first), amount.currency_code, status])
      const known = joined.get(name)
      joined.set(name, known === undefined ? sum : plus(known, sum))
    }
    return [...joined.values()].map(entryOf).toSorted(LedgerEntry.compare)
  }
  return { add, entries }
}

/** Income and expense apart: together they may be nothing. */
interface Sum {
  readonly first: Entry
  readonly status: string | undefined
  readonly rows: number
  readonly in: Money.Money
  readonly out: Money.Money
  readonly carriedPart: LedgerEntry.CarriedPart | undefined
}

const sumOf = (entry: Entry): Sum => {
  const { amount, gross } = entry
  const zero = Money.zero(amount.currency_code)
  const [income, expense] = Money.isNegative(amount) ? [zero, amount] : [amount, zero]
  const rows = LedgerEntry.rowsOf(entry)
  return {
    first: entry,
    status: entry.status,
    rows,
    in: gross?.in ?? income,
    out: gross?.out ?? expense,
    carriedPart: LedgerEntry.carriedOf(entry),
  }
}

const plus = (self: Sum, that: Sum): Sum => ({
  first: LedgerEntry.compare(self.first, that.first) <= 0 ? self.first : that.first,
  status: self.status ?? that.status,
  rows: self.rows + that.rows,
  in: added(self.in, that.in),
  out: added(self.out, that.out),
  carriedPart: bothOf(self.carriedPart, that.carriedPart),
})

const bothOf = (
  self: LedgerEntry.CarriedPart | undefined,
  that: LedgerEntry.CarriedPart | undefined,
): LedgerEntry.CarriedPart | undefined =>
  self === undefined || that === undefined
    ? (self ?? that)
    : {
        rows: self.rows + that.rows,
        amount: added(self.amount, that.amount),
        since: self.since < that.since ? self.since : that.since,
      }

const added = (self: Money.Money, that: Money.Money): Money.Money => Result.getOrThrow(Money.add(self, that))

const entryOf = ({ first, status, rows, carriedPart, ...gross }: Sum): Entry => {
  if (rows === LedgerEntry.rowsOf(first)) return first
  return {
    ...first,
    amount: added(gross.in, gross.out),
    rows,
    ...(status === undefined ? {} : { status }),
    ...(carriedPart === undefined ? {} : { carriedPart }),
    ...(Money.isZero(gross.in) || Money.isZero(gross.out) ? {} : { gross }),
  }
}
