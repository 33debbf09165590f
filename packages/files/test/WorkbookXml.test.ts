/** The XML of workbooks, as Excel and as libraries write it. */
import { describe, expect, test } from "vitest"
import * as WorkbookXml from "../src/ledgers/WorkbookXml.ts"

const chunks = (...texts: ReadonlyArray<string>) =>
  (async function* () {
    yield* texts
  })()

const context: WorkbookXml.Context = {
  strings: ["zero", "one"],
  dateStyles: new Set([2]),
  from1904: false,
  maxReferred: 4e6,
}

const rows = async (xml: string, more: Partial<WorkbookXml.Context> = {}) => {
  const found = []
  for await (const batch of WorkbookXml.rowsOf(chunks(`<worksheet><sheetData>${xml}</sheetData></worksheet>`), {
    ...context,
    ...more,
  })) {
    found.push(...batch)
  }
  return found.map(({ place, cells, numbers }) => [
    place,
    ...Array.from(cells, (cell) => cell ?? ""),
    ...[...(numbers ?? [])].flat(),
  ])
}

const cell = async (xml: string) => (await rows(`<row>${xml}</row>`))[0]?.slice(1)

describe("sheets", () => {
  test("are named with their relations, hidden or not, and dates count from 1900 unless it says so", async () => {
    const sheets = `<sheets><sheet name="A" r:id="r1"/><sheet name="B" r:id="r2" state="visible"/><sheet name="C" r:id="r3" state="veryHidden"/></sheets>`
    const found = [
      { name: "A", relation: "r1", isHidden: false },
      { name: "B", relation: "r2", isHidden: false },
      { name: "C", relation: "r3", isHidden: true },
    ]
    const read = (properties: string) => WorkbookXml.sheetsOf(chunks(`<workbook>${properties}${sheets}</workbook>`))
    expect(await read("")).toEqual({ sheets: found, from1904: false })
    expect(await read("<workbookPr/>")).toEqual({ sheets: found, from1904: false })
    expect(await read('<workbookPr date1904="0"/>')).toEqual({ sheets: found, from1904: false })
    expect(await read('<workbookPr date1904="1"/>')).toEqual({ sheets: found, from1904: true })
    expect(await read('<workbookPr date1904="true"/>')).toEqual({ sheets: found, from1904: true })
  })

  test("have relations, whose type is the last part of its URI", async () => {
    const xml = `<Relationships><Relationship Id="r1" Type="http://a/b/styles" Target="s.xml"/><Other Id="r2"/></Relationships>`
    expect(await WorkbookXml.relationsOf(chunks(xml))).toEqual([{ id: "r1", type: "styles", target: "s.xml" }])
  })
})

test("styles of cells show dates by formats of their own and by those of every spreadsheet, others do not", async () => {
  const xml = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd.mm.yyyy"/><numFmt numFmtId="165" formatCode="0.00"/><numFmt numFmtId="15" formatCode="0"/></numFmts>
    <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
    <cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="22"/><xf numFmtId="15"/><xf numFmtId="31"/></cellXfs>
    <other><xf numFmtId="14"/></other></styleSheet>`
  expect(await WorkbookXml.dateStylesOf(chunks(xml))).toEqual(new Set([1, 3, 5]))
})

test("strings are those of their runs, without reading aids, and with the characters that XML cannot hold", async () => {
  const xml = `<sst><si><t>a</t></si> <si><r><rPr>x</rPr><t>b</t></r><r><t>c</t></r></si>
    <si><t>d</t><rPh><t>ignored</t></rPh><t>e</t></si><si/><si><t>f_x000D_g_x00e9_ _x0Z_</t></si></sst>`
  expect(await WorkbookXml.stringsOf(chunks(xml))).toEqual(["a", "bc", "de", "", "f\rg\u00e9 _x0Z_"])
})

describe("a row", () => {
  test("has the number of its reference, or follows the one above", async () => {
    const one = `<c t="str"><v>a</v></c>`
    expect(await rows(`<row>${one}</row><row/><row>${one}</row><row r="7">${one}</row><row>${one}</row>`)).toEqual([
      ["row 1", "a"],
      ["row 3", "a"],
      ["row 7", "a"],
      ["row 8", "a"],
    ])
  })

  test.each([
    ["1048576", ["row 1048576", "1", 0, "exact"]],
    ["1", ["row 1", "1", 0, "exact"]],
  ])("may have the number %s", async (r, row) => {
    expect(await rows(`<row r="${r}"><c><v>1</v></c></row>`)).toEqual([row])
  })

  test.each(["0", "-1", "1048577", "x"])("may not have the number %s", async (r) => {
    await expect(rows(`<row r="${r}"><c><v>1</v></c></row>`)).rejects.toThrow("is beyond the last row of a sheet")
  })

  test.each([
    ["twice", `<row r="3"/><row r="3"/>`, "row 3 comes after row 3: one is there twice, or they are in another order"],
    ["before the one above", `<row r="3"/><row r="2"/>`, "row 2 comes after row 3"],
    ["twice, once without a number", `<row/><row r="1"/>`, "row 1 comes after row 1"],
  ])("is not there %s", async (_, xml, reason) => {
    await expect(rows(xml)).rejects.toThrow(`${reason}`)
  })

  test.each(["B3 B3", "B3 A3", "C3 A3"])("has no cells in the order %s", async (references) => {
    const xml = references.split(" ").map((r) => `<c r="${r}"><v>1</v></c>`)
    await expect(rows(`<row r="3">${xml.join("")}</row>`)).rejects.toThrow(
      "row 3 has two cells in a column, or cells in another order. Open the workbook in Excel, and save it",
    )
  })

  test("is in the data of the sheet, and not in an alternative of it", async () => {
    const row = "<row><c><v>1</v></c></row>"
    await expect(rows(`${row}<Choice>${row}</Choice><Fallback>${row}</Fallback>`)).rejects.toThrow(
      "row 1: its element row is in Choice, and not in sheetData",
    )
  })

  test("is not one that is the place of a control", async () => {
    const anchor = "<controls><from><xdr:col>1</xdr:col><xdr:row>1</xdr:row></from><c><v>2</v></c></controls>"
    const one = "<row><c><v>1</v></c></row>"
    expect(await rows(`${one}</sheetData>${anchor}<sheetData>`)).toEqual([["row 1", "1", 0, "exact"]])
    expect(await rows(`</sheetData>${anchor}<sheetData>${one}`)).toEqual([["row 1", "1", 0, "exact"]])
  })

  test("refers with those above it to texts of a length that a workbook of its size may have", async () => {
    const refers = `<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>`
    const strings = ["x".repeat(9), "y"]
    expect(await rows(refers.repeat(10), { strings, maxReferred: 100 })).toHaveLength(10)
    await expect(rows(refers.repeat(11), { strings, maxReferred: 100 })).rejects.toThrow(
      "row 11: the cells up to it refer to more than 100 characters, which is far more than a workbook of its size holds. Save the sheet as 'CSV UTF-8'",
    )
  })

  test("has cells in the columns of their references, or beside the one before", async () => {
    const at = (r: string) => `<c r="${r}" t="str"><v>${r}</v></c>`
    expect(await cell(`${at("B1")}<c t="str"><v>x</v></c>${at("AA1")}`)).toEqual([
      "",
      "B1",
      "x",
      ...Array.from({ length: 23 }, () => ""),
      "AA1",
    ])
    expect(await cell(at("XFD1"))).toHaveLength(16_384)
  })

  test.each(["XFE1", "ZZZ1", "1", "a1"])("has no column of the reference %s", async (r) => {
    await expect(rows(`<row r="3"><c r="${r}"><v>1</v></c></row>`)).rejects.toThrow("row 3 has too many columns")
  })

  test("has no column beyond the last, counted from the one before", async () => {
    await expect(rows(`<row><c r="XFD1"/><c/></row>`)).rejects.toThrow("row 1 has too many columns")
  })

  test("has cells of its own", async () => {
    await expect(rows('<row r="3"><c r="A3"/></row><row r="4"><c r="A3"><v>2</v></c></row>')).rejects.toThrow(
      "row 4 has a cell of another row, A3",
    )
  })

  test("keeps its numbers for itself", async () => {
    expect(
      await rows(`<row><c><v>1</v></c></row><row><c t="str"><v>a</v></c><c><v>0.30000000000000004</v></c></row>`),
    ).toEqual(
      [
        ["row 1", "1", 0, "exact"],
        ["row 2", "a", "0.3", 1, "rounded"],
      ].map((row) => row.flat()),
    )
  })

  test("has at most a megabyte of text, with the strings that its cells refer to", async () => {
    const most = 1024 * 1024
    const xml = (length: number) => `<row><c t="str"><v>${"x".repeat(length)}</v></c></row>`
    expect(await rows(xml(most) + xml(most))).toHaveLength(2)
    await expect(rows(xml(most + 1))).rejects.toThrow("row 1 is too long: a row has at most 1 MiB")
    const refers = `<row><c t="s"><v>0</v></c><c t="str"><v>x</v></c></row>`
    // The reference and the text of the other cell take a character each.
    expect(await rows(refers, { strings: ["x".repeat(most - 2)] })).toHaveLength(1)
    await expect(rows(refers, { strings: ["x".repeat(most - 1)] })).rejects.toThrow("row 1 is too long")
  })
})

describe("a cell", () => {
  test.each<[string, string, ReadonlyArray<unknown> | undefined]>([
    ["a number", "<c><v>1.50</v></c>", ["1.5", 0, "exact"]],
    ["a number of a formula", "<c><f>A1</f><v>2</v></c>", ["2", 0, "exact"]],
    ["a date", '<c s="2"><v>45565</v></c>', ["2024-09-30"]],
    ["a number in the style of a date that is none", '<c s="2"><v>-1</v></c>', ["-1", 0, "exact"]],
    ["a text of the workbook", '<c t="s"><v>1</v></c>', ["one"]],
    ["a text of its own", '<c t="inlineStr"><is><r><t>a</t></r><t>b_x000A_</t></is></c>', ["ab\n"]],
    ["a text of a formula", '<c t="str"><f>x</f><v>a_x000A_</v></c>', ["a\n"]],
    ["no text of a formula", '<c t="str"><f>x</f><v></v></c>', undefined],
    ["a date as text", '<c t="d"><v>2024-10-02</v></c>', ["2024-10-02"]],
    ["true", '<c t="b"><v>1</v></c>', ["TRUE"]],
    ["false", '<c t="b"><v>0</v></c>', ["FALSE"]],
    ["nothing", "<c/>", undefined],
    ["no value", "<c><v></v></c>", undefined],
    ["an empty text of its own", '<c t="inlineStr"><is><t></t></is></c>', undefined],
  ])("of %s", async (_, xml, expected) => {
    expect(await cell(xml)).toEqual(expected)
  })

  test.each([
    [
      "no result of a formula",
      "<c><f>A1</f></c>",
      "row 1: a formula has no result. Open the workbook in Excel, and save it",
    ],
    ["an empty result of a formula", '<c t="b"><f>A1</f><v></v></c>', "row 1: a formula has no result"],
    [
      "a reference to no text",
      '<c t="s"><v>2</v></c>',
      "row 1: a cell refers to a text that the workbook does not have",
    ],
    ["two values", "<c><v>1</v><v>2</v></c>", "row 1: a cell has two values. Open the workbook in Excel, and save it"],
    ["a type that is none", `<c t="zz"><v>1</v></c>`, 'row 1: a cell has the type "zz"'],
    ["a number of another base", "<c><v>0x10</v></c>", 'row 1: a cell holds "0x10", which is no number'],
    ["a value outside of it", "<v>1</v>", "row 1: its element v is in row, and not in c"],
    ["a cell in it", "<c><c/></c>", "row 1: its element c is in c, and not in row"],
    ["no number", "<c><v>1,5</v></c>", 'row 1: a cell holds "1,5", which is no number'],
    ["a long text for a number", `<c><v>${"x".repeat(100)}</v></c>`, `a cell holds "${"x".repeat(64)}", which`],
  ])("with %s is rejected", async (_, xml, reason) => {
    await expect(cell(xml)).rejects.toThrow(reason)
  })

  test("does not take the value of the one before", async () => {
    expect(await cell(`<c><f>A1</f><v>1</v></c><c t="s"/><c t="str"><v>a</v></c>`)).toEqual(["1", "", "a", 0, "exact"])
  })
})
