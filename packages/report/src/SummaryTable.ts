/**
 * A summary as a table: a row for each group and currency, with a column for each total. Where that is too wide, each total
 * has a row of its own, so that none is left out.
 */
import * as Money from "@transferkit/domain/Money"
import type * as Summary from "@transferkit/domain/Summary"
import type { MoneyField } from "@transferkit/domain/Transfer"
import type { Section } from "./TextReport.ts"

type Row = ReadonlyArray<string>

/** A row of the wide table: its group, its currency, and a total for each field. */
interface Totals {
  readonly group: Summary.Group
  readonly isFirstOfGroup: boolean
  readonly currency: string
  readonly totals: ReadonlyArray<Money.Money | undefined>
}

/** The table of some fields. */
export const make = (summary: Summary.Summary, fields: ReadonlyArray<MoneyField>): Section => {
  const others = summary.by.filter((dimension) => dimension !== "currency")
  const isByCurrency = others.length < summary.by.length
  const rows = summary.groups.flatMap((group) => rowsOf(group, fields, isByCurrency))
  // A valuation in dollars names its currency in a group of another one.
  const namesOwn = fields.map((_, field) =>
    rows.some(({ currency, totals }) => (totals[field]?.currency_code ?? currency) !== currency),
  )
  const textOf = (total: Money.Money | undefined, field: number): string =>
    total === undefined ? "" : namesOwn[field] ? Money.label(total) : total.text
  const keyOf = ({ group, currency, isFirstOfGroup }: Totals): Row => [
    ...others.map((dimension) => group.key[dimension] ?? ""),
    currency === "" ? "(none)" : currency,
    isFirstOfGroup ? String(group.transfers) : "",
  ]
  const keys = [
    ...others.map((dimension) => ({ header: dimension.toUpperCase().replace("_", " "), id: true })),
    { header: "CURRENCY", id: true },
    { header: "TRANSFERS", align: "right" as const },
  ]
  return {
    columns: [...keys, ...fields.map((field) => ({ header: wordsOf(field).toUpperCase(), align: "right" as const }))],
    rows: rows.map((row) => [...keyOf(row), ...row.totals.map(textOf)]),
    narrow: [
      {
        columns: [...keys, { header: "TOTAL" }, { header: "AMOUNT", align: "right" }],
        rows: rows.flatMap((row) => {
          const own = row.totals.flatMap((total, field) =>
            total === undefined ? [] : [[nameOf(fields[field], total, row.currency), total.text]],
          )
          const [first = ["", ""], ...more] = own
          return [[...keyOf(row), ...first], ...more.map((cells) => [...keys.map(() => ""), ...cells])]
        }),
      },
    ],
  }
}

const wordsOf = (field: MoneyField): string => field.replaceAll("_", " ")

const nameOf = (field: MoneyField | undefined, total: Money.Money, currency: string): string => {
  const words = field === undefined ? "" : wordsOf(field)
  if (total.currency_code === currency && !words.endsWith(" usd")) return words
  return `${words.replace(/ usd$/, "")} in ${Money.label(total).slice(total.text.length + 1)}`
}

/** The rows of a group: by currency, its totals side by side; otherwise one for each currency of its totals. */
const rowsOf = (
  group: Summary.Group,
  fields: ReadonlyArray<MoneyField>,
  isByCurrency: boolean,
): ReadonlyArray<Totals> => {
  const all = fields.map((field) => group.totals[field] ?? [])
  const rows = isByCurrency
    ? Array.from({ length: Math.max(1, ...all.map((own) => own.length)) }, (_, index) => ({
        currency: group.key.currency ?? "",
        totals: all.map((own) => own[index]),
      }))
    : [...new Set<string>(all.flat().map((total) => total.currency_code))].sort().map((currency) => ({
        currency,
        totals: all.map((own) => own.find((total) => total.currency_code === currency)),
      }))
  return (rows.length === 0 ? [{ currency: "", totals: [] }] : rows).map((row, index) => ({
    ...row,
    group,
    isFirstOfGroup: index === 0,
  }))
}
