/** The class behind {@link file://../Money.ts}: text that is known to be in the grammar, and its decimal on first use. */
import type { Decimal } from "decimal.js"
import * as Equal from "effect/Equal"
import * as Hash from "effect/Hash"
import type { CurrencyCode } from "../../CurrencyCode.ts"
import { exactOfText, HandedDecimal } from "./ExactDecimal.ts"

const isNegativeZero = /^-0(?:\.0+)?$/

export class Money<out C extends string = string> {
  readonly text: string
  readonly currency_code: CurrencyCode<C>
  #exact: Decimal | undefined

  constructor(text: string, currency_code: CurrencyCode<C>, exact?: Decimal) {
    this.text = exact === undefined && text.charCodeAt(0) === 45 && isNegativeZero.test(text) ? text.slice(1) : text
    this.currency_code = currency_code
    this.#exact = exact?.isZero() === true ? exact.abs() : exact
  }

  get amount(): Decimal {
    return new HandedDecimal(exactOf(this))
  }

  static exactOf(money: Money): Decimal {
    return (money.#exact ??= exactOfText(money.text))
  }

  /** For one use: of hundreds of thousands of amounts, the decimals would take more memory than the rest of them. */
  static passingExactOf(money: Money): Decimal {
    return money.#exact ?? exactOfText(money.text)
  }

  toString(): string {
    return `${this.text} ${this.currency_code}`
  }

  toJSON(): { readonly amount: string; readonly currency_code: string } {
    return { amount: this.text, currency_code: this.currency_code }
  }

  /** `+`, `<` and the like would compare or join texts, so they fail instead. */
  [Symbol.toPrimitive](hint: string): string {
    if (hint === "string") return this.toString()
    throw new TypeError(
      `Money has no arithmetic operators (in an expression with ${this}). Use Money.add, Money.compare and their siblings.`,
    )
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return `Money(${this})`
  }

  [Equal.symbol](that: unknown): boolean {
    return that instanceof Money && that.currency_code === this.currency_code && exactOf(that).eq(exactOf(this))
  }

  [Hash.symbol](): number {
    return Hash.string(`${exactOf(this).toFixed()} ${this.currency_code}`)
  }
}

export const { exactOf, passingExactOf } = Money
