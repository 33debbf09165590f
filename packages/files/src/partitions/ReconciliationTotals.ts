/** The totals of a reconciliation, added up part by part. */
import * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Result from "effect/Result"

export class ReconciliationTotals {
  readonly #byTag = Reconciliation.byTag(() => new TagTotals())

  add(more: Partial<Reconciliation.Totals>): void {
    for (const tag of Reconciliation.outcomeTags) {
      const own = more[tag]
      if (own !== undefined) this.#byTag[tag].add(own)
    }
  }

  all(): Reconciliation.Totals {
    return Reconciliation.byTag((tag) => this.#byTag[tag].all())
  }
}

class TagTotals {
  readonly #counts = { outcomes: 0, breaks: 0, entries: 0, transfers: 0 }
  readonly #ledger = new Map<string, Money.Money>()
  readonly #service = new Map<string, Money.Money>()

  add({ outcomes, breaks, entries, transfers, ledger, service }: Reconciliation.OutcomeTotals): void {
    this.#counts.outcomes += outcomes
    this.#counts.breaks += breaks
    this.#counts.entries += entries
    this.#counts.transfers += transfers
    for (const money of ledger) addTo(this.#ledger, money)
    for (const money of service) addTo(this.#service, money)
  }

  all(): Reconciliation.OutcomeTotals {
    return { ...this.#counts, ledger: sorted(this.#ledger), service: sorted(this.#service) }
  }
}

const addTo = (sums: Map<string, Money.Money>, money: Money.Money): void => {
  const sum = sums.get(money.currency_code)
  sums.set(money.currency_code, sum === undefined ? money : Result.getOrThrow(Money.add(sum, money)))
}

const sorted = (sums: ReadonlyMap<string, Money.Money>): ReadonlyArray<Money.Money> =>
  [...sums.values()].sort(Money.Order)
