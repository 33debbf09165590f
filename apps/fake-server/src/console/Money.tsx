/** Amounts with aligned decimals and apart thousands, the ticker and the network apart. */
import { currencyOf, isMoney, type Money, textOf, type Transfer } from "./Transfer.ts"

/** Longer fractions end with an ellipsis in a table; the title has all digits. Those of Bitcoin are whole. */
const mostDecimals = 8

/** Longer whole parts end with an ellipsis. */
const mostDigits = 13

/** The most digits behind the point that a column shows, with a place for the ellipsis. */
export const decimalsOf = (rows: ReadonlyArray<Transfer>, field: string): number =>
  Math.max(
    0,
    ...rows.map((row) => {
      const value = row[field]
      const length = isMoney(value) ? (value.amount.split(".")[1] ?? "").length : 0
      return Math.min(length, mostDecimals + 1)
    }),
  )

/** The two cells of an amount. */
export const MoneyCells = ({ value, decimals }: { readonly value: unknown; readonly decimals: number }) => {
  if (!isMoney(value)) {
    return (
      <>
        <td class="amount">{value === undefined ? "" : textOf(value)}</td>
        <td class="currency" />
      </>
    )
  }
  const [whole = "", fraction] = value.amount.split(".")
  const isHuge = whole.length > mostDigits
  const isLong = (fraction ?? "").length > mostDecimals
  return (
    <>
      <td class="amount" title={value.amount}>
        <span class="hidden">{value.amount}</span>
        <span class="digits" aria-hidden="true" style={{ "--fraction": decimals }}>
          <span class="whole">{isHuge ? `${whole.slice(0, mostDigits - 1)}…` : thousands(whole)}</span>
          <span class="fraction">
            {fraction !== undefined && !isHuge && `.${fraction.slice(0, mostDecimals)}${isLong ? "…" : ""}`}
          </span>
        </span>
      </td>
      <td class="currency">
        <Currency code={value.currency_code} />
      </td>
    </>
  )
}

/** The digits in groups of three. The gaps are no text: what is copied is the number. */
const thousands = (whole: string) =>
  whole.split(/(?<=\d)(?=(?:\d{3})+$)/).map((group, index) => (index === 0 ? group : <i key={index}>{group}</i>))

/** A ticker, and the network as a small label. */
export const Currency = ({ code }: { readonly code: string }) => {
  const { network, ticker } = currencyOf(code)
  return (
    <span class="currency-code" title={code}>
      {ticker} {network !== undefined && <small class="network">{network}</small>}
    </span>
  )
}

/** A number with all digits, the thousands apart. */
export const Digits = ({ text }: { readonly text: string }) => {
  const [whole = "", fraction] = text.split(".")
  return (
    <span class="grouped">
      {thousands(whole)}
      {fraction !== undefined && `.${fraction}`}
    </span>
  )
}

/** An amount in running text, with all digits. */
export const MoneyText = ({ value }: { readonly value: Money }) => (
  <span class="money-text">
    <Digits text={value.amount} /> <Currency code={value.currency_code} />
  </span>
)
