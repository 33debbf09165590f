/**
 * What transfers are worth in US dollars: the one figure that adds currencies up. It is made of the service's own
 * valuations, so it is no amount of the books, and nothing is compared with it.
 */
import * as AmountSum from "@transferkit/domain/AmountSum"
import * as ComparedAmount from "@transferkit/domain/ComparedAmount"
import * as CurrencyCode from "@transferkit/domain/CurrencyCode"
import type * as Dialect from "@transferkit/domain/Dialect"
import * as Money from "@transferkit/domain/Money"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Result from "effect/Result"

/** A sum in US dollars, and how many things it leaves out because they have no valuation. */
export interface UsdValue {
  readonly usd: Money.Money
  readonly valued: number
  readonly unvalued: number
}

const code = CurrencyCode.parseUnsafe("fiat/USD")

/** The value of nothing. */
export const none: UsdValue = { usd: Money.zero(code), valued: 0, unvalued: 0 }

/**
 * The value with one thing more: an amount in US dollars, or `undefined` for one without a valuation.
 *
 * @example
 * UsdValue.plus(UsdValue.plus(UsdValue.none, Money.parseUnsafe("1.50", "fiat/USD")), undefined).unvalued // => 1
 */
export const plus = (self: UsdValue, usd: Money.Money | undefined): UsdValue =>
  usd === undefined
    ? { ...self, unvalued: self.unvalued + 1 }
    : { ...self, usd: Result.getOrThrow(Money.add(self.usd, usd)), valued: self.valued + 1 }

/** What a part of a transfer's amount is worth at the rate of the transfer, to the cent; none without a valuation of it. */
export const ofPart = (
  part: Money.Money,
  transfer: Transfer | undefined,
  amount: ComparedAmount.ComparedAmount,
): Money.Money | undefined => {
  if (part.currency_code === code) return Money.abs(part)
  const whole = transfer && ComparedAmount.of(transfer, amount)
  const valued = transfer && ComparedAmount.inDollars(transfer, amount)
  if (whole?.currency_code !== part.currency_code || valued === undefined || whole.amount.isZero()) return undefined
  if (whole.amount.abs().eq(part.amount.abs())) return Money.abs(valued)
  const value = part.amount.abs().mul(valued.amount.abs()).div(whole.amount.abs())
  return Money.parseUnsafe(value.toFixed(2), code)
}

/** What the transfers whose statuses are of a class are worth, as a row of a table. */
export interface ClassLine {
  readonly class: Dialect.StatusClass
  readonly transfers: number
  /** Those without a valuation, which the total lacks. */
  readonly unvalued: number
  readonly total: Money.Money
}

const classes = ["settled", "failed", "open"] as const

/** The value of a class among the lines of a table. */
export const ofClass = (lines: ReadonlyArray<ClassLine>, one: Dialect.StatusClass): UsdValue => {
  const line = lines.find((own) => own.class === one)
  return line === undefined
    ? none
    : { usd: line.total, valued: line.transfers - line.unvalued, unvalued: line.unvalued }
}

const empty = () => ({ valued: 0, unvalued: 0, sum: new AmountSum.AmountSum() })

/** What transfers are worth by the class of their statuses, however many there are. Mutable. */
export class ByClass {
  readonly #values = { settled: empty(), failed: empty(), open: empty() }

  add(of: Dialect.StatusClass, usd: Money.Money | undefined): void {
    const own = this.#values[of]
    if (usd === undefined) own.unvalued++
    else {
      own.valued++
      own.sum.add(usd.text)
    }
  }

  of(one: Dialect.StatusClass): UsdValue {
    const { sum, valued, unvalued } = this.#values[one]
    return valued === 0
      ? { ...none, unvalued }
      : { usd: Money.parseUnsafe(sum.text, none.usd.currency_code), valued, unvalued }
  }

  /** Those of which there are transfers. */
  get lines(): ReadonlyArray<ClassLine> {
    return classes.flatMap((own) => {
      const { usd, valued, unvalued } = this.of(own)
      const transfers = valued + unvalued
      return transfers === 0 ? [] : [{ class: own, transfers, unvalued, total: usd }]
    })
  }
}
