/** Proposals and their codes, written by hand from docs/codes.md and the capabilities of the fixture. */
import { proposal as base } from "../proposal.ts"

const usd = (amount: unknown) => ({ ...base, source: { amount, currency_code: "fiat/USD" } })
const mxn = (amount: string) => ({ ...base, source: { amount, currency_code: "fiat/MXN" } })
const crypto = (amount: string, destination_currency_code = "fiat/USD") => ({
  ...base,
  source: { amount, currency_code: "ethereum/USDC" },
  destination_currency_code,
})
const without = (field: keyof typeof base) =>
  Object.fromEntries(Object.entries(base).filter(([name]) => name !== field))

/** The codes may be reported in any order. */
export const cases: ReadonlyArray<readonly [name: string, proposal: unknown, codes: ReadonlyArray<string>]> = [
  ["a valid one", base, []],
  ["the minimum", usd("5.00"), []],
  ["the maximum", usd("2500.00"), []],
  ["the minimum without a fraction", usd("5"), []],
  ["one fraction digit", usd("5.5"), []],
  ["a cent below the minimum", usd("4.99"), ["below_minimum"]],
  ["a cent above the maximum", usd("2500.01"), ["above_maximum"]],
  ["a digit too many, though it is zero", usd("5.000"), ["too_many_fraction_digits"]],
  ["a digit too many above the maximum", usd("2500.005"), ["too_many_fraction_digits", "above_maximum"]],
  ["zero", usd("0.00"), ["below_minimum"]],
  ["less than zero", usd("-1.00"), ["below_minimum"]],
  ["very much", usd("9".repeat(200)), ["above_maximum"]],
  ["more than 255 characters", usd("9".repeat(256)), ["invalid_amount"]],
  ["an exponent", usd("1e2"), ["invalid_amount"]],
  ["a number", usd(100), ["invalid_amount"]],
  ["a truth", usd(true), ["invalid_amount"]],
  ["an object for an amount", usd({}), ["invalid_amount"]],
  ["an empty amount", usd(""), ["invalid_amount"]],
  ["a comma", usd("100,00"), ["invalid_amount"]],
  ["a blank", usd(" 100.00"), ["invalid_amount"]],
  ["a leading zero", usd("0100.00"), ["invalid_amount"]],
  ["no digit before the point", usd(".5"), ["invalid_amount"]],
  ["no digit after the point", usd("1."), ["invalid_amount"]],
  ["a plus", usd("+5.00"), ["invalid_amount"]],
  ["NaN", usd("NaN"), ["invalid_amount"]],
  ["Infinity", usd("Infinity"), ["invalid_amount"]],
  ["Arabic digits", usd("١٠٠"), ["invalid_amount"]],
  ["no amount", usd(undefined), ["missing_field"]],
  ["null for an amount", usd(null), ["missing_field"]],
  ["pesos", mxn("100.00"), []],
  ["too few pesos", mxn("99.99"), ["below_minimum"]],
  ["too many pesos", mxn("50000.01"), ["above_maximum"]],
  ["crypto to fiat", crypto("10.00"), []],
  ["a millionth of crypto", crypto("0.000001"), []],
  ["no crypto", crypto("0"), ["invalid_amount"]],
  ["less than no crypto", crypto("-1"), ["invalid_amount"]],
  ["crypto to crypto", crypto("1", "bitcoin/BTC"), ["not_fiat"]],
  ["fiat to fiat", { ...base, destination_currency_code: "fiat/MXN" }, ["unsupported_currency"]],
  ["another crypto", { ...base, destination_currency_code: "bitcoin/BTC" }, []],
  ["another network", { ...base, destination_currency_code: "polygon/USDC" }, ["unsupported_currency"]],
  ["a legacy code", { ...base, destination_currency_code: "USDC" }, ["unsupported_currency"]],
  ["no destination", without("destination_currency_code"), ["missing_field"]],
  ["a number for a destination", { ...base, destination_currency_code: 7 }, ["missing_field"]],
  ["euros", { ...base, source: { amount: "1.00", currency_code: "fiat/EUR" } }, ["unsupported_currency"]],
  ["no source", without("source"), ["missing_field"]],
  ["a text for a source", { ...base, source: "100.00 USD" }, ["missing_field"]],
  ["a list for a source", { ...base, source: [] }, ["missing_field"]],
  ["no currency of the source", { ...base, source: { amount: "10.00" } }, ["missing_field"]],
  ["no country", without("country_code"), ["missing_field"]],
  ["another country", { ...base, country_code: "XX" }, ["unsupported_country"]],
  ["a country in lower case", { ...base, country_code: "us" }, ["unsupported_country"]],
  ["null for a country", { ...base, country_code: null }, ["missing_field"]],
  ["no payment method", without("payment_method"), ["missing_field"]],
  ["another payment method", { ...base, payment_method: "cash" }, ["unsupported_payment_method"]],
  ["an empty external_id", { ...base, external_id: "" }, ["missing_field"]],
  ["a number for an external_id", { ...base, external_id: 7 }, ["missing_field"]],
  ["null for an external_id", { ...base, external_id: null }, []],
  ["an external_id of any characters", { ...base, external_id: "ü/№ 7 <&>\u0000" }, []],
  ["a field that is unknown", { ...base, note: "hello" }, []],
  [
    "everything wrong",
    { ...usd("1.001"), country_code: "XX", payment_method: "cash" },
    ["unsupported_country", "unsupported_payment_method", "too_many_fraction_digits", "below_minimum"],
  ],
  ["nothing", {}, ["missing_field", "missing_field", "missing_field", "missing_field"]],
  ["a number", 7, ["missing_field"]],
  ["null", null, ["missing_field"]],
  ["a list", [base], ["missing_field"]],
]

/** A valid proposal. */
export const proposal = (external_id?: string) => (external_id === undefined ? base : { ...base, external_id })
