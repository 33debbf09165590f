/** The schema of {@link file://../Capabilities.ts}, apart from what a program that only reads them has to load. */
import * as S from "effect/Schema"
import * as Amount from "../Amount.ts"
import * as CurrencyCode from "../CurrencyCode.ts"

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
