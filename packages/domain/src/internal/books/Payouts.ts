/**
 * Payouts by their ids: a row of the ledger whose key is the payout id of other rows is what was paid out for them. It is
 * compared with their sum. Nothing is searched: the ledger says which rows belong together.
 */
import { isReadonlyArrayNonEmpty } from "effect/Array"
import * as Result from "effect/Result"
import * as Money from "../../Money.ts"
import { type LedgerEntry, rowsOf } from "./LedgerEntry.ts"
import type { Difference, Outcome } from "./Outcome.ts"

interface Paid {
  rows: number
  readonly sums: Map<string, Money.Money>
}

/** The sums of the rows of each payout. There are few payouts, however many rows they have. */
export class Payouts {
  readonly #byId = new Map<string, Paid>()

  add(entry: LedgerEntry): void {
    const { payout = "", key, amount } = entry
    if (payout === "" || payout === key) return
    const paid = this.#byId.get(payout) ?? { rows: 0, sums: new Map() }
    const sum = paid.sums.get(amount.currency_code)
    paid.rows += rowsOf(entry)
    paid.sums.set(amount.currency_code, sum === undefined ? amount : added(sum, amount))
    this.#byId.set(payout, paid)
  }

  /** Whether rows name the payout. */
  has(id: string): boolean {
    return this.#byId.has(id)
  }

  /** The outcomes of rows that have a payout's id as their key; none if no row names the payout. */
  outcomesOf(
    entries: ReadonlyArray<LedgerEntry>,
    tolerance: ReadonlyMap<string, Money.Money>,
  ): ReadonlyArray<Outcome> | undefined {
    const paid = this.#byId.get(entries[0]?.key ?? "")
    if (paid === undefined) return undefined
    // A payout in several lines, and one that was booked twice.
    const lines = Money.sumByCurrency(entries.map(({ amount }) => amount))
    const differences = lines.flatMap((line): ReadonlyArray<Difference> => {
      const currency = line.currency_code
      const sum = paid.sums.get(currency)
      if (sum === undefined) {
        const [other = line] = paid.sums.values()
        return [{ _tag: "CurrencyDiffers", ledger: currency, transfer: other.currency_code }]
      }
      const difference = Result.getOrThrow(Money.subtract(sum, line))
      const limit = tolerance.get(currency)
      const isNear = limit === undefined ? Money.isZero(difference) : Money.Order(Money.abs(difference), limit) <= 0
      return isNear ? [] : [{ _tag: "AmountDiffers", difference }]
    })
    const unpaid = [...paid.sums.values()].filter(
      (sum) => !Money.isZero(sum) && !lines.some(({ currency_code }) => currency_code === sum.currency_code),
    )
    const all = [
      ...differences,
      ...(isReadonlyArrayNonEmpty(differences)
        ? []
        : unpaid.map((sum): Difference => ({ _tag: "AmountDiffers", difference: sum }))),
    ]
    const sums = Money.sumByCurrency([...paid.sums.values()])
    return entries.map((entry) => ({ _tag: "Payout", entry, rows: paid.rows, sums, differences: all }))
  }
}

const added = (self: Money.Money, that: Money.Money): Money.Money => Result.getOrThrow(Money.add(self, that))
