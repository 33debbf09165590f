/** What the service supports: countries, currencies, payment methods and transfer limits (partner-api.md, 2.2). */
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as Amount from "./Amount.ts"
import * as CurrencyCode from "./CurrencyCode.ts"
import { wireText } from "./internal/wireText.ts"
import * as Money from "./Money.ts"
import type { MalformedResponse } from "./TransferApiError.ts"

/** A country that is served, by its ISO 3166-1 alpha-2 code. */
export const Country = S.Struct({ country_code: S.String, country_name: S.String })

/** A currency that is served. `legacy_currency_code` is its short ticker form. */
export const Currency = S.Struct({
  currency_code: CurrencyCode.Schema,
  legacy_currency_code: S.String,
  currency_name: S.String,
})

/** A way to pay or be paid in fiat. */
export const PaymentMethod = S.Struct({ payment_method_code: S.String, payment_method_name: S.String })

/** The smallest and the largest transfer in a fiat currency, both allowed. */
export const TransferLimit = S.Struct({ min_transfer: Amount.Schema, max_transfer: Amount.Schema })

/** The wire form. */
export const Wire = S.Struct({
  supported_countries: S.Array(Country),
  supported_currencies: S.Array(Currency),
  supported_payment_methods: S.Array(PaymentMethod),
  transfer_limits: S.Record(S.String, TransferLimit),
}).annotate({ identifier: "Capabilities" })

/** What the service supports. The wire object itself: it holds no amounts to compute with until {@link limits}. */
export type Capabilities = typeof Wire.Type

/** The limits of one fiat currency, as Money. */
export interface Limits<C extends string = string> {
  readonly minimum: Money.Money<C>
  readonly maximum: Money.Money<C>
}

const is = S.is(Wire)

/**
 * Reads capabilities from JSON text.
 *
 * @example
 * Result.isFailure(Capabilities.fromJson("{}")) // => true
 */
export const fromJson: (text: string) => Result.Result<Capabilities, MalformedResponse> = wireText(Wire, (value) =>
  is(value) ? value : undefined,
)

/**
 * The limits of a currency, or `undefined` where none are set for it.
 *
 * @example
 * Capabilities.limits({ supported_countries: [], supported_currencies: [], supported_payment_methods: [], transfer_limits: { "fiat/USD": { min_transfer: "5.00", max_transfer: "2500.00" } } }, CurrencyCode.make("fiat/USD"))?.maximum.text // => "2500.00"
 */
export const limits = <C extends string>(
  self: Capabilities,
  currency_code: CurrencyCode.CurrencyCode<C>,
): Limits<C> | undefined => {
  if (!Object.hasOwn(self.transfer_limits, currency_code)) return undefined
  const limit = self.transfer_limits[currency_code]
  if (limit === undefined) return undefined
  const money = (amount: string): Money.Money<C> => Result.getOrThrow(Money.parse(amount, currency_code))
  return { minimum: money(limit.min_transfer), maximum: money(limit.max_transfer) }
}
