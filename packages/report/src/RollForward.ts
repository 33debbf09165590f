/**
 * From the open rows of the last books to those of the present ones, for each side and currency: open at the start, plus
 * new, less cleared, is open at the end.
 */
import * as Money from "@transferkit/domain/Money"
import * as Result from "effect/Result"

/** Rows and what they add up to. */
export interface Sum {
  readonly rows: number
  readonly amount: Money.Money
}

/** The movement of a side in a currency. */
export interface RollForwardLine {
  readonly side: "ledger" | "service"
  readonly currency_code: string
  readonly open_at_start: Sum
  readonly new: Sum
  readonly cleared: Sum
  readonly open_at_end: Sum
}

type Side = RollForwardLine["side"]

interface Sums {
  readonly start: Sum
  /** Open at the start, and still. */
  readonly still: Sum
  readonly end: Sum
}

const nothing = (currency_code: Money.Money["currency_code"]): Sum => ({ rows: 0, amount: Money.zero(currency_code) })

const plus = (self: Sum, that: Sum): Sum => ({
  rows: self.rows + that.rows,
  amount: Result.getOrThrow(Money.add(self.amount, that.amount)),
})

const minus = (self: Sum, that: Sum): Sum => ({
  rows: self.rows - that.rows,
  amount: Result.getOrThrow(Money.subtract(self.amount, that.amount)),
})

/** Adds rows up, however many there are. */
export class RollForward {
  readonly #sums = new Map<string, Sums>()

  /** A row that was open at the start. */
  addCarried(side: Side, rows: Sum): void {
    this.#add(side, "start", rows)
  }

  /** A row that is open at the end, and the part of it that was open at the start. */
  addOpen(side: Side, rows: Sum, still: Sum | undefined): void {
    this.#add(side, "end", rows)
    if (still !== undefined) this.#add(side, "still", still)
  }

  /** The ledger first, currencies in order. */
  get lines(): ReadonlyArray<RollForwardLine> {
    return (["ledger", "service"] as const).flatMap((side) =>
      [...this.#sums]
        .filter(([id]) => id.startsWith(`${side} `))
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([id, { start, still, end }]) => ({
          side,
          currency_code: id.slice(side.length + 1),
          open_at_start: start,
          new: minus(end, still),
          cleared: minus(start, still),
          open_at_end: end,
        })),
    )
  }

  #add(side: Side, name: keyof Sums, rows: Sum): void {
    const { currency_code } = rows.amount
    const id = `${side} ${currency_code}`
    const zero = nothing(currency_code)
    const known = this.#sums.get(id) ?? { start: zero, still: zero, end: zero }
    this.#sums.set(id, { ...known, [name]: plus(known[name], rows) })
  }
}
