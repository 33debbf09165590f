/** Volumes and fees as small charts, one figure a currency. Bars are drawn, so that they may round; labels are text. */
import type * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Day from "@transferkit/domain/Day"
import type * as Money from "@transferkit/domain/Money"
import type * as Summary from "@transferkit/domain/Summary"
import type { MoneyField } from "@transferkit/domain/Transfer"
import type * as DateTime from "effect/DateTime"
import type * as UsdValue from "../../UsdValue.ts"
import { digits } from "./Amounts.ts"
import { type Html, markup, nothing } from "./Html.ts"
import * as Page from "./Page.ts"

/** The period, and whether a bar is a day or a month. */
export interface ChartOptions {
  readonly period: CreatedAt.CreatedAt
  readonly by: "day" | "month"
  readonly timeZone?: DateTime.TimeZone | undefined
}

const rowsOfCharts = [
  { field: "source_total", title: "Sent", tone: "days" },
  { field: "destination_total", title: "Received", tone: "days received" },
  { field: "service_fee", title: "Service fees", tone: "days fees" },
] as const satisfies ReadonlyArray<{ readonly field: MoneyField; readonly title: string; readonly tone: string }>

/** The figures. What is sent and received in a currency has one scale; fees have their own. */
export const render = (summary: Summary.Summary, options: ChartOptions): Html => {
  const units = unitsOf(
    summary.groups.map(({ key }) => key[options.by] ?? ""),
    options,
  )
  const byCurrency = Map.groupBy(summary.groups, ({ key }) => key.currency ?? "")
  byCurrency.delete("")
  return markup`<div class="figures">${[...byCurrency.keys()].toSorted().map((currency) => {
    const groups = new Map(byCurrency.get(currency)?.map((group) => [group.key[options.by] ?? "", group]))
    const valueOf = (field: MoneyField, unit: string) =>
      groups.get(unit)?.totals[field]?.find((total) => total.currency_code === currency)
    const series = rowsOfCharts.map((row) => ({ ...row, values: units.map((unit) => valueOf(row.field, unit)) }))
    const volumes = largestOf(series.filter(({ field }) => field !== "service_fee").flatMap(({ values }) => values))
    return markup`<figure>
<figcaption><b>${currency}</b></figcaption>
${series.map(({ field, title, tone, values }) => {
  const largest = largestOf(values)
  if (largest === undefined) return nothing
  const most = units[values.indexOf(largest)] ?? ""
  return markup`<figcaption>${title}, at most ${digits(largest.text)} on ${Page.withDays(most)}</figcaption>
${chart({ label: `${title} in ${currency} by ${options.by}`, tone, units, values, scale: field === "service_fee" ? largest : volumes })}`
})}<ol class="axis" aria-hidden="true">${units.map((unit, index) => markup`<li>${tick(unit, index, units.length)}</li>`)}</ol>
</figure>
`
  })}</div>
`
}

/** One chart of all currencies together: what settled transfers are worth in US dollars. */
export const inUsd = (values: ReadonlyMap<string, UsdValue.UsdValue>, options: ChartOptions): Html => {
  const units = unitsOf([...values.keys()], options)
  const series = units.map((unit) => values.get(unit)?.usd)
  const largest = largestOf(series)
  if (largest === undefined || largest.amount.isZero()) return nothing
  const most = units[series.indexOf(largest)] ?? ""
  const label = `Settled by ${options.by}, in USD`
  return markup`<figure class="month">
<figcaption>${label}, at most ${digits(largest.text)} on ${Page.withDays(most)}</figcaption>
${chart({ label, tone: "days", units, values: series, scale: largest })}<ol class="axis" aria-hidden="true">${units.map((unit, index) => markup`<li>${tick(unit, index, units.length)}</li>`)}</ol>
</figure>
`
}

/** Every day or month of the period, also those without a transfer; of an open period, those between transfers. */
const unitsOf = (
  used: ReadonlyArray<string>,
  { period, by, timeZone = Day.utc }: ChartOptions,
): ReadonlyArray<string> => {
  const days = [...new Set(used)]
    .map((unit) => (by === "day" ? unit : `${unit}-01`))
    .toSorted((a, b) => Day.between(b, a))
  const first = Day.first(period, timeZone) ?? days[0]
  const last = Day.last(period, timeZone) ?? days.at(-1)
  if (first === undefined || last === undefined) return []
  const begin = (day: string) => (by === "day" ? day : `${monthOf(day)}-01`)
  const units: Array<string> = []
  for (let day = begin(first); Day.between(day, last) >= 0; day = begin(Day.plus(day, by === "day" ? 1 : 31))) {
    units.push(by === "day" ? day : monthOf(day))
  }
  return units
}

const monthOf = (day: string): string => day.slice(0, -"-01".length)

const largestOf = (values: ReadonlyArray<Money.Money | undefined>): Money.Money | undefined =>
  values.reduce<Money.Money | undefined>(
    (most, value) => (value !== undefined && (most === undefined || value.amount.gt(most.amount)) ? value : most),
    undefined,
  )

const height = 100

const chart = (options: {
  readonly label: string
  readonly tone: string
  readonly units: ReadonlyArray<string>
  readonly values: ReadonlyArray<Money.Money | undefined>
  readonly scale: Money.Money | undefined
}): Html => {
  const { label, tone, units, values, scale } = options
  const bars = values.map((value, index) => {
    if (value === undefined || scale === undefined || scale.amount.isZero()) return nothing
    const drawn = Math.max(1, value.amount.div(scale.amount).toNumber() * height)
    return markup`<rect x="${index * 10 + 1}" y="${(height - drawn).toFixed(2)}" width="8" height="${drawn.toFixed(2)}"><title>${units[index]}: ${value.text}</title></rect>`
  })
  return markup`<svg class="${tone}" viewBox="0 0 ${units.length * 10} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}">${bars}</svg>
`
}

/** Days have every seventh labelled, months every one or every third. */
const tick = (unit: string, index: number, count: number): string => {
  const [, day] = /-\d\d-(\d\d)$/.exec(unit) ?? []
  if (day !== undefined) return index % 7 === 0 ? String(Number(day)) : ""
  return index % (count > 12 ? 3 : 1) === 0 ? unit.slice(-"24-09".length) : ""
}
