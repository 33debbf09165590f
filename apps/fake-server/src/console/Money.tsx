/** Amounts with aligned decimals, the ticker and the network apart. */
import { currencyOf, isMoney, type Money, textOf } from "./Transfer.ts"

/** Longer fractions end with an ellipsis in a table; the title has all digits. */
const mostDecimals = 6

/** The two cells of an amount. */
export const MoneyCells = ({ value }: { readonly value: unknown }) => {
  if (!isMoney(value)) {
    return (
      <>
        <td class="amount">{value === undefined ? "" : textOf(value)}</td>
        <td class="currency" />
      </>
    )
  }
  const [whole = "", fraction] = value.amount.split(".")
  const isLong = (fraction ?? "").length > mostDecimals
  return (
    <>
      <td class="amount" title={value.amount}>
        <span class="hidden">{value.amount}</span>
        <span class="digits" aria-hidden="true">
          <span class="whole">{whole}</span>
          <span class="fraction">
            {fraction !== undefined && `.${fraction.slice(0, mostDecimals)}${isLong ? "…" : ""}`}
          </span>
        </span>
      </td>
      <td class="currency">
        <Currency code={value.currency_code} />
      </td>
    </>
  )
}

/** A ticker, and the network as a small label. */
export const Currency = ({ code }: { readonly code: string }) => {
  const { network, ticker } = currencyOf(code)
  return (
    <span class="currency-code" title={code}>
      {ticker} {network !== undefined && <small class="network">{network}</small>}
    </span>
  )
}

/** An amount in running text, with all digits. */
export const MoneyText = ({ value }: { readonly value: Money }) => (
  <span class="money-text">
    {value.amount} <Currency code={value.currency_code} />
  </span>
)
