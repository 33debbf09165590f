/** How long the open items of the books have been open, for each outcome and currency. */
import * as Day from "@transferkit/domain/Day"
import * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Result from "effect/Result"

/** Days since an item has been open. Rows without a day have no age. */
export const ages = ["0-7", "8-30", "31-60", "61-90", "over 90", "no date"] as const

/** One of {@link ages}. */
export type Age = (typeof ages)[number]

/** The items of an outcome, a currency and an age. */
export interface AgeLine {
  readonly outcome: Reconciliation.OutcomeTag
  readonly currency_code: string
  readonly age: Age
  readonly items: number
  /** What the ledger has of them, and what the service has. */
  readonly ledger: Money.Money
  readonly service: Money.Money
}

/** The items of an outcome and an age, in all currencies. */
export interface AgeCount {
  readonly outcome: Reconciliation.OutcomeTag
  readonly age: Age
  readonly items: number
  readonly currencies: number
}

/**
 * The items of each outcome and age, in the order of both. A currency has one line of each.
 *
 * @example
 * const sums = { ledger: Money.parseUnsafe("1.00", "fiat/EUR"), service: Money.parseUnsafe("0", "fiat/EUR") }
 * const line = { outcome: "NotAtService", currency_code: "fiat/EUR", age: "0-7", items: 2, ...sums }
 * Ageing.counts([line, line])[0]?.items // => 4
 */
export const counts = (lines: ReadonlyArray<AgeLine>): ReadonlyArray<AgeCount> =>
  Reconciliation.outcomeTags.flatMap((outcome) =>
    ages.flatMap((age) => {
      const own = lines.filter((line) => line.outcome === outcome && line.age === age)
      const items = own.reduce((sum, line) => sum + line.items, 0)
      return own.length === 0 ? [] : [{ outcome, age, items, currencies: own.length }]
    }),
  )

/** An item that is open. */
export interface Item {
  readonly outcome: Reconciliation.OutcomeTag
  /** The day since which it is open. */
  readonly since: string | undefined
  readonly ledger: ReadonlyArray<Money.Money>
  readonly service: ReadonlyArray<Money.Money>
}

/**
 * The age as of a day. What is dated later is as young as can be.
 *
 * @example
 * Ageing.ageOf("2024-09-22", "2024-09-30") // => "8-30"
 */
export const ageOf = (since: string | undefined, asOfDay: string): Age => {
  if (since === undefined) return "no date"
  const days = Day.between(since, asOfDay)
  return days <= 7 ? "0-7" : days <= 30 ? "8-30" : days <= 60 ? "31-60" : days <= 90 ? "61-90" : "over 90"
}

/** Adds items up, however many there are. */
export class Ageing {
  readonly #asOfDay: string
  readonly #lines = new Map<string, AgeLine>()

  constructor(asOfDay: string) {
    this.#asOfDay = asOfDay
  }

  add({ outcome, since, ledger, service }: Item): void {
    const age = ageOf(since, this.#asOfDay)
    const currencies = [...new Set([...ledger, ...service].map(({ currency_code }) => currency_code))]
    for (const currency_code of currencies) {
      const id = JSON.stringify([outcome, currency_code, age])
      const zero = Money.zero(currency_code)
      const known = this.#lines.get(id) ?? { outcome, currency_code, age, items: 0, ledger: zero, service: zero }
      const plus = (sum: Money.Money, all: ReadonlyArray<Money.Money>) =>
        all
          .filter((money) => money.currency_code === currency_code)
          .reduce((total, money) => Result.getOrThrow(Money.add(total, money)), sum)
      this.#lines.set(id, {
        ...known,
        items: known.items + 1,
        ledger: plus(known.ledger, ledger),
        service: plus(known.service, service),
      })
    }
  }

  /** In the order of outcomes, of currencies, and of ages. */
  get lines(): ReadonlyArray<AgeLine> {
    const orderOf = ({ outcome, currency_code, age }: AgeLine) =>
      `${Reconciliation.outcomeTags.indexOf(outcome)} ${currency_code} ${ages.indexOf(age)}`
    return [...this.#lines.values()].toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
  }
}
