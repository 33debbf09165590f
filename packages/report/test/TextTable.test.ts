import stringWidth from "string-width"
import { describe, expect, test } from "vitest"
import * as Table from "../src/TextTable.ts"

const plain = (text: string): string => text
const columns: ReadonlyArray<Table.Column> = [
  { header: "ID", shrinkTo: 6 },
  { header: "NAME", dropOrder: 1 },
  { header: "AMOUNT", align: "right" },
]
const lineOf = (layout: Table.Layout, cells: ReadonlyArray<string> = []): string =>
  Table.row(layout, cells, { heading: plain, isFirst: true })
const rows = [
  ["tr_0123456789", "Zoë", "1.00"],
  ["tr_2", "日本銀行", "-12345.678"],
  ["tr_3", "👩🏽‍🚀 crew", "0"],
]

test("aligns wide characters, emoji and numbers", () => {
  expect(Table.render(columns, rows.slice(0, 2), { width: Number.POSITIVE_INFINITY, heading: plain })).toBe(
    [
      "ID             NAME          AMOUNT",
      "tr_0123456789  Zoë             1.00",
      "tr_2           日本銀行  -12345.678",
      "",
    ].join("\n"),
  )
})

test("gives every line the same width, whatever its cells contain", () => {
  const right: ReadonlyArray<Table.Column> = [{ header: "A" }, { header: "B" }, { header: "C", align: "right" }]
  const lines = Table.render(right, rows, { width: Number.POSITIVE_INFINITY, heading: plain }).trimEnd().split("\n")
  expect(lines).toHaveLength(4)
  expect(new Set(lines.map((line) => stringWidth(line))).size).toBe(1)
})

describe("on a narrow terminal", () => {
  test("truncates the columns that allow it", () => {
    const lines = Table.render(columns, rows, { width: 32, heading: plain }).split("\n")
    expect(lines[1]).toMatch(/^tr_\d+… {2}Zoë/)
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBe(32)
  })

  test("then drops columns by their order, and names them", () => {
    const fitted = Table.layout(columns, rows, 20)
    expect(fitted.hidden).toEqual(["NAME"])
    expect(lineOf(fitted, rows[1])).toBe("tr_2      -12345.678\n")
  })

  test("never truncates a cell of a column that must be whole, or one that is kept whole", () => {
    const fitted = Table.layout(columns, rows, 32)
    const later = ["tr_9", "Zoë", "123456789012345.000000000000000001"]
    expect(Table.fits(fitted, rows)).toBe(true)
    expect(Table.fits(fitted, [later])).toBe(false)
    expect(lineOf(fitted, later)).toContain("123456789012345.000000000000000001")
    const kept: ReadonlyArray<Table.Column> = [{ header: "FROM", shrinkTo: 4, keeps: (cell) => cell.includes("USD") }]
    const cells = [["12345.00 fiat/USD"], ["a long text that may be cut"]]
    const printed = Table.render(kept, cells, { width: 18, heading: plain })
    expect(printed).toContain("12345.00 fiat/USD")
  })

  test("never truncates a cell to less than the narrowest width of its column", () => {
    const ids: ReadonlyArray<Table.Column> = [{ header: "ID", shrinkTo: 6 }, { header: "AMOUNT" }]
    const short = Table.layout(ids, [["tr_1", "1.00"]], 32)
    expect(Table.fits(short, [["tr_22", "1.00"]])).toBe(false)
    expect(Table.fits(Table.layout(ids, [["tr_333", "1.00"]], 32), [["tr_4444444", "1.00"]])).toBe(true)
  })

  test("gives identifiers a line of their own, rather than cutting or dropping one", () => {
    const ids: ReadonlyArray<Table.Column> = [
      { header: "KEY", id: true },
      { header: "TRANSFER", id: true },
      { header: "ROW", dropOrder: 1 },
      { header: "LEDGER", align: "right" },
      { header: "WHY", shrinkTo: 8, wrap: true },
    ]
    const long = [
      ["order-0123456789", "tr_0123456789abcdef", "line 2", "1.00", "the amounts differ"],
      ["order-1", "tr_1", "line 3", "12345.678", ""],
    ]
    expect(Table.render(ids, long, { width: 40, heading: plain })).toBe(
      [
        "KEY               TRANSFER",
        "  ROW        LEDGER  WHY",
        "order-0123456789  tr_0123456789abcdef",
        "  line 2       1.00  the amounts differ",
        "order-1           tr_1",
        "  line 3  12345.678",
        "",
      ].join("\n"),
    )
    const narrow = Table.render(ids, long, { width: 37, heading: plain })
    expect(narrow).toContain("line 2       1.00  the amounts\n                     differ\n")
  })

  test("stacks rows with all their cells if no columns fit", () => {
    const amounts: ReadonlyArray<Table.Column> = [...columns, { header: "SERVICE", align: "right" }]
    const wide = [
      ["tr_1", "日本銀行", "12345678901234567890.12", "1.00"],
      ["tr_2", "Zoë", "", "-12345678901234567890.12"],
    ]
    expect(Table.render(amounts, wide, { width: 40, heading: plain })).toBe(
      [
        "ID       tr_1",
        "NAME     日本銀行",
        "AMOUNT   12345678901234567890.12",
        "SERVICE  1.00",
        "",
        "ID       tr_2",
        "NAME     Zoë",
        "SERVICE  -12345678901234567890.12",
        "",
      ].join("\n"),
    )
  })

  test("never truncates an amount", () => {
    expect(Table.render(columns, rows, { width: 1, heading: plain })).toContain("-12345.678")
  })
})

test("shows control characters as escapes, and measures them as such", () => {
  const text = Table.render([{ header: "A" }, { header: "B" }], [["\u001b[2J", "x"]], { width: 80, heading: plain })
  expect(text).toBe("A        B\n\\x1b[2J  x\n")
})

test("wraps a last column below itself", () => {
  const wrapped: ReadonlyArray<Table.Column> = [{ header: "ID" }, { header: "WHY", shrinkTo: 10, wrap: true }]
  expect(
    Table.render(
      wrapped,
      [
        ["tr_1", "the amounts differ by \u001b[2J"],
        ["tr_2", "no"],
      ],
      { width: 20, heading: plain },
    ),
  ).toBe(["ID    WHY", "tr_1  the amounts", "      differ by", "      \\x1b[2J", "tr_2  no", ""].join("\n"))
})

test("colours a cell without moving the next one", () => {
  const red: ReadonlyArray<Table.Column> = [{ header: "A", style: (cut) => `<${cut}>` }, { header: "B" }]
  expect(
    Table.render(
      red,
      [
        ["long one", "1"],
        ["b", "2"],
      ],
      { width: 80, heading: plain },
    ),
  ).toBe("A         B\n<long one>  1\n<b>         2\n")
})

test("fits columns to any number of rows", () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => [String(index)])
  expect(Table.layout([{ header: "N" }], rows, 80).lines[0]?.columns[0]?.width).toBe(6)
})

describe("rows with two identifiers", () => {
  const record: ReadonlyArray<Table.Column> = [
    { header: "KEY", id: true },
    { header: "TRANSFER", id: true },
    { header: "DAY", dropOrder: 1 },
    { header: "KIND", dropOrder: 3 },
    { header: "STATUS" },
    { header: "SOURCE", align: "right" },
    { header: "DESTINATION", align: "right", dropOrder: 2 },
  ]
  const cells = ["order-1", "tr_0123456789", "2024-09-01", "cash_in", "complete", "12345678.90 USD", "0.123456789 BTC"]

  test("get a second line rather than hide a column", () => {
    const fitted = Table.layout(record, [cells], 56)
    expect(fitted.hidden).toEqual([])
    expect(lineOf(fitted, cells)).toBe(
      "order-1  tr_0123456789  2024-09-01\n  cash_in  complete  12345678.90 USD  0.123456789 BTC\n",
    )
  })

  test("show a narrow column in the room that a wide one left, and hide as few as can be", () => {
    const fitted = Table.layout(record, [cells], 40)
    expect(fitted.hidden).toEqual(["DESTINATION"])
    expect(lineOf(fitted, cells)).toContain("\n  cash_in  complete  12345678.90 USD\n")
    expect(
      Math.max(
        ...lineOf(fitted, cells)
          .split("\n")
          .map((line) => stringWidth(line)),
      ),
    ).toBeLessThanOrEqual(40)
  })
})

test("gives a word that is wider than its cell a line of its own, so that it can be copied", () => {
  const fields: ReadonlyArray<Table.Column> = [{ header: "FIELD" }, { header: "VALUE", shrinkTo: 5, wrap: true }]
  const hash = `0x${"ab".repeat(12)}`
  const text = Table.render(
    fields,
    [
      ["a_transaction", `of ${hash}`],
      ["status", "complete"],
    ],
    { width: 30, heading: plain },
  )
  expect(text).toContain(`\na_transaction  of\n  ${hash}\nstatus         complete\n`)
})
