/**
 * Validates proposed transfers against the capabilities of the service (partner-api.md, 2.2 and 8). Reports all
 * violations of a proposal at once, always in the same order.
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Amount from "./Amount.ts"
import * as CurrencyCode from "./CurrencyCode.ts"
import * as Finding from "./Finding.ts"
import * as JsonValue from "./JsonValue.ts"

/** The codes of violations, in the order in which those of one field are reported. */
export const codes = [
  "missing_field",
  "duplicate_external_id",
  "invalid_external_id",
  "unsupported_country",
  "unsupported_payment_method",
  "invalid_amount",
  "unsupported_currency",
  "not_fiat",
  "no_limit_for_currency",
  "too_many_fraction_digits",
  "below_minimum",
  "above_maximum",
] as const

/** One of {@link codes}. */
export type Code = (typeof codes)[number]

/** A violation in a proposal. */
export type Violation = Finding.Finding<Code>

/** A proposed transfer between fiat and crypto. The amount is that of the source. */
export interface Proposal {
  readonly external_id?: string
  readonly country_code: string
  readonly payment_method: string
  readonly source: { readonly amount: string; readonly currency_code: string }
  readonly destination_currency_code: string
}

/** What a verdict rests on: the service's capabilities, as this package or a Promise client has read them. */
export interface Rules {
  readonly supported_countries: ReadonlyArray<{ readonly country_code: string }>
  readonly supported_currencies: ReadonlyArray<{ readonly currency_code: string }>
  readonly supported_payment_methods: ReadonlyArray<{ readonly payment_method_code: string }>
  readonly transfer_limits: { readonly [currency_code: string]: Limits }
}

/** The smallest and the largest amount, inclusive, as text. */
interface Limits {
  readonly min_transfer: string
  readonly max_transfer: string
}

/** The verdict on one proposal of a batch. */
export interface Verdict {
  readonly index: number
  readonly external_id?: string
  readonly valid: boolean
  readonly violations: ReadonlyArray<Violation>
}

/**
 * All violations of a proposal, which may be any JSON value. An empty list means that it is valid.
 *
 * @example
 * Validation.validate({}, capabilities).map((violation) => violation.path) // => ["/country_code", "/payment_method", "/source", "/destination_currency_code"]
 */
export const validate = (proposal: unknown, capabilities: Rules): ReadonlyArray<Violation> => {
  if (!isObject(proposal)) return [Finding.shortened(missing("", "a proposal: an object", proposal))]
  return [
    ...checkExternalId(proposal["external_id"]),
    ...checkCountry(proposal["country_code"], capabilities),
    ...checkPaymentMethod(proposal["payment_method"], capabilities),
    ...checkMoney(proposal["source"], proposal["destination_currency_code"], capabilities),
  ].map(Finding.shortened)
}

/**
 * The verdicts on a batch of proposals, in order. Reusing the `external_id` of an earlier proposal is a violation, whose
 * message names that proposal with `nameOf`, which is given its index and that of the later one.
 *
 * @example
 * Validation.validateAll([proposal, proposal], capabilities).map((verdict) => verdict.violations.map((violation) => violation.code)) // => [[], ["duplicate_external_id"]]
 */
export const validateAll = (
  proposals: ReadonlyArray<unknown>,
  capabilities: Rules,
  nameOf = (earlier: number, _later: number): string => `The proposal at index ${earlier}`,
): ReadonlyArray<Verdict> => {
  const firstUse = new Map<string, number>()
  return proposals.map((proposal, index) => {
    const external_id = externalIdOf(proposal)
    const earlier = external_id === undefined ? undefined : firstUse.get(external_id)
    if (external_id !== undefined && earlier === undefined) firstUse.set(external_id, index)
    const violations = [
      ...(earlier === undefined ? [] : [duplicate(external_id, `${nameOf(earlier, index)} has this external_id too.`)]),
      ...validate(proposal, capabilities),
    ]
    return { index, ...(external_id === undefined ? {} : { external_id }), valid: violations.length === 0, violations }
  })
}

/**
 * The violation of an `external_id` that is already in use; `message` says by what.
 *
 * @example
 * Validation.duplicate("order-1", "A transfer has this external_id.").path // => "/external_id"
 */
export const duplicate = (external_id: string | undefined, message: string): Violation =>
  Finding.shortened({
    code: "duplicate_external_id",
    path: "/external_id",
    message: `${message} Give each transfer one of its own.`,
    actual: external_id,
  })

/**
 * The violation of an `external_id` that the service rejects in a search; `reason` is a clause that says why.
 *
 * @example
 * Validation.invalidExternalId("a b", "it contains a space").message // => "The service does not accept this external_id: it contains a space."
 */
export const invalidExternalId = (external_id: string, reason: string): Violation =>
  Finding.shortened({
    code: "invalid_external_id",
    path: "/external_id",
    message: `The service does not accept this external_id: ${reason}.`,
    actual: external_id,
  })

/**
 * The violation of a row or line of a file that holds no proposal; `reason` is a clause, and `text` what is there.
 *
 * @example
 * Validation.unreadable("it is not JSON", "{").message // => "This must be a proposal: it is not JSON."
 */
export const unreadable = (reason: string, text: string): Violation =>
  Finding.shortened({ code: "missing_field", path: "", message: `This must be a proposal: ${reason}.`, actual: text })

// ---------------------------------------------------------------------------------------------------- fields

/** A number that kept its text is none. */
const isObject = (value: unknown): value is { readonly [name: PropertyKey]: unknown } =>
  Predicate.isReadonlyObject(value) && !JsonValue.isNumberText(value)

const externalIdOf = (proposal: unknown): string | undefined => {
  const external_id = isObject(proposal) ? proposal["external_id"] : undefined
  return typeof external_id === "string" && external_id !== "" ? external_id : undefined
}

const missing = (path: string, expected: string, actual: unknown): Violation => ({
  code: "missing_field",
  path,
  message: `This must be ${expected}.`,
  ...(actual === undefined ? {} : { actual }),
})

const checkExternalId = (external_id: unknown): ReadonlyArray<Violation> =>
  external_id === undefined || external_id === null || (typeof external_id === "string" && external_id !== "")
    ? []
    : [missing("/external_id", "a text that is not empty, or be left out", external_id)]

const checkCountry = (country: unknown, { supported_countries }: Rules): ReadonlyArray<Violation> => {
  if (typeof country !== "string") return [missing("/country_code", "a country code such as US", country)]
  if (supported_countries.some(({ country_code }) => country_code === country)) return []
  const message = `The country ${JSON.stringify(country)} is not served.`
  return [{ code: "unsupported_country", path: "/country_code", message, actual: country }]
}

const checkPaymentMethod = (method: unknown, { supported_payment_methods }: Rules): ReadonlyArray<Violation> => {
  if (typeof method !== "string") return [missing("/payment_method", "a payment method code", method)]
  if (supported_payment_methods.some(({ payment_method_code }) => payment_method_code === method)) return []
  const known = supported_payment_methods.map(({ payment_method_code }) => payment_method_code).join(", ")
  const message = `The payment method ${JSON.stringify(method)} is not one of ${known}.`
  return [{ code: "unsupported_payment_method", path: "/payment_method", message, actual: method }]
}

// ---------------------------------------------------------------------------------------------------- money

const checkMoney = (source: unknown, destination: unknown, capabilities: Rules): ReadonlyArray<Violation> => {
  const target = checkCurrency(destination, "/destination_currency_code", capabilities)
  if (!isObject(source)) {
    return [
      missing("/source", 'money such as {"amount":"100.00","currency_code":"fiat/USD"}', source),
      ...target.violations,
      ...checkLimits(target.code, "/destination_currency_code", capabilities),
    ]
  }
  const origin = checkCurrency(source["currency_code"], "/source/currency_code", capabilities)
  const limits = origin.code === undefined ? undefined : limitsOf(capabilities, origin.code)
  return [
    ...checkAmount(source["amount"], origin.code, limits),
    ...origin.violations,
    ...target.violations,
    ...checkSides(origin.code, target.code),
    ...checkLimits(origin.code, "/source/currency_code", capabilities),
    ...checkLimits(target.code, "/destination_currency_code", capabilities),
  ]
}

interface CheckedCurrency {
  readonly code: CurrencyCode.CurrencyCode | undefined
  readonly violations: ReadonlyArray<Violation>
}

const checkCurrency = (value: unknown, path: string, { supported_currencies }: Rules): CheckedCurrency => {
  if (typeof value !== "string") {
    return { code: undefined, violations: [missing(path, "a currency code such as fiat/USD or ethereum/USDC", value)] }
  }
  const isSupported = supported_currencies.some(({ currency_code }) => currency_code === value)
  if (isSupported && CurrencyCode.isCurrencyCode(value)) return { code: value, violations: [] }
  const message = CurrencyCode.isCurrencyCode(value)
    ? `The currency ${value} is not served.`
    : Result.match(CurrencyCode.parse(value), { onFailure: (error) => error.message, onSuccess: String })
  return { code: undefined, violations: [{ code: "unsupported_currency", path, message, actual: value }] }
}

const checkSides = (
  source: CurrencyCode.CurrencyCode | undefined,
  destination: CurrencyCode.CurrencyCode | undefined,
): ReadonlyArray<Violation> => {
  if (source === undefined || destination === undefined) return []
  const path = "/destination_currency_code"
  if (!CurrencyCode.isFiat(source) && !CurrencyCode.isFiat(destination)) {
    const message = `A transfer has fiat on one side, and both ${source} and ${destination} are crypto.`
    return [{ code: "not_fiat", path, message, actual: destination }]
  }
  if (CurrencyCode.isFiat(source) && CurrencyCode.isFiat(destination)) {
    const message = `A transfer has crypto on one side, and both ${source} and ${destination} are fiat.`
    return [{ code: "unsupported_currency", path, message, actual: destination }]
  }
  return []
}

const limitsOf = ({ transfer_limits }: Rules, currency_code: CurrencyCode.CurrencyCode): Limits | undefined =>
  Object.hasOwn(transfer_limits, currency_code) ? transfer_limits[currency_code] : undefined

/** Checks each side by itself, so that an error on the other side hides nothing. */
const checkLimits = (
  currency_code: CurrencyCode.CurrencyCode | undefined,
  path: string,
  capabilities: Rules,
): ReadonlyArray<Violation> => {
  if (currency_code === undefined || !CurrencyCode.isFiat(currency_code)) return []
  if (limitsOf(capabilities, currency_code) !== undefined) return []
  const message = `The service sets no transfer limits for ${currency_code}, so no amount of it can be accepted.`
  return [{ code: "no_limit_for_currency", path, message, actual: currency_code }]
}

const checkAmount = (
  amount: unknown,
  currency_code: CurrencyCode.CurrencyCode | undefined,
  limits: Limits | undefined,
): ReadonlyArray<Violation> => {
  const path = "/source/amount"
  if (amount === undefined || amount === null) return [missing(path, 'an amount as text, such as "100.00"', amount)]
  if (typeof amount !== "string") {
    const message = `An amount is text, such as "100.00", so that no digit is lost. This is a ${JsonValue.isNumberText(amount) ? "number" : typeof amount}.`
    return [{ code: "invalid_amount", path, message, actual: amount }]
  }
  if (!Amount.isAmount(amount)) {
    return [{ code: "invalid_amount", path, message: Amount.invalid(amount).message, actual: amount }]
  }
  if (limits === undefined) return checkPositive(amount, path)
  const { min_transfer: minimum, max_transfer: maximum } = limits
  const digits = Math.max(Amount.scale(minimum), Amount.scale(maximum))
  const least = isPositive(minimum) ? minimum : Amount.fromUnits(1n, digits)
  const violations: Array<Violation> = []
  if (Amount.scale(amount) > digits) {
    violations.push({
      code: "too_many_fraction_digits",
      path,
      message: `${currency_code} has at most ${digits} fraction digits, and ${amount} has ${Amount.scale(amount)}.`,
      actual: amount,
      limit: String(digits),
      nearest: within(Amount.round(amount, digits), least, maximum),
    })
  }
  if (Amount.compare(amount, minimum) < 0) {
    const message = `A transfer in ${currency_code} is at least ${minimum}, and this is ${amount}.`
    violations.push({ code: "below_minimum", path, message, actual: amount, limit: minimum, nearest: least })
  } else {
    violations.push(...checkPositive(amount, path))
  }
  if (Amount.compare(amount, maximum) > 0) {
    const message = `A transfer in ${currency_code} is at most ${maximum}, and this is ${amount}.`
    violations.push({ code: "above_maximum", path, message, actual: amount, limit: maximum, nearest: maximum })
  }
  return violations
}

/** Amounts must be positive in any currency, with or without limits. */
const checkPositive = (amount: string, path: string): ReadonlyArray<Violation> => {
  if (isPositive(amount)) return []
  const message = `The amount must be above zero, and this is ${amount}.`
  return [{ code: "invalid_amount", path, message, actual: amount }]
}

const isPositive = (amount: string): boolean => /[1-9]/.test(amount) && !amount.startsWith("-")

const within = (amount: string, least: string, most: string): string => {
  if (Amount.compare(amount, least) < 0) return least
  return Amount.compare(amount, most) > 0 ? most : amount
}
