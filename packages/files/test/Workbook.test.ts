import { mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Zip from "effect/encoding/Zip"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import * as TransferColumns from "../src/formats/TransferColumns.ts"
import * as Workbook from "../src/formats/Workbook.ts"
import { SteadyFile } from "../src/node/SteadyFile.ts"
import * as WorkbookTable from "../src/node/WorkbookTable.ts"

type Rows = ReadonlyArray<ReadonlyArray<string | undefined>>

const bytesOf = async (columns: ReadonlyArray<Workbook.SheetColumn>, ...batches: ReadonlyArray<Rows>) =>
  bookOf({ name: "Rows", columns, rows: Stream.fromIterable(batches) })

const bookOf = async (...sheets: ReadonlyArray<Workbook.Sheet>) =>
  Buffer.concat(await Effect.runPromise(Stream.runCollect(Workbook.bytes(sheets, "x"))))

const partsOf = async (bytes: Uint8Array): Promise<ReadonlyMap<string, string>> =>
  new Map(
    await Effect.runPromise(
      Stream.make(bytes).pipe(
        Stream.pipeThroughChannel(Zip.decode()),
        Stream.mapEffect(({ header, body }) =>
          Effect.map(Stream.mkString(Stream.decodeText(body)), (xml) => [header.path, xml] as const),
        ),
        Stream.runCollect,
      ),
    ),
  )

/** The cells of a sheet with their places, types and contents. */
const cellsOf = async (columns: ReadonlyArray<Workbook.SheetColumn>, ...batches: ReadonlyArray<Rows>) => {
  const sheet = (await partsOf(await bytesOf(columns, ...batches))).get("xl/worksheets/sheet1.xml") ?? ""
  const found = sheet.matchAll(/<c r="(\w+)" s="(\d+)"( t="inlineStr")?>(?:<is><t[^>]*>|<v>)([^<]*)</g)
  return Array.from(found, ([, place, style, isText, text]) => [
    place,
    isText === undefined ? `number ${style}` : "text",
    text,
  ])
}

const amounts = (...texts: ReadonlyArray<string>) =>
  Workbook.columnsOfRows(
    ["amount"],
    texts.map((text) => [text]),
  )

describe("amounts beside their currencies", () => {
  const header = ["outcome", "currency_code", "ledger_amount", "service_amount", "difference"]
  const rows = [
    ["a", "fiat/EUR", "1.50", "1234567890123456", "0.5"],
    ["b", "ethereum/ETH", "1.353469433242531701", "2", ""],
    ["c", "ethereum/ETH", "0.5", "3", ""],
    ["d", "fiat/EUR", "", "1.10", "-2"],
  ]

  test("are numbers of a currency only if all of its amounts in the column are exact", async () => {
    const cells = await cellsOf(Workbook.columnsOfRows(header, rows), rows)
    const kinds = cells.slice(header.length).map(([place, kind, text]) => `${place} ${kind} ${text}`)
    expect(kinds.filter((kind) => /^[CDE]/.test(kind))).toEqual([
      "C2 number 6 1.50",
      "D2 text 1234567890123456",
      "E2 number 5 0.5",
      "C3 text 1.353469433242531701",
      "D3 number 4 2",
      "C4 text 0.5",
      "D4 number 4 3",
      "D5 text 1.10",
      "E5 number 5 -2",
    ])
  })

  test("have the currency of their own name", () => {
    const own = Workbook.columnsOfRows(["a_currency_code", "b_currency_code", "b_amount"], [["x", "y", "1"]])
    expect(own[2]).toEqual({ name: "b_amount", kind: "money", currency: 1, fractions: new Map([["y", 0]]) })
  })
})

test("a workbook may have several sheets, which are read by their names", async () => {
  const path = join(await mkdtemp(join(tmpdir(), "workbook-")), "two.xlsx")
  const sheetOf = (name: string, rows: Rows): Workbook.Sheet => ({
    name,
    columns: Workbook.columnsOfRows(["key", "amount"], rows),
    rows: Stream.make(rows),
  })
  await writeFile(path, await bookOf(sheetOf("Outcomes", [["a", "1.10"]]), sheetOf("Totals <&>", [["all", "2.2"]])))
  const read = async (sheet: string) => {
    const found: Array<unknown> = []
    for await (const rows of (await WorkbookTable.detect(await SteadyFile.of(path), { sheet })).rows())
      found.push(...rows.map(({ cells }) => cells))
    return found
  }
  expect(await read("Outcomes")).toEqual([
    ["key", "amount"],
    ["a", "1.1"],
  ])
  expect(await read("Totals <&>")).toEqual([
    ["key", "amount"],
    ["all", "2.2"],
  ])
  await expect(read("Nothing")).rejects.toThrow('its sheets are "Outcomes", "Totals <&>"')
})

describe("a column of anything but amounts", () => {
  const keys = ["12345678901234567890", "1.10", "1e5", "007", "1", "-5"]

  test.each(keys.map((key) => [key]))("has the text %s, not a number, also if all of its cells are so", async (key) => {
    for (const name of ["key", "id", "external_id", "reference", "actual", "sum_id"]) {
      const columns = Workbook.columnsOfRows([name], [[key]])
      expect((await cellsOf(columns, [[key]])).slice(1)).toEqual([["A2", "text", key]])
    }
  })

  test("has numbers if it is named as one of them", () => {
    expect(Workbook.columnsOfRows(["transfers", "key"], [["3", "4"]], new Set(["transfers"]))).toEqual([
      { name: "transfers", kind: "number", fraction: 0 },
      { name: "key", kind: "text" },
    ])
  })
})

describe("a column of amounts", () => {
  test.each([
    [["1.10", "-35176.23", ""], { name: "amount", kind: "number", fraction: 2 }],
    [["123456789012345"], { name: "amount", kind: "number", fraction: 0 }],
    [["0.00000000000001"], { name: "amount", kind: "number", fraction: 14 }],
    [["1234567890123456"], { name: "amount", kind: "text" }],
    [["1.10", "405.330000000000000000"], { name: "amount", kind: "text" }],
    [["1.10", "007"], { name: "amount", kind: "text" }],
    [["1.10", "x"], { name: "amount", kind: "text" }],
    [[""], { name: "amount", kind: "text" }],
  ])("with %j is %j", (texts, column) => {
    expect(amounts(...texts)).toEqual([column])
  })

  test("keeps every digit of its text, and shows as many", async () => {
    const rows = ["1.10", "-35176.23", "0.1", "99999999999.9999"].map((text) => [text])
    const columns = Workbook.columnsOfRows(["amount"], rows)
    expect((await cellsOf(columns, rows)).slice(1)).toEqual([
      ["A2", "number 8", "1.10"],
      ["A3", "number 8", "-35176.23"],
      ["A4", "number 8", "0.1"],
      ["A5", "number 8", "99999999999.9999"],
    ])
    const parts = await partsOf(await bytesOf(columns, rows))
    const formats = [...(parts.get("xl/styles.xml") ?? "").matchAll(/numFmtId="(\d+)" fontId/g)].map(([, id]) => id)
    expect(parts.get("xl/styles.xml")).toContain(`numFmtId="${formats[9]}" formatCode="0.0000"`)
  })

  test("reads as the same decimals by way of doubles, up to 15 digits", () => {
    for (const text of ["0.1", "35176.23", "999999999999999", "0.00000000000001", "9.99999999999999"]) {
      expect(amounts(text)[0]?.kind).toBe("number")
      expect(Number(text).toPrecision(15)).toContain(String(Number(text)).replace(/e.*/, ""))
    }
  })
})

test("times are days since 1900, to the millisecond, and texts before March 1900", async () => {
  const cells = await cellsOf(
    [{ name: "at", kind: "date" }],
    [
      ["2024-09-01T00:00:00Z"],
      ["2024-09-01T14:34:56.789999+02:00"],
      ["1900-02-28T00:00:00Z"],
      ["1900-03-01T00:00:00Z"],
    ],
  )
  expect(cells.slice(1).map(([, kind, text]) => [kind, text])).toEqual([
    ["number 3", "45536.00000000000"],
    ["number 3", "45536.52426839121"],
    ["text", "1900-02-28T00:00:00Z"],
    ["number 3", "61.00000000000"],
  ])
})

test("texts are never formulas, and what XML cannot hold is escaped as Excel does", async () => {
  const text: Workbook.SheetColumn = { name: "t<", kind: "text" }
  const cells = await cellsOf([text], [["=1+1"], ["<&>\u0001\ud800\r"], ["_x0041_"], ["日本👩‍🚀"]])
  expect(cells.map(([, kind, shown]) => [kind, shown])).toEqual([
    ["text", "t&lt;"],
    ["text", "=1+1"],
    ["text", "&lt;&amp;&gt;_x0001_\ufffd_x000D_"],
    ["text", "_x005F_x0041_"],
    ["text", "日本👩‍🚀"],
  ])
})

test("columns after Z have two letters, empty cells are left out, and batches follow each other", async () => {
  const columns = Array.from({ length: 28 }, (_, index): Workbook.SheetColumn => ({ name: `c${index}`, kind: "text" }))
  const row = columns.map((_, index) => (index === 27 ? "x" : undefined))
  const cells = await cellsOf(columns, [row], [row])
  expect(cells.slice(25)).toEqual([
    ["Z1", "text", "c25"],
    ["AA1", "text", "c26"],
    ["AB1", "text", "c27"],
    ["AB2", "text", "x"],
    ["AB3", "text", "x"],
  ])
})

test("the same rows give the same bytes, without fields of ZIP64", async () => {
  const bytes = await bytesOf([{ name: "amount", kind: "text" }], [["x".repeat(30_000)]], [["y"]])
  expect(bytes.equals(await bytesOf([{ name: "amount", kind: "text" }], [["x".repeat(30_000)]], [["y"]]))).toBe(true)
  // A version of 4.5 in a header announces ZIP64.
  expect(bytes.indexOf(Buffer.from([0x50, 0x4b, 3, 4, 45, 0]))).toBe(-1)
})

test("rejects a longer cell than Excel keeps", async () => {
  const written = bytesOf([{ name: "amount", kind: "text" }], [["x".repeat(32_768)]])
  await expect(written).rejects.toThrow("x: the cell A2 has 32768 characters, and Excel keeps 32767: write CSV")
  expect(await cellsOf([{ name: "amount", kind: "text" }], [["x".repeat(32_767)]])).toHaveLength(2)
})

test("columns of transfers are times, numbers if all of their amounts are exact, or texts", () => {
  const columns = TransferColumns.flat.filter(({ name }) =>
    ["id", "created_at", "source_total_amount", "service_fee_amount", "network_fee_amount", "extra"].includes(name),
  )
  const widths = new Map([
    ["source_total_amount", { whole: 10, fraction: 5 }],
    ["service_fee_amount", { whole: 10, fraction: 6 }],
    ["id", { whole: 1, fraction: 1 }],
  ])
  expect(Workbook.columnsOf(columns, widths)).toEqual([
    { name: "id", kind: "text" },
    { name: "created_at", kind: "date" },
    { name: "source_total_amount", kind: "number", fraction: "own" },
    { name: "service_fee_amount", kind: "text" },
    { name: "network_fee_amount", kind: "number", fraction: "own" },
    { name: "extra", kind: "text" },
  ])
})

test("an amount of a transfer shows the digits of its text, beside one of another currency", async () => {
  const columns = TransferColumns.flat.filter(({ name }) => name === "source_total_amount")
  const widths = new Map([["source_total_amount", { whole: 3, fraction: 9 }]])
  const texts = ["30.54", "0.231186116", "7", "890.40"].map((text) => [text])
  const cells = (await cellsOf(Workbook.columnsOf(columns, widths), texts)).slice(1)
  const formatOf = async (text: string, fraction: number) =>
    (await cellsOf([{ name: "amount", kind: "number", fraction }], [[text]])).at(-1)?.[1]
  expect(cells.map(([, format]) => format)).toEqual([
    await formatOf("30.54", 2),
    await formatOf("0.231186116", 9),
    await formatOf("7", 0),
    await formatOf("890.40", 2),
  ])
})

test("each column has a width", async () => {
  const columns: ReadonlyArray<Workbook.SheetColumn> = ["a", "b"].map((name) => ({ name, kind: "text" }))
  const sheet = (await partsOf(await bytesOf(columns, []))).get("xl/worksheets/sheet1.xml")
  expect(sheet).toContain(
    '<cols><col min="1" max="1" width="24" customWidth="1"/><col min="2" max="2" width="24" customWidth="1"/></cols>',
  )
})
