/** A row of the ledger. */
import * as Amount from "../../Amount.ts"
import type * as Money from "../../Money.ts"
import type { Timestamp } from "../../Timestamp.ts"

/** A row of the ledger. */
export interface LedgerEntry {
  /** Its place in the ledger, for the reader of a report: a line number, for example. */
  readonly reference: string
  /** The key to pair by, empty if the row has none. */
  readonly key: string
  readonly amount: Money.Money
  /** Compared only if given. */
  readonly status?: string
  /** Its day as `YYYY-MM-DD`, by the clocks of the time zone of the reconciliation. */
  readonly date?: string
  /** Its instant, if the ledger states one with its offset. */
  readonly at?: Timestamp
  /**
   * How many rows of the ledger were added to it by `group`.
   * @default 1
   */
  readonly rows?: number
  /** The rows that were added, income and expense apart, if there were both: a payment and its refund add up to zero. */
  readonly gross?: { readonly in: Money.Money; readonly out: Money.Money }
  /** The id of the payout that the row is a part of, if the ledger names one. */
  readonly payout?: string
  /** Of the rows that were added, those that come from the books of an earlier period. */
  readonly carriedPart?: CarriedPart
  /** The day since which it is open, if it comes from the books of an earlier period. It is within any period. */
  readonly carried?: string
  /** Whether it is dated before the period, and the books of its day did not have it. It is within the period, then. */
  readonly isLate?: boolean
}

/** Rows from the books of an earlier period. */
export interface CarriedPart {
  readonly rows: number
  readonly amount: Money.Money
  /** The day since which the first of them is open. */
  readonly since: string
}

/**
 * How many rows of the ledger an entry stands for.
 *
 * @example
 * Reconciliation.rowsOf({ reference: "line 2", key: "a", amount: Money.parseUnsafe("1.10", "fiat/USD"), rows: 3 }) // => 3
 */
export const rowsOf = ({ rows = 1 }: LedgerEntry): number => rows

/**
 * The rows of an entry that come from the books of an earlier period.
 *
 * @example
 * Reconciliation.carriedOf({ reference: "line 2", key: "a", amount: Money.parseUnsafe("1.10", "fiat/USD"), carried: "2024-08-31" })?.rows // => 1
 */
export const carriedOf = (entry: LedgerEntry): CarriedPart | undefined =>
  entry.carriedPart ??
  (entry.carried === undefined ? undefined : { rows: rowsOf(entry), amount: entry.amount, since: entry.carried })

/** An amount and its currency, equal as texts if they are equal. */
export const valueOf = ({ text, currency_code }: Money.Money): string => {
  const amount = Amount.withoutZeros(text)
  return `${amount === "-0" ? "0" : amount} ${currency_code}`
}

/**
 * What makes a row the same in two ledgers: its key, amount, day and status. Several rows may have the same.
 *
 * @example
 * Reconciliation.likenessOf({ reference: "line 2", key: "a", amount: Money.parseUnsafe("1.10", "fiat/USD") }) // => '["a","1.1 fiat/USD",null,null]'
 */
export const likenessOf = ({ key, amount, date, status }: LedgerEntry): string =>
  JSON.stringify([key, valueOf(amount), date ?? null, status ?? null])

/** The payout that a row names. It is none of itself. */
export const payoutOf = ({ payout = "", key }: LedgerEntry): string | undefined =>
  payout === "" || payout === key ? undefined : payout

/**
 * The same with the payout that the row names, if it names one: an earlier ledger may not have named it yet.
 *
 * @example
 * Reconciliation.namingOf({ reference: "line 2", key: "a", amount: Money.parseUnsafe("1.10", "fiat/USD"), payout: "P" }) // => '["P","a","1.1 fiat/USD",null,null]'
 */
export const namingOf = (entry: LedgerEntry): string | undefined => {
  const payout = payoutOf(entry)
  return payout === undefined ? undefined : `[${JSON.stringify(payout)},${likenessOf(entry).slice(1)}`
}

/** The order in which equal rows are used: by day, then by place. It does not depend on the order of the rows. */
export const compare = (self: LedgerEntry, that: LedgerEntry): number =>
  compareTexts(self.date ?? "", that.date ?? "") ||
  self.reference.length - that.reference.length ||
  compareTexts(self.reference, that.reference)

const compareTexts = (self: string, that: string): number => (self < that ? -1 : self > that ? 1 : 0)
