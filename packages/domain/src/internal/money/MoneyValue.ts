/**
 * The class behind {@link file://../Money.ts}: text known to be in the grammar, and its units, read on first use. Units are
 * what is added and compared: BigInt does that in a fraction of the time of decimals, and prints them faster.
 */
import type { Decimal } from "decimal.js"
import * as Equal from "effect/Equal"
import * as Hash from "effect/Hash"
import type { Ordering } from "effect/Ordering"
import * as Predicate from "effect/Predicate"
import * as Amount from "../../Amount.ts"
import type { CurrencyCode } from "../../CurrencyCode.ts"
import { ExactDecimal, PublicDecimal } from "../decimal/ExactDecimal.ts"

const isNegativeZero = /^-0(?:\.0+)?$/

/** Shared by all copies of this package, and a symbol, so that no JSON object can claim it. */
const TypeId: unique symbol = Symbol.for("@transferkit/domain/Money")

export class Money<out C extends string = string> {
  readonly text: string
  readonly currency_code: CurrencyCode<C>
  /** The amount in units of its last fraction digit. */
  #units: bigint | undefined

  constructor(text: string, currency_code: CurrencyCode<C>, units?: bigint) {
    this.text = units === undefined && text.charCodeAt(0) === 45 && isNegativeZero.test(text) ? text.slice(1) : text
    this.currency_code = currency_code
    this.#units = units
  }

  get [TypeId](): typeof TypeId {
    return TypeId
  }

  get amount(): Decimal {
    return new PublicDecimal(this.text)
  }

  static unitsOf(money: Money): bigint {
    return isOwn(money) ? (money.#units ??= unitsIn(money.text)) : unitsIn(money.text)
  }

  /** Another copy's Money keeps its units to itself. */
  static isOwn(money: Money): boolean {
    return #units in money
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
      `Money has no arithmetic operators (in an expression with ${this}). Compute with its amount, such as money.amount.plus(1).`,
    )
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return `Money(${this})`
  }

  [Equal.symbol](that: unknown): boolean {
    return isMoney(that) && that.currency_code === this.currency_code && ordering(this, that) === 0
  }

  [Hash.symbol](): number {
    return Hash.string(`${Amount.withoutZeros(this.text)} ${this.currency_code}`)
  }
}

export const { unitsOf } = Money

const { isOwn } = Money

const unitsIn = (text: string): bigint => BigInt(text.replace(".", ""))

/** As a decimal, for what may have more digits than units have. */
export const exactOf = ({ text }: Money): Decimal => new ExactDecimal(text)

/** An amount in units of a digit that is this many places finer than its last one. */
const unitsAt = (money: Money, finer: number): bigint =>
  finer > 0 ? unitsOf(money) * 10n ** BigInt(finer) : unitsOf(money)

/** The units of two amounts, of the last digit of the finer one, and how many fraction digits that has. */
export const aligned = (self: Money, that: Money): readonly [self: bigint, that: bigint, scale: number] => {
  const [left, right] = [Amount.scale(self.text), Amount.scale(that.text)]
  return [unitsAt(self, right - left), unitsAt(that, left - right), Math.max(left, right)]
}

/** By value, of amounts of one currency. */
export const ordering = (self: Money, that: Money): Ordering => {
  const finer = Amount.scale(self.text) - Amount.scale(that.text)
  const left = unitsAt(self, -finer)
  const right = unitsAt(that, finer)
  return left < right ? -1 : left > right ? 1 : 0
}

export const isMoney = (value: unknown): value is Money => Predicate.hasProperty(value, TypeId)
