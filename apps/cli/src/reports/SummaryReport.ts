/** Totals as a table (a line for each group and currency), as flat rows, and as bars. */
import * as Money from "@transferkit/domain/Money"
import type * as Summary from "@transferkit/domain/Summary"
import { moneyFields } from "@transferkit/domain/Transfer"
import * as BarChart from "../terminal/BarChart.ts"
import type { Style } from "../terminal/Style.ts"
import type { Report } from "./Report.ts"

type Field = Summary.MoneyField

/** The report of a summary, showing some of its fields. Its JSON holds them all. */
export const make = (summary: Summary.Summary, fields: ReadonlyArray<Field>): Report => ({
  json: summary,
  records: summary.groups,
  csv: [
    [...summary.by, "transfers", "field", "currency_code", "amount"],
    ...summary.groups.flatMap((group) =>
      moneyFields.flatMap((field) =>
        (group.totals[field] ?? []).map((total) => [
          ...keyOf(summary, group),
          String(group.transfers),
          field,
          total.currency_code,
          total.text,
        ]),
      ),
    ),
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
          dropOrder: index + 2,
        })),
      ],
      rows: summary.groups.flatMap((group) => groupRows(summary, group, fields)),
    },
  ],
})

const keyOf = (summary: Summary.Summary, group: Summary.Group): ReadonlyArray<string> =>
  summary.by.map((dimension) => group.key[dimension] ?? "")

const groupRows = (
  summary: Summary.Summary,
  group: Summary.Group,
  fields: ReadonlyArray<Field>,
): ReadonlyArray<ReadonlyArray<string>> => {
  const currencies = [
    ...new Set(fields.flatMap((field) => (group.totals[field] ?? []).map((total) => total.currency_code))),
  ].sort()
  return currencies.map((currency, index) => [
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
    (group.totals[field] ?? []).map((money) => ({ label: keyOf(summary, group).join(" "), money })),
  )
  const currencies = [...new Set(totals.map(({ money }) => money.currency_code))].sort()
  return currencies
    .map((currency) => {
      const bars = withShares(totals.filter(({ money }) => money.currency_code === currency))
      return `${options.style.heading(`${field} in ${currency}`)}\n${BarChart.render(bars, options)}`
    })
    .join("\n")
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
