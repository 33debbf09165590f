/** What two amounts have in common when they are combined: their currency. */
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import type { CurrencyCode } from "../../CurrencyCode.ts"
import type { Money } from "./MoneyValue.ts"

/** Two amounts are in different currencies. */
export class CurrencyMismatch extends Data.TaggedError("CurrencyMismatch")<{
  readonly left: CurrencyCode
  readonly right: CurrencyCode
}> {
  override get message(): string {
    return `Cannot combine ${this.left} with ${this.right}: both amounts must be in the same currency. Convert one of them first.`
  }
}

/** Rejects at compile time two currencies that are known to differ. */
export type SameCurrency<A extends string, B extends string> = [A & B] extends [never]
  ? { readonly "these currencies differ": [A, B] }
  : unknown

/** Combines two amounts of one currency, data first or data last. */
export interface Combine {
  <B extends string>(
    that: Money<B>,
  ): <A extends string>(self: Money<A> & SameCurrency<A, B>) => Result.Result<Money<A>, CurrencyMismatch>
  <A extends string, B extends string>(
    self: Money<A>,
    that: Money<B> & SameCurrency<A, B>,
  ): Result.Result<Money<A>, CurrencyMismatch>
}

/** The failure of an operation on amounts in different currencies. */
export const mismatch = (left: Money, right: Money): Result.Result<never, CurrencyMismatch> =>
  Result.fail(new CurrencyMismatch({ left: left.currency_code, right: right.currency_code }))
