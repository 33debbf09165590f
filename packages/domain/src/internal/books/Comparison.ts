/** Compares a ledger entry with its transfer. */
import { isReadonlyArrayNonEmpty } from "effect/Array"
import * as Result from "effect/Result"
import * as Day from "../../Day.ts"
import * as Money from "../../Money.ts"
import type { Transfer } from "../../Transfer.ts"
import type { LedgerEntry } from "./LedgerEntry.ts"
import type { Difference, Outcome } from "./Outcome.ts"
import type { Rules } from "./Rules.ts"

/** The outcome of a pair; none if both are outside the period. */
export const outcomeOf = (entry: LedgerEntry, transfer: Transfer, rules: Rules): Outcome | undefined => {
  const isWithin = { entry: rules.isWithin.entry(entry), transfer: rules.isWithin.transfer(transfer) }
  if (!isWithin.entry && !isWithin.transfer) return undefined
  const actual = rules.amountOf(transfer)
  // Most amounts are equal as text, which needs no arithmetic.
  const isSame = actual?.text === entry.amount.text && actual.currency_code === entry.amount.currency_code
  const difference =
    actual === undefined || isSame ? undefined : Result.getOrUndefined(Money.subtract(actual, entry.amount))
  const differences: ReadonlyArray<Difference> = [
    ...(isSame ? [] : amountDifferences(entry, actual, difference, rules)),
    ...(entry.status === undefined || entry.status === transfer.status
      ? []
      : [{ _tag: "StatusDiffers" as const, ledger: entry.status, transfer: transfer.status }]),
  ]
  if (!isWithin.entry || !isWithin.transfer) {
    const isInTransit = differences.length === 0 && isNear(entry, transfer, rules) && !rules.isUsed(transfer)
    return { _tag: "OtherPeriod", entry, transfer, differences, isInTransit }
  }
  if (isReadonlyArrayNonEmpty(differences)) return { _tag: "Differs", entry, transfer, differences }
  return difference === undefined || Money.isZero(difference)
    ? { _tag: "Matched", entry, transfer }
    : { _tag: "Matched", entry, transfer, difference }
}

const isNear = ({ date }: LedgerEntry, { created_at }: Transfer, { timeZone, graceDays }: Rules): boolean =>
  date !== undefined && Math.abs(Day.between(date, Day.of(created_at, timeZone))) <= graceDays

const amountDifferences = (
  entry: LedgerEntry,
  actual: Money.Money | undefined,
  difference: Money.Money | undefined,
  { tolerance }: Rules,
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
