/** Totals as a table (a line for each group and currency), as flat rows, and as bars. */
import * as Money from "@transferkit/domain/Money"
import type * as Summary from "@transferkit/domain/Summary"
import * as BarChart from "../terminal/BarChart.ts"
import type { Style } from "../terminal/Style.ts"
import type { Report } from "./Report.ts"

type Field = Summary.MoneyField

/** The report of a summary: some of its fields for people and spreadsheets, all of them as JSON. */
export const make = (summary: Summary.Summary, fields: ReadonlyArray<Field>): Report => ({
  json: summary,
  records: summary.groups,
  csv: [
    [...summary.by, "transfers", "field", "currency_code", "amount"],
    ...summary.groups.flatMap((group) => csvRows([...keyOf(summary, group), String(group.transfers)], group, fields)),
  ],
  table: () => [
    {
      columns: [
        ...summary.by
          .filter((dimension) => dimension !== "currency")
          .map((dimension) => ({ header: dimension.toUpperCase().replace("_", " ") })),
        { header: "CURRENCY" },
        { header: "TRANSFERS", align: "right" as const, dropOrder: 1 },
        ...fields.map((field, index) => ({
          header: field.toUpperCase().replaceAll("_", " "),
          align: "right" as const,
          ...(index === 0 ? {} : { dropOrder: index + 1 }),
        })),
      ],
      rows: summary.groups.flatMap((group) => groupRows(summary, group, fields)),
    },
  ],
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

const groupRows = (
  summary: Summary.Summary,
  group: Summary.Group,
  fields: ReadonlyArray<Field>,
): ReadonlyArray<ReadonlyArray<string>> => {
  const currencies = [
    ...new Set(fields.flatMap((field) => (group.totals[field] ?? []).map((total) => total.currency_code))),
  ].sort()
  // Transfers without any of these amounts are transfers all the same.
  const rows = currencies.length === 0 ? [group.key.currency || "(none)"] : currencies
  return rows.map((currency, index) => [
    ...summary.by.filter((dimension) => dimension !== "currency").map((dimension) => group.key[dimension] ?? ""),
    currency,
    index === 0 ? String(group.transfers) : "",
    ...fields.map((field) => group.totals[field]?.find((total) => total.currency_code === currency)?.text ?? ""),
  ])
}

/** A field's totals as bars, a chart for each currency: amounts in two currencies have no common scale. */
export const chart = (
  summary: Summary.Summary,
  field: Field,
  options: { readonly width: number; readonly style: Style },
): string => {
  const totals = summary.groups.flatMap((group) =>
    (group.totals[field] ?? []).map((money) => ({ label: labelOf(summary, group), money })),
  )
  const currencies = [...new Set(totals.map(({ money }) => money.currency_code))].sort()
  return currencies
    .map((currency) => {
      const bars = withShares(totals.filter(({ money }) => money.currency_code === currency))
      return `${options.style.heading(`${field} in ${currency}`)}\n${BarChart.render(bars, options)}`
    })
    .join("\n")
}

/** The currency stands above the chart already, unless it is all that the groups go by. */
const labelOf = (summary: Summary.Summary, group: Summary.Group): string => {
  const others = summary.by.filter((dimension) => dimension !== "currency")
  return (others.length === 0 ? summary.by : others).map((dimension) => group.key[dimension] ?? "").join(" ")
}

/** A bar's length is a picture and may round; the amount beside it is exact. */
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
