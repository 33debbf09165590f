/** The exact sum of a column's amounts, which most rows add to at the cost of a number. */
import * as Amount from "@transferkit/domain/Amount"

const digits = 18
const smallDigits = 4
const smallFactor = 10 ** smallDigits
/** Amounts of this many characters, times the factor, stay below 2⁵³. */
const smallLength = 11
const limit = 2 ** 52

/** An exact sum. */
export class ColumnSum {
  #count = 0
  #small = 0
  #large = 0n
  #isExact = true

  /** How many amounts were added. */
  get count(): number {
    return this.#count
  }

  /** Adds an amount in the grammar of `Amount`. */
  add(amount: string): void {
    this.#count++
    if (amount.length <= smallLength && fraction(amount) <= smallDigits) {
      this.#small += Math.round(Number(amount) * smallFactor)
      if (Math.abs(this.#small) < limit) return
      this.#large = this.#units
      this.#small = 0
    } else if (Amount.scale(amount) <= digits) this.#large += Amount.toUnits(amount, digits)
    else this.#isExact = false
  }

  /** Whether an amount equals the sum. */
  equals(amount: string): boolean {
    if (!this.#isExact || Amount.scale(amount) > digits) return false
    if (this.#large === 0n && amount.length <= smallLength && fraction(amount) <= smallDigits) {
      return this.#small === Math.round(Number(amount) * smallFactor)
    }
    return this.#units === Amount.toUnits(amount, digits)
  }

  /** Begins anew. */
  reset(): void {
    this.#count = 0
    this.#small = 0
    this.#large = 0n
    this.#isExact = true
  }

  get #units(): bigint {
    return this.#large + BigInt(this.#small) * 10n ** BigInt(digits - smallDigits)
  }
}

const fraction = (amount: string): number => {
  const point = amount.indexOf(".")
  return point === -1 ? 0 : amount.length - point - 1
}
