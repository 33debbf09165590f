/** The amount of a transfer that a ledger is compared with: one of its fields, or the amount of its fiat side. */
import * as CurrencyCode from "./CurrencyCode.ts"
import { type ComparedAmount, type MoneyField, moneyFields } from "./FieldNames.ts"
import * as Money from "./Money.ts"
import type { Transfer } from "./Transfer.ts"

export { type ComparedAmount, comparedAmounts } from "./FieldNames.ts"

/**
 * The field in which a transfer keeps what is compared, if it keeps nothing else.
 *
 * @example
 * ComparedAmount.fieldOf("fiat") // => "source_total"
 */
export const fieldOf = (amount: ComparedAmount): MoneyField => (amount === "fiat" ? "source_total" : amount)

/**
 * The amount; none if the transfer does not have the field, or has no single fiat side.
 *
 * @example
 * ComparedAmount.of(transfer, "fiat")?.text // => "105.00"
 */
export const of = (transfer: Transfer, amount: ComparedAmount): Money.Money | undefined =>
  amount === "fiat" ? signed(transfer, transfer.source_total, transfer.destination_total) : transfer[amount]

/** That of the fiat side: of the source as it is, of the destination as money out. */
const signed = (transfer: Transfer, source: Money.Money | undefined, destination: Money.Money | undefined) => {
  switch (fiatSideOf(transfer)) {
    case "source":
      return source
    case "destination":
      return destination && Money.negate(destination)
    case undefined:
      return undefined
  }
}

/**
 * What the amount is worth in US dollars: the amount itself if it is in dollars, or else the service's valuation of it.
 * Undefined if there is neither: no rate from elsewhere is applied, and a valuation in another currency does not count.
 *
 * @example
 * ComparedAmount.inDollars(transfer, "service_fee")?.text // => "4.00"
 */
export const inDollars = (transfer: Transfer, amount: ComparedAmount): Money.Money | undefined => {
  const own = of(transfer, amount)
  const money = own?.currency_code === "fiat/USD" ? own : valuation(transfer, amount)
  return money?.currency_code === "fiat/USD" ? money : undefined
}

const valuation = (transfer: Transfer, amount: ComparedAmount): Money.Money | undefined =>
  amount === "fiat"
    ? signed(transfer, transfer.source_total_usd, transfer.destination_total_usd)
    : transfer[valuationOf(amount)]

/**
 * The field of the service's valuation of what is compared.
 *
 * @example
 * ComparedAmount.valuationField("fiat") // => "source_total_usd"
 */
export const valuationField = (amount: ComparedAmount): MoneyField => valuationOf(fieldOf(amount))

const valuationOf = (field: MoneyField): MoneyField => moneyFields.find((name) => name === `${field}_usd`) ?? field

const isFiat = (money: Money.Money | undefined): boolean =>
  money !== undefined && CurrencyCode.isFiat(money.currency_code)

const fiatSideOf = ({ source_total, destination_total }: Transfer): "source" | "destination" | undefined => {
  const [source, destination] = [isFiat(source_total), isFiat(destination_total)]
  return source === destination ? undefined : source ? "source" : "destination"
}

/** The fiat sides of kinds that were seen. The contract does not document kinds, so no sign is derived from one. */
const seen: ReadonlyMap<string, "source" | "destination"> = new Map([
  ["cash_in", "source"],
  ["cash_out", "destination"],
])

/**
 * Why the kind of a transfer contradicts its fiat side, as a clause; none if it does not, or is not known.
 *
 * @example
 * ComparedAmount.contradiction(transfer) // => undefined
 */
export const contradiction = (transfer: Transfer): string | undefined => {
  const side = fiatSideOf(transfer)
  const expected = seen.get(transfer.kind)
  return side === undefined || expected === undefined || side === expected
    ? undefined
    : `${transfer.id} is of the kind ${transfer.kind}, but its fiat side is its ${side}`
}
