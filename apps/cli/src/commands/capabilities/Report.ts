/** Capabilities as tables and as flat rows. */
import type { Capabilities } from "@transferkit/domain/Capabilities"
import type { Report } from "../../output/Report.ts"

/** The report of a service's capabilities. Its JSON is the service's own. */
export const make = (capabilities: Capabilities): Report => {
  const countries = capabilities.supported_countries.map((country) => [country.country_code, country.country_name])
  const currencies = capabilities.supported_currencies.map((currency) => [
    currency.currency_code,
    currency.legacy_currency_code,
    currency.currency_name,
  ])
  const methods = capabilities.supported_payment_methods.map((method) => [
    method.payment_method_code,
    method.payment_method_name,
  ])
  const limits = Object.entries(capabilities.transfer_limits).map(([currency_code, limit]) => [
    currency_code,
    limit.min_transfer,
    limit.max_transfer,
  ])
  return {
    json: capabilities,
    records: [capabilities],
    csv: [
      ["type", "code", "name", "legacy_currency_code", "min_transfer", "max_transfer"],
      ...countries.map(([code, name]) => ["country", code, name, "", "", ""]),
      ...currencies.map(([code, legacy, name]) => ["currency", code, name, legacy, "", ""]),
      ...methods.map(([code, name]) => ["payment_method", code, name, "", "", ""]),
      ...limits.map(([code, least, most]) => ["limit", code, "", "", least, most]),
    ],
    numbers: new Set(["min_transfer", "max_transfer"]),
    table: () => [
      {
        title: "Transfer limits",
        columns: [{ header: "CURRENCY" }, { header: "MINIMUM", align: "right" }, { header: "MAXIMUM", align: "right" }],
        rows: limits,
      },
      {
        title: "Currencies",
        columns: [{ header: "CODE" }, { header: "LEGACY" }, { header: "NAME", shrinkTo: 12 }],
        rows: currencies,
      },
      { title: "Payment methods", columns: [{ header: "CODE" }, { header: "NAME", shrinkTo: 12 }], rows: methods },
      { title: "Countries", columns: [{ header: "CODE" }, { header: "NAME", shrinkTo: 12 }], rows: countries },
    ],
  }
}

/** The report of their hash: as a table, the hash alone. */
export const ofHash = (hash: string): Report => ({
  json: { hash },
  records: [{ hash }],
  csv: [["hash"], [hash]],
  table: () => [{ text: hash }],
})
