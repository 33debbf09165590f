/** The checks of a proposal as somebody would write them beside a schema; limits compared by decimal.js. */
import { Decimal } from "decimal.js"

const { TRANSFERS_BASE_URL, TRANSFERS_PARTNER_ID, TRANSFERS_SECRET_KEY } = process.env
let cached

const capabilities = async () => {
  if (cached === undefined) {
    const authorization = `Basic ${btoa(`${TRANSFERS_PARTNER_ID}:${TRANSFERS_SECRET_KEY}`)}`
    const response = await fetch(`${TRANSFERS_BASE_URL}/v1/capabilities`, { headers: { authorization } })
    if (!response.ok) throw new Error(`the service answered ${response.status}`)
    cached = await response.json()
  }
  return cached
}

const violationsOf = (proposal, supported) => {
  const codes = []
  const { country_code, payment_method, source, destination_currency_code } = proposal
  const currencies = new Set(supported.supported_currencies.map((each) => each.currency_code))
  if (!supported.supported_countries.some((each) => each.country_code === country_code))
    codes.push("unsupported_country")
  if (!supported.supported_payment_methods.some((each) => each.payment_method_code === payment_method)) {
    codes.push("unsupported_payment_method")
  }
  for (const code of [source.currency_code, destination_currency_code]) {
    if (!currencies.has(code)) codes.push("unsupported_currency")
  }
  const limits = supported.transfer_limits[source.currency_code]
  if (limits !== undefined) {
    const amount = new Decimal(source.amount)
    if (amount.lt(limits.min_transfer)) codes.push("below_minimum")
    if (amount.gt(limits.max_transfer)) codes.push("above_maximum")
  }
  return codes
}

/** The verdicts on proposals that have passed a schema. */
export const validate = async (proposals) => {
  const supported = await capabilities()
  const results = proposals.map((proposal, index) => {
    const codes = violationsOf(proposal, supported)
    return { index, valid: codes.length === 0, violations: codes.map((code) => ({ code })) }
  })
  return { valid: results.every((result) => result.valid), results }
}
