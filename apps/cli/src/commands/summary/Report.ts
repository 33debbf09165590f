/** Totals as a table (a row per group and currency), as flat rows, and as bars. */
import * as Money from "@transferkit/domain/Money"
import type * as Summary from "@transferkit/domain/Summary"
import type { MoneyField } from "@transferkit/domain/Transfer"
import * as BarChart from "@transferkit/report/BarChart"
import type { Report } from "../../output/Report.ts"
import * as TransferTable from "../../output/TransferTable.ts"
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
  table: () => [
    {
      columns: [
        ...summary.by
          .filter((dimension) => dimension !== "currency")
          .map((dimension) => ({ header: dimension.toUpperCase().replace("_", " "), id: true })),
        { header: "CURRENCY", id: true },
        { header: "TRANSFERS", align: "right" as const, dropOrder: 1 },
        ...fields.map((field, index) => ({
          header: field.toUpperCase().replaceAll("_", " "),
          align: "right" as const,
          ...(index === 0 ? {} : { dropOrder: index + 1 }),
        })),
      ],
      rows: tableRows(summary, fields),
    },
  ],
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

const tableRows = (summary: Summary.Summary, fields: ReadonlyArray<Field>): ReadonlyArray<ReadonlyArray<string>> => {
  const others = summary.by.filter((dimension) => dimension !== "currency")
  const rowsOf = others.length === summary.by.length ? rowsByTotal(fields) : rowsOfCurrency(summary, fields)
  return summary.groups.flatMap((group) =>
    rowsOf(group).map(([currency = "", ...cells], index) => [
      ...others.map((dimension) => group.key[dimension] ?? ""),
      currency === "" ? "(none)" : currency,
      index === 0 ? String(group.transfers) : "",
      ...cells,
    ]),
  )
}

/** The currency and the totals of each row of a group. */
type RowsOf = (group: Summary.Group) => ReadonlyArray<ReadonlyArray<string>>

/** A row per currency of the totals, or one without a currency if there are no totals. */
const rowsByTotal =
  (fields: ReadonlyArray<Field>): RowsOf =>
  (group) => {
    const totals = fields.map((field) => group.totals[field] ?? [])
    const currencies = [...new Set<string>(totals.flat().map((total) => total.currency_code))].sort()
    return (currencies.length === 0 ? [""] : currencies).map((currency) => [
      currency,
      ...totals.map((own) => own.find((total) => total.currency_code === currency)?.text ?? ""),
    ])
  }

/** Groups by currency have one row each; a field in other currencies, such as a valuation in dollars, names them. */
const rowsOfCurrency = (summary: Summary.Summary, fields: ReadonlyArray<Field>): RowsOf => {
  const showsOwn = fields.map((field) =>
    summary.groups.every(({ key, totals }) =>
      (totals[field] ?? []).every((total) => total.currency_code === key.currency),
    ),
  )
  return (group) => {
    const totals = fields.map((field) => group.totals[field] ?? [])
    const height = Math.max(1, ...totals.map((own) => own.length))
    return Array.from({ length: height }, (_, row) => [
      group.key.currency ?? "",
      ...totals.map((own, field) => (showsOwn[field] ? (own[row]?.text ?? "") : TransferTable.money(own[row]))),
    ])
  }
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
