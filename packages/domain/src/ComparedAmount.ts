/** The amount of a transfer that a ledger is compared with: one of its fields, or the amount of its fiat side. */
import * as CurrencyCode from "./CurrencyCode.ts"
import * as Money from "./Money.ts"
import { type MoneyField, moneyFields, type Transfer } from "./Transfer.ts"

/** A field, or `fiat`: the source's total if the source alone is fiat, less the destination's if that alone is. */
export type ComparedAmount = MoneyField | "fiat"

/** All of them. */
export const comparedAmounts: ReadonlyArray<ComparedAmount> = [...moneyFields, "fiat"]

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
export const of = (transfer: Transfer, amount: ComparedAmount): Money.Money | undefined => {
  if (amount !== "fiat") return transfer[amount]
  switch (fiatSideOf(transfer)) {
    case "source":
      return transfer.source_total
    case "destination":
      return transfer.destination_total && Money.negate(transfer.destination_total)
    case undefined:
      return undefined
  }
}

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
