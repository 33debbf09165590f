/** What the service supports: countries, currencies, payment methods and transfer limits (partner-api.md, 2.2). */
import type * as Result from "effect/Result"
import * as CanonicalJson from "./CanonicalJson.ts"
import type * as CurrencyCode from "./CurrencyCode.ts"
import type { TransferLimit, Wire } from "./internal/wire/CapabilitiesSchema.ts"
import { fromJsonText } from "./internal/wire/FromJsonText.ts"
import { fields, list, record, text } from "./internal/wire/ShapeCheck.ts"
import { amount, currencyCode } from "./internal/wire/TextShape.ts"
import type { MalformedResponse } from "./TransferApiError.ts"

export { Country, Currency, PaymentMethod, TransferLimit, Wire } from "./internal/wire/CapabilitiesSchema.ts"

/** What the service supports, as the wire object. */
export type Capabilities = typeof Wire.Type

/** The limits of one fiat currency, as text: compare with {@link Amount.compare}, or read as Money. */
export type Limits = typeof TransferLimit.Type

// Not the schema: it takes as long to load as the rest of a program that validates.
const shape = fields(
  {
    supported_countries: list(fields({ country_code: text, country_name: text })),
    supported_currencies: list(
      fields({ currency_code: currencyCode, legacy_currency_code: text, currency_name: text }),
    ),
    supported_payment_methods: list(fields({ payment_method_code: text, payment_method_name: text })),
    transfer_limits: record(fields({ min_transfer: amount, max_transfer: amount })),
  },
  "the capabilities: an object",
)

const isCapabilities = (value: unknown): value is Capabilities => shape(value) === undefined

/**
 * Reads capabilities from JSON text.
 *
 * @example
 * Result.isFailure(Capabilities.fromJson("{}")) // => true
 */
export const fromJson: (text: string) => Result.Result<Capabilities, MalformedResponse> = fromJsonText(shape, (value) =>
  isCapabilities(value) ? value : undefined,
)

/**
 * The limits of a currency, or `undefined` if it has none.
 *
 * @example
 * Capabilities.limits({ supported_countries: [], supported_currencies: [], supported_payment_methods: [], transfer_limits: { "fiat/USD": { min_transfer: "5.00", max_transfer: "2500.00" } } }, CurrencyCode.parseUnsafe("fiat/USD"))?.max_transfer // => "2500.00"
 */
export const limits = (self: Capabilities, currency_code: CurrencyCode.CurrencyCode): Limits | undefined =>
  Object.hasOwn(self.transfer_limits, currency_code) ? self.transfer_limits[currency_code] : undefined

/**
 * The same JSON text for the same content, in whichever order the service lists its keys. Its SHA-256 identifies the
 * capabilities that a verdict rests on.
 *
 * @example
 * Capabilities.canonical({ transfer_limits: {}, supported_payment_methods: [], supported_currencies: [], supported_countries: [] }) // => '{"supported_countries":[],"supported_currencies":[],"supported_payment_methods":[],"transfer_limits":{}}'
 */
export const canonical = (self: Capabilities): string => CanonicalJson.stringify(self)
