/** Totals as a table, as flat rows, and as bars. */
import * as Money from "@transferkit/domain/Money"
import type * as Summary from "@transferkit/domain/Summary"
import type { MoneyField } from "@transferkit/domain/Transfer"
import * as BarChart from "@transferkit/report/BarChart"
import * as SummaryTable from "@transferkit/report/SummaryTable"
import type { Report } from "../../output/Report.ts"
import type { Style } from "../../terminal/Style.ts"

type Field = MoneyField

/** The report of a summary, with the chosen fields. */
export const make = (summary: Summary.Summary, fields: ReadonlyArray<Field>): Report => ({
  json: { ...summary, groups: summary.groups.map((group) => chosen(group, fields)) },
  records: summary.groups.map((group) => chosen(group, fields)),
  csv: [
    [...summary.by, "transfers", "field", "currency_code", "amount"],
    ...summary.groups.flatMap((group) => csvRows([...keyOf(summary, group), String(group.transfers)], group, fields)),
  ],
  numbers: new Set(["transfers"]),
  table: () => [SummaryTable.make(summary, fields)],
})

const chosen = (group: Summary.Group, fields: ReadonlyArray<Field>): Summary.Group => ({
  ...group,
  totals: Object.fromEntries(Object.entries(group.totals).filter(([field]) => fields.some((name) => name === field))),
})

const keyOf = (summary: Summary.Summary, group: Summary.Group): ReadonlyArray<string> =>
  summary.by.map((dimension) => group.key[dimension] ?? "")

const csvRows = (
  head: ReadonlyArray<string>,
  group: Summary.Group,
  fields: ReadonlyArray<Field>,
): ReadonlyArray<ReadonlyArray<string>> => {
  const rows = fields.flatMap((field) =>
    (group.totals[field] ?? []).map((total) => [...head, field, total.currency_code, total.text]),
  )
  return rows.length === 0 ? [[...head, "", "", ""]] : rows
}

/** A field's totals as bars, a chart for each currency: amounts in two currencies have no common scale. */
export const chart = (
  summary: Summary.Summary,
  field: Field,
  options: { readonly width: number; readonly style: Style; readonly keeps: (currency: string) => boolean },
): string => {
  const totals = summary.groups
    .flatMap((group) => (group.totals[field] ?? []).map((money) => ({ group, money })))
    .filter(({ money }) => options.keeps(money.currency_code))
  const currencies = [...new Set(totals.map(({ money }) => money.currency_code))].sort()
  return currencies
    .map((currency) => {
      const own = totals.filter(({ money }) => money.currency_code === currency)
      // The heading names the currency already.
      const isNamed = summary.by.length > 1 && own.every(({ group }) => group.key.currency === currency)
      const dimensions = isNamed ? summary.by.filter((dimension) => dimension !== "currency") : summary.by
      const labelled = own.map(({ group, money }) => ({
        label: dimensions.map((dimension) => group.key[dimension] ?? "").join(" "),
        money,
      }))
      return `${options.style.heading(`${field} in ${currency}`)}\n${BarChart.render(withShares(labelled), options)}`
    })
    .join("\n")
}

/** The length of a bar may be rounded; the amount beside it is exact. */
const withShares = (
  totals: ReadonlyArray<{ readonly label: string; readonly money: Money.Money }>,
): ReadonlyArray<BarChart.Bar> => {
  const largest = totals
    .map(({ money }) => money)
    .toSorted(Money.Order)
    .at(-1)
  return totals.map(({ label, money }) => ({
    label,
    text: money.text,
    share:
      largest === undefined || Money.isZero(largest) || Money.isNegative(money)
        ? 0
        : money.amount.div(largest.amount).toNumber(),
  }))
}
