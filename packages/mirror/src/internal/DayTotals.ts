/**
 * What the transfers of a day and a status add up to. Amounts of a field are added by the currency they are grouped by,
 * by their currency code, and by their number of fraction digits, because a sum has as many as its longest amount.
 */
import * as Amount from "@transferkit/domain/Amount"
import { AmountSum } from "@transferkit/domain/AmountSum"
import * as CurrencyCode from "@transferkit/domain/CurrencyCode"
import * as Summary from "@transferkit/domain/Summary"
import { type MoneyField, moneyFields, type Transfer } from "@transferkit/domain/Transfer"
import type * as Option from "effect/Option"
import * as Order from "effect/Order"
import * as S from "effect/Schema"

/** Amounts of a field, as the table holds them. */
type Entry = readonly [currency: string, currency_code: CurrencyCode.CurrencyCode, amounts: number, sum: string]

/** What the table holds. */
export interface Stored {
  readonly transfers: number
  readonly currencies: ReadonlyArray<readonly [currency: string, transfers: number]>
  readonly amounts: { readonly [F in MoneyField]?: ReadonlyArray<Entry> }
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0

const isEntry = (value: unknown): value is Entry => {
  if (!Array.isArray(value)) return false
  const [currency, currency_code, amounts, sum] = value
  return (
    typeof currency === "string" &&
    typeof currency_code === "string" &&
    CurrencyCode.isCurrencyCode(currency_code) &&
    isCount(amounts) &&
    typeof sum === "string" &&
    Amount.isAmount(sum)
  )
}

// A predicate for all that are alike: a summary reads a hundred thousand of them.
const Entries = S.declare((value): value is ReadonlyArray<Entry> => Array.isArray(value) && value.every(isEntry))

const Count = S.Number.check(S.makeFilter(isCount))

const Stored = S.Struct({
  transfers: Count,
  currencies: S.Array(S.Tuple([S.String, Count])),
  amounts: S.Record(S.Literals(moneyFields), S.optionalKey(Entries)),
})

/** Reads the JSON of a row. */
export const decode: (text: unknown) => Option.Option<Stored> = S.decodeUnknownOption(S.fromJsonString(Stored), {
  onExcessProperty: "error",
})

/** Amounts of a field that are added. */
interface Alike {
  readonly currency: string
  readonly currency_code: CurrencyCode.CurrencyCode
  readonly digits: number
  amounts: number
  readonly sum: AmountSum
}

const byCurrency = Order.mapInput(Order.String, ([currency]: readonly [currency: string, ...unknown[]]) => currency)

const inOrder = Order.combineAll<Entry>([
  byCurrency,
  Order.mapInput(Order.String, ([, currency_code]) => currency_code),
  Order.mapInput(Order.Number, ([, , , sum]) => Amount.scale(sum)),
])

/** What is left of each, in one order, whatever the order of the transfers. */
const json = ({ transfers, currencies, amounts }: Stored): string =>
  JSON.stringify({
    transfers,
    currencies: currencies.filter(([, count]) => count > 0).sort(byCurrency),
    amounts: Object.fromEntries(
      moneyFields.flatMap((field) => {
        const entries = amounts[field]?.filter(([, , count]) => count > 0).sort(inOrder) ?? []
        return entries.length === 0 ? [] : [[field, entries]]
      }),
    ),
  })

/** Totals that grow with each transfer that is added, and shrink with each that is taken from them. */
export class DayTotals {
  #transfers = 0
  readonly #currencies = new Map<string, number>()
  readonly #amounts = new Map<MoneyField, Array<Alike>>()

  add(transfer: Transfer, sign: 1 | -1): void {
    const currencies = new Set<string>()
    for (const field of moneyFields) {
      const money = transfer[field]
      if (money === undefined) continue
      const currency = Summary.currencyOf(transfer, field, money)
      currencies.add(currency)
      this.#add(field, [currency, money.currency_code, sign, sign === 1 ? money.text : negated(money.text)])
    }
    if (currencies.size === 0) currencies.add("")
    this.#transfers += sign
    for (const currency of currencies) this.#count(currency, sign)
  }

  /** The JSON of both, if the table has totals already. */
  jsonWith(before: Stored | undefined): string {
    if (before === undefined) return json(this.#stored)
    const both = new DayTotals()
    both.#addStored(before)
    both.#addStored(this.#stored)
    return json(both.#stored)
  }

  get #stored(): Stored {
    const entriesOf = (alike: ReadonlyArray<Alike>) =>
      alike.map(({ currency, currency_code, amounts, sum }): Entry => [currency, currency_code, amounts, sum.text])
    const amounts = [...this.#amounts].map(([field, alike]) => [field, entriesOf(alike)] as const)
    return { transfers: this.#transfers, currencies: [...this.#currencies], amounts: Object.fromEntries(amounts) }
  }

  #addStored({ transfers, currencies, amounts }: Stored): void {
    this.#transfers += transfers
    for (const [currency, count] of currencies) this.#count(currency, count)
    for (const field of moneyFields) for (const entry of amounts[field] ?? []) this.#add(field, entry)
  }

  #count(currency: string, by: number): void {
    this.#currencies.set(currency, (this.#currencies.get(currency) ?? 0) + by)
  }

  #add(field: MoneyField, [currency, currency_code, amounts, text]: Entry): void {
    const digits = Amount.scale(text)
    let ofField = this.#amounts.get(field)
    if (ofField === undefined) this.#amounts.set(field, (ofField = []))
    let alike = ofField.find(
      (one) => one.digits === digits && one.currency_code === currency_code && one.currency === currency,
    )
    if (alike === undefined) {
      alike = { currency, currency_code, digits, amounts: 0, sum: new AmountSum() }
      ofField.push(alike)
    }
    alike.amounts += amounts
    alike.sum.add(text)
  }
}

const negated = (text: string): string => (text.startsWith("-") ? text.slice(1) : `-${text}`)
