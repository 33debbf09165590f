/** A running balance: each is the one before plus the amount, from the first row to the last, or from the last one up. */
import * as Amount from "@transferkit/domain/Amount"

const digits = 18

/** The units of an amount. */
export const unitsOf = (amount: string): bigint | undefined =>
  Amount.isAmount(amount) && Amount.scale(amount) <= digits ? Amount.toUnits(amount, digits) : undefined

const textOf = (units: bigint): string => Amount.withoutZeros(Amount.fromUnits(units, digits))

/** Follows a column of balances. Rows without one count for the next that has one. */
export class RunningBalance {
  #last: bigint | undefined
  /** The amounts since the last balance: of its own row, and of the rows below it. */
  #own = 0n
  #since = 0n
  #links = 0
  #oldestFirst: string | undefined
  #newestFirst: string | undefined

  /** How often a balance followed from another. */
  get links(): number {
    return this.#links
  }

  /** Why the balances do not follow from each other in either order, as a clause. */
  get broken(): string | undefined {
    return this.#newestFirst === undefined ? undefined : this.#oldestFirst
  }

  /** Takes a row into account. */
  add(place: string, amount: bigint, balance: bigint | undefined): void {
    if (balance === undefined) {
      this.#since += amount
      return
    }
    if (this.#last !== undefined) {
      this.#links++
      const down = this.#last + this.#since + amount
      const up = this.#last - this.#own - this.#since
      if (down !== balance) this.#oldestFirst ??= mismatch(place, balance, down)
      if (up !== balance) this.#newestFirst ??= mismatch(place, balance, up)
    }
    this.#last = balance
    this.#own = amount
    this.#since = 0n
  }

  /** Whether a balance follows from the one before it in either order, by this amount or by that of the row before. */
  follows(amount: bigint, balance: bigint): boolean {
    if (this.#last === undefined) return false
    return balance === this.#last + this.#since + amount || balance === this.#last - this.#own - this.#since
  }

  /** Begins anew, at a balance if there is one. */
  restart(balance?: bigint): void {
    this.#last = balance
    this.#own = 0n
    this.#since = 0n
  }
}

const mismatch = (place: string, found: bigint, expected: bigint): string =>
  `${place}: its balance is ${textOf(found)}, but the one before it and the amount give ${textOf(expected)}. Is a row missing, or is another column the balance`
