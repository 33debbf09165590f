/** Compiled, never run: no operation mixes currencies that are known to differ. */
import type * as Result from "effect/Result"
import type * as CurrencyCode from "../src/CurrencyCode.ts"
import * as Money from "../src/Money.ts"

declare const usd: Money.Money<"fiat/USD">
declare const eur: Money.Money<"fiat/EUR">
declare const either: Money.Money<"fiat/EUR" | "fiat/USD">
declare const some: Money.Money
declare const factor: Money.Factor
declare const checked: CurrencyCode.CurrencyCode
declare const text: string
declare const precision: Money.Precision

/** Allowed: one currency, possibly one currency, or unknown currencies. */
export const allowed: ReadonlyArray<Result.Result<unknown, unknown>> = [
  Money.add(usd, usd),
  Money.add(usd, some),
  Money.add(some, usd),
  Money.add(usd, either),
  Money.subtract(either, eur),
  Money.min(some, some),
  Money.compare(usd, usd),
  Money.add(usd)(usd),
  Money.compare(some)(usd),
]

// @ts-expect-error fiat/EUR is not fiat/USD
Money.add(usd, eur)
// @ts-expect-error fiat/EUR is not fiat/USD
Money.subtract(usd, eur)
// @ts-expect-error fiat/EUR is not fiat/USD
Money.min(usd, eur)
// @ts-expect-error fiat/EUR is not fiat/USD
Money.max(usd, eur)
// @ts-expect-error fiat/EUR is not fiat/USD
Money.compare(usd, eur)
// @ts-expect-error fiat/EUR is not fiat/USD
Money.add(eur)(usd)
// @ts-expect-error fiat/EUR is not fiat/USD
Money.compare(eur)(usd)
// @ts-expect-error a sum has one currency
Money.sum<"fiat/USD">([usd, eur])
// @ts-expect-error a sum needs at least one amount
Money.sum([])
// @ts-expect-error there is no operator for Money
export const joined = usd + usd
// @ts-expect-error amounts are never numbers
Money.multiply(usd, 0.1)
// @ts-expect-error any text is a currency code only once it is checked
Money.parse("1", text)
// @ts-expect-error a text without a slash is no currency code
Money.parse("1", "USD")
// @ts-expect-error fiat/EUR is not fiat/USD
Money.ratio(usd, eur, precision)
// @ts-expect-error fiat/EUR is not fiat/USD
Money.lessThan(usd, eur)

/** The currency stays in the type. */
export const kept: Result.Result<Money.Money<"fiat/USD">, unknown> = Money.multiply(usd, factor)
/** A conversion has the currency that it is made to. */
export const converted: Result.Result<Money.Money<"fiat/EUR">, unknown> = Money.convert(
  usd,
  factor,
  eur.currency_code,
  precision,
)
/** A sum that may be empty has a currency all the same. */
export const ofAny: Result.Result<Money.Money<"fiat/USD">, unknown> = Money.sum([], usd.currency_code)
export const literal: CurrencyCode.CurrencyCode<"fiat/USD"> = usd.currency_code

/** A checked code and a literal are both accepted, the literal with its type. */
export const ofChecked: Money.Money = Money.parseUnsafe("1", checked)
export const ofLiteral: Money.Money<"fiat/USD"> = Money.parseUnsafe("1", "fiat/USD")
export const parsed: Result.Result<
  Money.Money<"fiat/USD">,
  { readonly _tag: "InvalidAmount" | "InvalidCurrencyCode" }
> = Money.parse("1", "fiat/USD")
/** A checked code cannot be the fault. */
export const parsedChecked: Result.Result<Money.Money, { readonly _tag: "InvalidAmount" }> = Money.parse("1", checked)
export const ofCheckedLiteral: Money.Money<"fiat/USD"> = Money.parseUnsafe("1", usd.currency_code)
// @ts-expect-error a text without a slash is no currency code
Money.parseUnsafe("1", "USD")
