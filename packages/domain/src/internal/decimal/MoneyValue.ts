/**
 * The class behind {@link file://../Money.ts}: text known to be in the grammar, and its decimal, computed on first use.
 */
import type { Decimal } from "decimal.js"
import * as Equal from "effect/Equal"
import * as Hash from "effect/Hash"
import * as Predicate from "effect/Predicate"
import type { CurrencyCode } from "../../CurrencyCode.ts"
import { ExactDecimal, PublicDecimal } from "./ExactDecimal.ts"

const isNegativeZero = /^-0(?:\.0+)?$/

/** Shared by all copies of this package, and a symbol, so that no JSON object can claim it. */
const TypeId: unique symbol = Symbol.for("@transferkit/domain/Money")

export class Money<out C extends string = string> {
  readonly text: string
  readonly currency_code: CurrencyCode<C>
  #exact: Decimal | undefined

  constructor(text: string, currency_code: CurrencyCode<C>, exact?: Decimal) {
    this.text = exact === undefined && text.charCodeAt(0) === 45 && isNegativeZero.test(text) ? text.slice(1) : text
    this.currency_code = currency_code
    this.#exact = exact?.isZero() === true ? exact.abs() : exact
  }

  get [TypeId](): typeof TypeId {
    return TypeId
  }

  get amount(): Decimal {
    return new PublicDecimal(exactOf(this))
  }

  static exactOf(money: Money): Decimal {
    return isOwn(money) ? (money.#exact ??= new ExactDecimal(money.text)) : new ExactDecimal(money.text)
  }

  /** Another copy's Money keeps its decimal to itself. */
  static isOwn(money: Money): boolean {
    return #exact in money
  }

  toString(): string {
    return `${this.text} ${this.currency_code}`
  }

  toJSON(): { readonly amount: string; readonly currency_code: string } {
    return { amount: this.text, currency_code: this.currency_code }
  }

  /** Operators such as `+` and `<` would join or compare texts, so they throw instead. */
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
    return isMoney(that) && that.currency_code === this.currency_code && exactOf(that).eq(exactOf(this))
  }

  [Hash.symbol](): number {
    return Hash.string(`${exactOf(this).toFixed()} ${this.currency_code}`)
  }
}

export const { exactOf } = Money

const { isOwn } = Money

export const isMoney = (value: unknown): value is Money => Predicate.hasProperty(value, TypeId)
