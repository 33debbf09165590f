/** Currencies as ledgers write them: codes of ISO 4217 in any case, and signs, of which some belong to several. */
import * as CurrencyCode from "@transferkit/domain/CurrencyCode"
import * as Money from "@transferkit/domain/Money"
import * as Result from "effect/Result"

const isoCodes: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"))

const signs: ReadonlyMap<string, string> = new Map([
  ["€", "EUR"],
  ["£", "GBP"],
  ["₹", "INR"],
])

/** The currencies that share a sign. */
const shared: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  [
    "$",
    "USD AUD CAD NZD SGD HKD MXN CLP COP ARS TWD BBD BMD BND BSD BZD FJD GYD JMD KYD LRD NAD TTD XCD UYU".split(" "),
  ],
  ["¥", ["JPY", "CNY"]],
])

/** Whether a text is a code of ISO 4217, in capitals. */
export const isIso = (code: string): boolean => isoCodes.has(code)

/** Whether a currency is written with a sign that several have. */
export const hasSign = (code: CurrencyCode.CurrencyCode, sign: string): boolean =>
  CurrencyCode.isFiat(code) && shared.get(sign)?.includes(CurrencyCode.ticker(code)) === true

/**
 * The currency of a mark beside an amount: a code in capitals, a code of ISO 4217 in any case, or a sign. None if it is
 * another text.
 *
 * @example
 * LedgerCurrency.ofMark("usd") // => { currency: "USD", sign: undefined }
 * LedgerCurrency.ofMark("$") // => { currency: undefined, sign: "$" }
 */
export const ofMark = (
  mark: string,
): { readonly currency: string | undefined; readonly sign: string | undefined } | undefined => {
  if (mark === "") return { currency: undefined, sign: undefined }
  if (shared.has(mark)) return { currency: undefined, sign: mark }
  const code = signs.get(mark) ?? (isoCodes.has(mark.toUpperCase()) ? mark.toUpperCase() : mark)
  return /^[A-Z]{3}$/.test(code) ? { currency: code, sign: undefined } : undefined
}

/**
 * Ledgers and people write USD or usd for the service's fiat/USD.
 *
 * @example
 * LedgerCurrency.codeOf("USD") // => "fiat/USD"
 * LedgerCurrency.codeOf("usd") // => "fiat/USD"
 * LedgerCurrency.codeOf("ethereum/ETH") // => "ethereum/ETH"
 */
export const codeOf = (text: string): string =>
  /^[A-Z]{3}$/.test(text) || (/^[a-z]{3}$/i.test(text) && isoCodes.has(text.toUpperCase()))
    ? `fiat/${text.toUpperCase()}`
    : text

/** Reads an amount of zero or more, such as `0.01:fiat/USD` or `0.01:usd`; or says, as a clause, why it cannot. */
export const parseSize = (text: string): Result.Result<Money.Money, string> => {
  const at = text.indexOf(":")
  const money = Result.flatMap(CurrencyCode.parse(codeOf(text.slice(at + 1))), (currency) =>
    Money.parse(text.slice(0, Math.max(0, at)), currency),
  )
  if (Result.isSuccess(money) && Money.isNegative(money.success)) {
    return Result.fail(`expected an amount of zero or more, found ${JSON.stringify(text)}.`)
  }
  return Result.mapError(money, ({ message }) => `expected <amount>:<currency>, such as 0.01:fiat/USD. ${message}`)
}
