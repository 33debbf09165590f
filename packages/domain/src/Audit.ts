/**
 * Checks existing transfers against the contract's arithmetic and the service's capabilities. Reports everything that a
 * finance team would ask about, always in the same order.
 */
import * as Result from "effect/Result"
import * as Amount from "./Amount.ts"
import * as Capabilities from "./Capabilities.ts"
import * as CurrencyCode from "./CurrencyCode.ts"
import * as Dialect from "./Dialect.ts"
import type { Finding as AnyFinding } from "./Finding.ts"
import * as Money from "./Money.ts"
import * as Timestamp from "./Timestamp.ts"
import * as Transfer from "./Transfer.ts"

/** The codes of findings, in the order in which they are reported. */
export const codes = [
  "updated_before_created",
  "missing_network_transaction_id",
  "unsupported_payment_method",
  "negative_amount",
  "usd_not_in_usd",
  "unsupported_currency",
  "total_not_sum_of_parts",
  "below_minimum",
  "above_maximum",
  // By FeeSchedule, if there is one.
  "fee_off_schedule",
  "fee_not_in_schedule",
  "fee_in_several_rows",
  "fee_not_comparable",
] as const

/** One of {@link codes}. */
export type Code = (typeof codes)[number]

/** A finding on a transfer. */
export type Finding = AnyFinding<Code>

/**
 * All findings on a transfer. An empty list means that nothing was found. The settlement says which statuses are settled.
 *
 * @example
 * Audit.audit(transfer, capabilities) // => []
 */
export const audit = (
  transfer: Transfer.Transfer,
  capabilities: Capabilities.Capabilities,
  settlement: Dialect.Settlement = Dialect.standard,
): ReadonlyArray<Finding> => [
  ...checkInstants(transfer),
  ...checkNetworkTransaction(transfer, settlement),
  ...checkPaymentMethod(transfer, capabilities),
  ...Transfer.moneyFields.flatMap((field) => checkNegative(field, transfer[field])),
  ...Transfer.moneyFields.flatMap((field) => checkCurrency(field, transfer[field], capabilities)),
  ...checkSum(transfer),
  ...checkLimits(transfer, capabilities),
]

const checkInstants = ({ created_at, updated_at }: Transfer.Transfer): ReadonlyArray<Finding> => {
  if (updated_at === undefined || Timestamp.compare(created_at, updated_at) <= 0) return []
  const message = `It was updated at ${updated_at}, before it was created at ${created_at}.`
  return [
    { code: "updated_before_created", path: "/updated_at", message, actual: updated_at.text, limit: created_at.text },
  ]
}

const checkNetworkTransaction = (
  { status, network_transaction_id = "" }: Transfer.Transfer,
  settlement: Dialect.Settlement,
): ReadonlyArray<Finding> => {
  if (Dialect.classOf(settlement, status) !== "settled" || network_transaction_id !== "") return []
  const message = `It is ${status} and names no transaction on the network.`
  return [{ code: "missing_network_transaction_id", path: "/network_transaction_id", message }]
}

const checkPaymentMethod = (
  { payment_method }: Transfer.Transfer,
  { supported_payment_methods }: Capabilities.Capabilities,
): ReadonlyArray<Finding> => {
  if (payment_method === undefined) return []
  if (supported_payment_methods.some(({ payment_method_code }) => payment_method_code === payment_method)) return []
  const message = `The payment method ${JSON.stringify(payment_method)} is not among the capabilities.`
  return [{ code: "unsupported_payment_method", path: "/payment_method", message, actual: payment_method }]
}

const checkNegative = (field: string, money: Money.Money | undefined): ReadonlyArray<Finding> =>
  money !== undefined && Money.isNegative(money)
    ? [{ code: "negative_amount", path: `/${field}/amount`, message: `${money} is below zero.`, actual: money.text }]
    : []

const checkCurrency = (
  field: string,
  money: Money.Money | undefined,
  { supported_currencies }: Capabilities.Capabilities,
): ReadonlyArray<Finding> => {
  if (money === undefined) return []
  const path = `/${field}/currency_code`
  const actual = money.currency_code
  if (field.endsWith("_usd")) {
    const message = `A valuation in US dollars is in fiat/USD, and this is in ${actual}.`
    return actual === "fiat/USD" ? [] : [{ code: "usd_not_in_usd", path, message, actual, nearest: "fiat/USD" }]
  }
  if (supported_currencies.some(({ currency_code }) => currency_code === actual)) return []
  return [{ code: "unsupported_currency", path, message: `${actual} is not among the capabilities.`, actual }]
}

/** Total = subtotal + fees, if all of them are present and in one currency. */
const checkSum = (transfer: Transfer.Transfer): ReadonlyArray<Finding> => {
  const { source_total, source_subtotal, service_fee, network_fee } = transfer
  if (source_total === undefined || source_subtotal === undefined) return []
  if (service_fee === undefined || network_fee === undefined) return []
  const sum = Money.sum([source_subtotal, service_fee, network_fee])
  if (Result.isFailure(sum) || sum.success.currency_code !== source_total.currency_code) return []
  if (Money.equals(sum.success, source_total)) return []
  const parts = `${source_subtotal.text} + ${service_fee.text} + ${network_fee.text}`
  const message = `source_total is ${source_total}, and source_subtotal + service_fee + network_fee is ${parts} = ${sum.success}.`
  const actual = source_total.text
  return [{ code: "total_not_sum_of_parts", path: "/source_total/amount", message, actual, nearest: sum.success.text }]
}

/** The limits are those of the fiat side. */
const checkLimits = (transfer: Transfer.Transfer, capabilities: Capabilities.Capabilities): ReadonlyArray<Finding> => {
  const field = (["source_total", "destination_total"] as const).find((name) => {
    const total = transfer[name]
    return total !== undefined && CurrencyCode.isFiat(total.currency_code)
  })
  const total = field === undefined ? undefined : transfer[field]
  const limits = total === undefined ? undefined : Capabilities.limits(capabilities, total.currency_code)
  if (total === undefined || limits === undefined) return []
  const path = `/${field}/amount`
  const { min_transfer: minimum, max_transfer: maximum } = limits
  if (Amount.compare(total.text, minimum) < 0) {
    const message = `${total} is below the minimum of ${minimum} ${total.currency_code}.`
    return [{ code: "below_minimum", path, message, actual: total.text, limit: minimum }]
  }
  if (Amount.compare(total.text, maximum) > 0) {
    const message = `${total} is above the maximum of ${maximum} ${total.currency_code}.`
    return [{ code: "above_maximum", path, message, actual: total.text, limit: maximum }]
  }
  return []
}
