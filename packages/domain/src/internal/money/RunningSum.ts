/**
 * A sum that grows, in units of its last digit. BigInt adds the texts of amounts in half the time of decimals, and the
 * sum is printed once.
 */
import * as Amount from "../../Amount.ts"
import type { CurrencyCode } from "../../CurrencyCode.ts"
import { Money } from "../decimal/MoneyValue.ts"

export class RunningSum<out C extends string = string> {
  readonly #currency_code: CurrencyCode<C>
  #units = 0n
  #scale = 0

  constructor(currency_code: CurrencyCode<C>) {
    this.#currency_code = currency_code
  }

  /** Adds an amount of the sum's currency. */
  add({ text }: Pick<Money, "text">): void {
    const finer = Amount.scale(text) - this.#scale
    if (finer > 0) {
      this.#units *= 10n ** BigInt(finer)
      this.#scale += finer
    }
    this.#units += Amount.toUnits(text, this.#scale)
  }

  /** With as many fraction digits as the longest of the amounts. */
  get money(): Money<C> {
    return new Money(Amount.fromUnits(this.#units, this.#scale), this.#currency_code)
  }
}
