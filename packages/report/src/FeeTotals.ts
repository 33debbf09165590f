/** What settled transfers were charged, beside what a fee schedule says, in each currency. */
import * as FeeSchedule from "@transferkit/domain/FeeSchedule"
import * as Money from "@transferkit/domain/Money"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Result from "effect/Result"

/** The fees of one field and currency. */
export interface FeeTotal {
  readonly fee: FeeSchedule.FeeField
  readonly currency: string
  /** How many were compared, and how many of them are further off than their row accepts. */
  readonly compared: number
  readonly off: number
  readonly charged: Money.Money
  readonly expected: Money.Money
  /** `charged` less `expected`: above zero if the service took more than was agreed. */
  readonly difference: Money.Money
}

/** Totals that grow. */
export class FeeTotals {
  readonly #schedule: FeeSchedule.FeeSchedule
  readonly #totals = new Map<string, FeeTotal>()

  constructor(schedule: FeeSchedule.FeeSchedule) {
    this.#schedule = schedule
  }

  /** Adds the fees of a transfer, as far as they can be compared. */
  add(transfer: Transfer): void {
    for (const verdict of FeeSchedule.verdicts(this.#schedule, transfer)) {
      if (verdict._tag !== "Agrees" && verdict._tag !== "Differs") continue
      const { fee, charged, expected } = verdict
      const currency = charged.currency_code
      const zero = Money.zero(currency)
      const known = this.#totals.get(`${fee} ${currency}`) ?? { compared: 0, off: 0, charged: zero, expected: zero }
      const sums = { charged: plus(known.charged, charged), expected: plus(known.expected, expected) }
      this.#totals.set(`${fee} ${currency}`, {
        fee,
        currency,
        compared: known.compared + 1,
        off: known.off + (verdict._tag === "Differs" ? 1 : 0),
        ...sums,
        difference: Result.getOrThrow(Money.subtract(sums.charged, sums.expected)),
      })
    }
  }

  /** In the order of the fields, then of the currencies. */
  get all(): ReadonlyArray<FeeTotal> {
    return FeeSchedule.feeFields.flatMap((fee) =>
      [...this.#totals.values()]
        .filter((total) => total.fee === fee)
        .toSorted((one, other) => (one.currency < other.currency ? -1 : 1)),
    )
  }
}

const plus = (self: Money.Money, that: Money.Money): Money.Money => Result.getOrThrow(Money.add(self, that))
