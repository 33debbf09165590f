/**
 * The schemas of {@link file://../Capabilities.ts}. Separate, so that programs that only read capabilities load no
 * schema.
 */
import * as S from "effect/Schema"
import { AmountSchema } from "../decimal/AmountSchema.ts"
import { CurrencyCodeSchema } from "../money/CurrencyCodeSchema.ts"

/** A supported country, by its ISO 3166-1 alpha-2 code. */
export const Country = S.Struct({ country_code: S.String, country_name: S.String })

/** A supported currency. `legacy_currency_code` is its short ticker form. */
export const Currency = S.Struct({
  currency_code: CurrencyCodeSchema,
  legacy_currency_code: S.String,
  currency_name: S.String,
})

/** A method of payment in fiat. */
export const PaymentMethod = S.Struct({ payment_method_code: S.String, payment_method_name: S.String })

/** The smallest and the largest transfer in a fiat currency, inclusive. */
export const TransferLimit = S.Struct({ min_transfer: AmountSchema, max_transfer: AmountSchema })

/** The wire form. */
export const Wire = S.Struct({
  supported_countries: S.Array(Country),
  supported_currencies: S.Array(Currency),
  supported_payment_methods: S.Array(PaymentMethod),
  transfer_limits: S.Record(S.String, TransferLimit),
}).annotate({ identifier: "Capabilities" })
