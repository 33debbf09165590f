/**
 * Exact totals of transfers, grouped by any dimensions. Transfers stream through; memory holds one total per group,
 * field and currency.
 */
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as EffectOrder from "effect/Order"
import * as Sink from "effect/Sink"
import { AmountSum } from "./AmountSum.ts"
import type { CurrencyCode } from "./CurrencyCode.ts"
import * as Day from "./Day.ts"
import type { Dimension } from "./FieldNames.ts"
import * as MoneyValue from "./internal/money/MoneyValue.ts"
import * as Calendar from "./internal/time/Calendar.ts"
import * as Money from "./Money.ts"
import type * as Timestamp from "./Timestamp.ts"
import * as Transfer from "./Transfer.ts"

export { calendarDimensions, type Dimension, dimensions, usualFields } from "./FieldNames.ts"

/** How to total. */
export interface Options {
  /** A dimension that is repeated counts once. */
  readonly by: ReadonlyArray<Dimension>
  /** The time zone of days, weeks, months, quarters and years; UTC by default. */
  readonly timeZone?: DateTime.TimeZone | undefined
}

/** The totals of one group. */
export interface Group {
  /** The value of each dimension asked for; empty if a transfer has none. */
  readonly key: Readonly<Partial<Record<Dimension, string>>>
  /** The number of transfers in the group. */
  readonly transfers: number
  /** For each field, the total in each currency, in the order of their codes. Fields without an amount are absent. */
  readonly totals: Readonly<Partial<Record<Transfer.MoneyField, ReadonlyArray<Money.Money>>>>
}

/** Groups in the order of their keys. */
export interface Summary {
  readonly by: ReadonlyArray<Dimension>
  /** The number of transfers. Grouped by currency, a transfer is in a group for each of its currencies. */
  readonly transfers: number
  readonly groups: ReadonlyArray<Group>
}

/**
 * Totals transfers.
 *
 * @example
 * Summary.summarize([], { by: ["status"] }) // => { by: ["status"], transfers: 0, groups: [] }
 */
export const summarize = (transfers: Iterable<Transfer.Transfer>, options: Options): Summary => {
  const totals = new Totals(options)
  for (const transfer of transfers) totals.add(transfer)
  return totals.summary()
}

/**
 * Totals a stream of transfers.
 *
 * @example
 * Effect.runSync(Stream.run(Stream.empty, Summary.sink({ by: ["status"] }))) // => { by: ["status"], transfers: 0, groups: [] }
 */
export const sink = (options: Options): Sink.Sink<Summary, Transfer.Transfer> =>
  Sink.suspend(() => {
    const totals = new Totals(options)
    return Sink.map(
      Sink.forEachArray((transfers: ReadonlyArray<Transfer.Transfer>) =>
        Effect.sync(() => {
          for (const transfer of transfers) totals.add(transfer)
        }),
      ),
      () => totals.summary(),
    )
  })

/**
 * The summary of several sets of transfers that have none in common, from the summary of each.
 *
 * @example
 * Summary.combine([], { by: ["status"] }) // => { by: ["status"], transfers: 0, groups: [] }
 */
export const combine = (
  summaries: Iterable<Pick<Summary, "transfers" | "groups">>,
  options: { readonly by: ReadonlyArray<Dimension> },
): Summary => {
  const totals = new Totals(options)
  for (const summary of summaries) totals.addSummary(summary)
  return totals.summary()
}

// ---------------------------------------------------------------------------------------------------- accumulation

interface GroupTotals {
  readonly key: Group["key"]
  transfers: number
  readonly totals: Map<Transfer.MoneyField, Map<CurrencyCode, AmountSum>>
}

/**
 * Totals of transfers that are added one by one, for a pass that computes more than a summary.
 *
 * @example
 * const totals = new Summary.Totals({ by: ["status"] })
 * totals.add(transfer)
 * totals.summary().transfers // => 1
 */
export class Totals {
  readonly #by: ReadonlyArray<Dimension>
  readonly #groups = new Map<string, GroupTotals>()
  #transfers = 0

  readonly #dateOf: (at: Timestamp.Timestamp) => string

  constructor({ by, timeZone }: Options) {
    this.#by = [...new Set(by)]
    this.#dateOf = Day.ofMany(timeZone)
  }

  /** Adds a transfer to the group of each of its values. */
  add(transfer: Transfer.Transfer): void {
    this.#transfers++
    const touched = new Set<GroupTotals>()
    // Only grouped by currency, amounts of one transfer are in several groups.
    const only = this.#by.includes("currency") ? undefined : this.#groupOf(transfer, "")
    for (const field of Transfer.moneyFields) {
      const money = transfer[field]
      if (money === undefined) continue
      const group = only ?? this.#groupOf(transfer, currencyOf(transfer, field, money))
      touched.add(group)
      addTo(group, field, money)
    }
    if (touched.size === 0) touched.add(only ?? this.#groupOf(transfer, ""))
    for (const group of touched) group.transfers++
  }

  /** Adds the totals of other transfers. */
  addSummary({ transfers, groups }: Pick<Summary, "transfers" | "groups">): void {
    this.#transfers += transfers
    for (const { key, transfers: own, totals } of groups) {
      const group = this.#group(this.#by.map((dimension) => key[dimension] ?? ""))
      group.transfers += own
      for (const field of Transfer.moneyFields) for (const money of totals[field] ?? []) addTo(group, field, money)
    }
  }

  summary(): Summary {
    const groups = [...this.#groups.values()].map(({ key, transfers, totals }): Group => ({
      key,
      transfers,
      totals: Object.fromEntries(
        Transfer.moneyFields.flatMap((field) => {
          const perCurrency = totals.get(field)
          return perCurrency === undefined
            ? []
            : [
                [
                  field,
                  [...perCurrency]
                    .map(([currency_code, sum]) => new MoneyValue.Money(sum.text, currency_code))
                    .sort(Money.Order),
                ] as const,
              ]
        }),
      ),
    }))
    return { by: this.#by, transfers: this.#transfers, groups: groups.sort(byKey(this.#by)) }
  }

  #groupOf(transfer: Transfer.Transfer, currency: string): GroupTotals {
    return this.#group(this.#by.map((dimension) => valueOf(transfer, dimension, currency, this.#dateOf)))
  }

  #group(values: ReadonlyArray<string>): GroupTotals {
    const name = JSON.stringify(values)
    const known = this.#groups.get(name)
    if (known !== undefined) return known
    const key = Object.fromEntries(this.#by.map((dimension, index) => [dimension, values[index] ?? ""]))
    const group: GroupTotals = { key, transfers: 0, totals: new Map() }
    this.#groups.set(name, group)
    return group
  }
}

const addTo = (group: GroupTotals, field: Transfer.MoneyField, money: Money.Money): void => {
  let perCurrency = group.totals.get(field)
  if (perCurrency === undefined) group.totals.set(field, (perCurrency = new Map<CurrencyCode, AmountSum>()))
  let total = perCurrency.get(money.currency_code)
  if (total === undefined) perCurrency.set(money.currency_code, (total = new AmountSum()))
  total.add(money.text)
}

const valuedFields = new Map(
  Transfer.moneyFields.flatMap((field) =>
    Transfer.moneyFields.filter((other) => field === `${other}_usd`).map((other) => [field, other] as const),
  ),
)

/**
 * The currency that an amount is grouped by. A dollar valuation counts for the currency it values: `source_total_usd`
 * for that of `source_total`.
 *
 * @example
 * Result.map(Transfer.fromJson('{"id":"tr_1","kind":"cash_in","status":"complete","created_at":"2024-09-01T00:00:00Z","source_total":{"amount":"1","currency_code":"fiat/EUR"}}'), (transfer) => Summary.currencyOf(transfer, "source_total_usd", Money.parseUnsafe("1.1", "fiat/USD"))) // => Result.succeed("fiat/EUR")
 */
export const currencyOf = (transfer: Transfer.Transfer, field: Transfer.MoneyField, money: Money.Money): string => {
  const valued = valuedFields.get(field)
  return (valued === undefined ? undefined : transfer[valued]?.currency_code) ?? money.currency_code
}

const valueOf = (
  transfer: Transfer.Transfer,
  dimension: Dimension,
  currency: string,
  dateOf: (at: Timestamp.Timestamp) => string,
): string => {
  switch (dimension) {
    case "currency":
      return currency
    case "day":
      return dateOf(transfer.created_at)
    case "week":
      return weekOf(dateOf(transfer.created_at))
    case "month":
      return dateOf(transfer.created_at).slice(0, -3)
    case "quarter": {
      const date = dateOf(transfer.created_at)
      return `${date.slice(0, -6)}-Q${Math.ceil(Number(date.slice(-5, -3)) / 3)}`
    }
    case "year":
      return dateOf(transfer.created_at).slice(0, -6)
    default:
      return transfer[dimension] ?? ""
  }
}

/** A week belongs to the year of its Thursday. */
const weekOf = (date: string): string => {
  const weekday = new Date(Calendar.secondOf(date) * 1000).getUTCDay()
  const thursday = Day.plus(date, 3 - ((weekday + 6) % 7))
  const year = thursday.slice(0, -6)
  const week = Math.floor(Day.between(`${year}-01-01`, thursday) / 7) + 1
  return `${year}-W${String(week).padStart(2, "0")}`
}

const byKey = (by: ReadonlyArray<Dimension>): EffectOrder.Order<Group> =>
  EffectOrder.combineAll(
    by.map((dimension) => EffectOrder.mapInput(EffectOrder.String, (group: Group) => group.key[dimension] ?? "")),
  )
