/** The capabilities of the sample service. Generated transfers stay within them. */
import type { Capabilities } from "@transferkit/domain/Capabilities"
import * as CurrencyCode from "@transferkit/domain/CurrencyCode"
import * as Result from "effect/Result"
import { countries, cryptoAssets, fiatAssets, paymentMethods } from "./internal/generator/Assets.ts"

/** The default capabilities. */
export const sample: Capabilities = {
  supported_countries: Object.entries(countries).map(([country_code, country_name]) => ({
    country_code,
    country_name,
  })),
  supported_currencies: [...fiatAssets, ...cryptoAssets].map((asset) => ({
    currency_code: Result.getOrThrow(CurrencyCode.parse(asset.currency_code)),
    legacy_currency_code: asset.legacy_currency_code,
    currency_name: asset.currency_name,
  })),
  supported_payment_methods: Object.entries(paymentMethods).map(([payment_method_code, payment_method_name]) => ({
    payment_method_code,
    payment_method_name,
  })),
  transfer_limits: Object.fromEntries(
    fiatAssets.map(({ currency_code, min_transfer, max_transfer }) => [currency_code, { min_transfer, max_transfer }]),
  ),
}
