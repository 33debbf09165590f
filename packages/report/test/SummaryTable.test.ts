/** A summary on a terminal: at any width each total is there, and its digits are whole. */
import * as CurrencyCode from "@transferkit/domain/CurrencyCode"
import * as Money from "@transferkit/domain/Money"
import type * as Summary from "@transferkit/domain/Summary"
import * as SummaryTable from "@transferkit/report/SummaryTable"
import * as TextReport from "@transferkit/report/TextReport"
import * as Result from "effect/Result"
import { expect, test } from "vitest"

const money = (amount: string, code: string) => Money.parseUnsafe(amount, Result.getOrThrow(CurrencyCode.parse(code)))

const currencies: Readonly<Record<string, ReadonlyArray<string>>> = {
  "bitcoin/BTC": ["20999999.99999999", "0.00000001", "0.10000000"],
  "ethereum/DAI": ["14765.536214510484431300", "10783.593437385573161589", "181.492597044916830966"],
  "fiat/VND": ["1250000000000.00", "98765432109876.50", "12500000000.00"],
}

const totalsOf = (currency: string) => {
  const [source = "", destination = "", fee = ""] = currencies[currency] ?? []
  return {
    source_total: [money(source, currency)],
    destination_total: [money(destination, currency)],
    service_fee: [money(fee, currency)],
    source_total_usd: [money("51234567.80", "fiat/USD")],
  }
}

const byCurrency: Summary.Summary = {
  by: ["currency"],
  transfers: 21,
  groups: Object.keys(currencies).map((currency) => ({ key: { currency }, transfers: 7, totals: totalsOf(currency) })),
}

const byDay: Summary.Summary = {
  by: ["day", "payment_method"],
  transfers: 8,
  groups: [
    {
      key: { day: "2024-09-03", payment_method: "instant_bank_transfer" },
      transfers: 7,
      totals: Object.fromEntries(
        (["source_total", "destination_total", "service_fee"] as const).map((field) => [
          field,
          Object.keys(currencies).flatMap((currency) => totalsOf(currency)[field]),
        ]),
      ),
    },
    { key: { day: "2024-09-04", payment_method: "ach" }, transfers: 1, totals: {} },
  ],
}

const usual = ["source_total", "destination_total", "service_fee"] as const
const inDollars = [...usual, "source_total_usd"] as const

const shown = (summary: Summary.Summary, fields: typeof usual | typeof inDollars, width: number) => {
  const asItIs = (text: string) => text
  const { texts, remark } = TextReport.make([SummaryTable.make(summary, fields)], {
    width,
    title: asItIs,
    heading: asItIs,
    whole: "",
  })
  return [...texts].join("") + remark()
}

const amounts = Object.values(currencies).flat()

test.each([40, 60, 80, 100, 140, Number.POSITIVE_INFINITY])("hides no total and cuts no digit in %d cells", (width) => {
  for (const text of [shown(byCurrency, usual, width), shown(byDay, usual, width)]) {
    expect(text).not.toMatch(/Hidden|…/)
    expect(amounts.filter((amount) => !text.split(/\s+/).includes(amount))).toEqual([])
    expect(text.split("\n").filter((line) => line.length > width)).toEqual([])
  }
})

test("in 80 cells each total is a row", () => {
  expect(shown(byCurrency, usual, 80)).toBe(`CURRENCY      TRANSFERS  TOTAL                                AMOUNT
bitcoin/BTC           7  source total              20999999.99999999
                         destination total                0.00000001
                         service fee                      0.10000000
ethereum/DAI          7  source total       14765.536214510484431300
                         destination total  10783.593437385573161589
                         service fee          181.492597044916830966
fiat/VND              7  source total               1250000000000.00
                         destination total         98765432109876.50
                         service fee                  12500000000.00
`)
})

test("in 140 cells each currency is a row", () => {
  expect(shown(byCurrency, usual, 140).split("\n")[0]).toMatch(
    /^CURRENCY +TRANSFERS +SOURCE TOTAL +DESTINATION TOTAL +SERVICE FEE$/,
  )
})

test("a total in dollars says so in a group of another currency, at each width", () => {
  expect(shown(byCurrency, inDollars, 80)).toMatch(/^ +source total in USD +51234567\.80$/m)
  expect(shown(byCurrency, inDollars, 200)).toMatch(/51234567\.80 USD$/m)
})

test("rows that go on with a group of two lines have no empty line", () => {
  expect(shown(byDay, usual, 60)).toContain(`2024-09-03  instant_bank_transfer  bitcoin/BTC
          7  source total              20999999.99999999
             destination total                0.00000001
             service fee                      0.10000000
`)
})

test("a group without totals has a row", () => {
  expect(shown(byDay, usual, 140)).toMatch(/^2024-09-04 +ach +\(none\) +1$/m)
})
