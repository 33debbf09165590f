/** An amount in a locale's notation. `Intl` prints decimal text exactly, up to 100 fraction digits. */
import * as Amount from "../../Amount.ts"
import * as CurrencyCode from "../../CurrencyCode.ts"

const mostFractionDigits = 100

export const formatAmount = (text: string, code: CurrencyCode.CurrencyCode, locale: string): string => {
  const ticker = CurrencyCode.ticker(code)
  const scale = Amount.scale(text)
  if (scale > mostFractionDigits) return `${text} ${ticker}`
  if (CurrencyCode.isFiat(code) && /^[A-Z]{3}$/.test(ticker)) {
    const currency = { style: "currency", currency: ticker } as const
    const usual = new Intl.NumberFormat(locale, currency).resolvedOptions().maximumFractionDigits ?? 0
    return print(text, locale, Math.max(scale, usual), currency)
  }
  return `${print(text, locale, scale, {})} ${ticker}`
}

const print = (text: string, locale: string, digits: number, style: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(locale, { ...style, minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    isNumeric(text) ? text : 0,
  )

/** `Intl` accepts exact decimals as text, which TypeScript types as `${number}`. */
const isNumeric = (text: string): text is `${number}` => Amount.isAmount(text)
