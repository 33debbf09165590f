/** The grammars of amounts and currency codes as shapes. */
import * as Amount from "../../Amount.ts"
import * as CurrencyCode from "../../CurrencyCode.ts"
import { textThat } from "./ShapeCheck.ts"

export const amount = textThat("an amount as text", (digits) => {
  if (!Amount.pattern.test(digits)) return "a plain decimal number"
  return digits.length <= Amount.maxLength ? undefined : `a value with a length of at most ${Amount.maxLength}`
})

export const currencyCode = textThat("a currency code as text", (code) =>
  CurrencyCode.isCurrencyCode(code) ? undefined : "a currency code <network>/<ticker> or fiat/<code>",
)
