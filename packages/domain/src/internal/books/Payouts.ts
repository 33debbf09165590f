/**
 * Payouts by their ids: a row of the ledger whose key is the payout id of other rows is what was paid out for them. It is
 * compared with their sum. Nothing is searched: the ledger says which rows belong together.
 */
import { isReadonlyArrayNonEmpty } from "effect/Array"
import * as Result from "effect/Result"
import * as Money from "../../Money.ts"
import { type LedgerEntry, rowsOf } from "./LedgerEntry.ts"
import type { Difference, Outcome } from "./Outcome.ts"

/** What books know of a payout. */
export interface KnownPayout {
  /** How many rows name it, and what they add up to. */
  readonly rows: number
  readonly sums: ReadonlyArray<Money.Money>
  /** The last day of these rows. */
  readonly day: string
  /** Its own rows, where books have found that they are the sum. */
  readonly entries: ReadonlyArray<LedgerEntry>
}

/** Rows that name a payout. */
class Named {
  rows = 0
  day = ""
  readonly sums = new Map<string, Money.Money>()

  add({ rows, sums, day }: Omit<KnownPayout, "entries">): this {
    this.rows += rows
    if (day > this.day) this.day = day
    for (const money of sums) {
      const sum = this.sums.get(money.currency_code)
      this.sums.set(money.currency_code, sum === undefined ? money : Result.getOrThrow(Money.add(sum, money)))
    }
    return this
  }
}

/** The sums of the rows of each payout. There are few payouts, however many rows they have. */
export class Payouts {
  /** Those of earlier books, and those of these books. The next books have those after the period as their own. */
  readonly #earlier: ReadonlyMap<string, KnownPayout>
  readonly #own = new Map<string, Named>()
  readonly #later = new Map<string, Named>()
  /** Those of earlier books that are compared again. */
  readonly #again = new Set<string>()

  constructor(earlier: ReadonlyMap<string, KnownPayout> = new Map()) {
    this.#earlier = earlier
  }

  /** Counts a row that names a payout. */
  add(payout: string, entry: LedgerEntry, isLater: boolean): void {
    const rows = isLater ? this.#later : this.#own
    const named = rows.get(payout) ?? new Named()
    rows.set(payout, named.add({ rows: rowsOf(entry), sums: [entry.amount], day: entry.date ?? "" }))
  }

  /** The rows of a payout that earlier books found right: they are rows of these, too, when something of it is new. */
  again(id: string): ReadonlyArray<LedgerEntry> {
    const entries = this.#earlier.get(id)?.entries ?? []
    if (entries.length === 0 || this.#again.has(id)) return []
    this.#again.add(id)
    return entries.map(({ carried: _, ...entry }) => ({ ...entry, isLate: true }))
  }

  /** What the next books must know, by id, without the rows after the period. */
  *known(): Generator<readonly [id: string, payout: KnownPayout]> {
    for (const id of new Set([...this.#earlier.keys(), ...this.#own.keys()])) {
      const { rows, day, sums } = this.#upToNow(id)
      const entries = this.#again.has(id) ? [] : (this.#earlier.get(id)?.entries ?? [])
      yield [id, { rows, day, sums: Money.sumByCurrency([...sums.values()]), entries }]
    }
  }

  /** The outcomes of rows that have a payout's id as their key; none if no row names the payout. */
  outcomesOf(
    entries: ReadonlyArray<LedgerEntry>,
    tolerance: ReadonlyMap<string, Money.Money>,
  ): ReadonlyArray<Outcome> | undefined {
    const id = entries[0]?.key ?? ""
    const paid = this.#upToNow(id)
    const later = this.#later.get(id)
    if (later !== undefined) paid.add({ ...later, sums: [...later.sums.values()] })
    if (paid.rows === 0) return undefined
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
    const isPreliminary = later !== undefined
    return entries.map((entry) => ({ _tag: "Payout", entry, rows: paid.rows, sums, isPreliminary, differences: all }))
  }

  #upToNow(id: string): Named {
    const all = new Named()
    const [earlier, own] = [this.#earlier.get(id), this.#own.get(id)]
    if (earlier !== undefined) all.add(earlier)
    return own === undefined ? all : all.add({ ...own, sums: [...own.sums.values()] })
  }
}
