/** Excel workbooks, of which fixtures/ledgers/make-workbooks.py wrote some without our code. */
import { createHash } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { zip } from "../../../scripts/test/Zip.ts"
import * as LedgerFile from "../src/node/LedgerFile.ts"
import { workbook, workbookParts } from "./zip.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-workbook-"))
})
afterAll(() => rm(folder, { recursive: true }))

const readPath = async (path: string, options: Partial<LedgerFile.LedgerFileOptions> = {}) => {
  const result = await Effect.runPromise(
    Effect.result(LedgerFile.read(path, { ...LedgerFile.detectAll, currency: "EUR", ...options })),
  )
  if (Result.isFailure(result)) return { reason: result.failure.reason }
  const { entries, reading } = result.success
  return { rows: entries.map(({ key, amount, reference, date }) => [reference, key, String(amount), date]), reading }
}

const fixture = (name: string, options?: Partial<LedgerFile.LedgerFileOptions>) =>
  readPath(join(import.meta.dirname, "fixtures/ledgers", name), options)

const read = async (bytes: Buffer, options?: Partial<LedgerFile.LedgerFileOptions>) => {
  const path = join(folder, "book.xlsx")
  await writeFile(path, bytes)
  return readPath(path, options)
}

const header = `<row r="1"><c t="str"><v>key</v></c><c t="str"><v>amount</v></c></row>`
const cells = (...xml: ReadonlyArray<string>) => workbook(`${header}<row r="2">${xml.join("")}</row>`)
const key = `<c t="str"><v>a</v></c>`

describe("a workbook", () => {
  test("of Excel is read with its strings, dates, results of formulas and numbers of up to 15 digits", async () => {
    const columns = { key: "order no", amount: "Gross", date: "Booked" }
    const { rows, reading } = await fixture("book.xlsx", { columns, currency: "USD" })
    expect(rows).toEqual([
      ["row 3", "order-1", "28.49 fiat/USD", "2024-09-30"],
      ["row 5", "order-2", "0.3 fiat/USD", "2024-10-01"],
      ["row 6", "0071", "1241 fiat/USD", "2024-10-02"],
      ["row 7", "1007", "1.50 fiat/USD", "2024-10-03"],
    ])
    expect(reading).toMatchObject({ rows: 4, sheet: "September", numbers: 3, rounded: 1, decimal: "." })
    expect(reading?.detected).toEqual(["sheet", "decimal", "date_order"])
  })

  test("that hides rows is read with them, and they are counted", async () => {
    const row = (key: string, attributes = "") => `<row${attributes}><c t="str"><v>${key}</v></c><c><v>5</v></c></row>`
    const hidden = row("b", ' hidden="1"') + row("c", ' hidden="true"') + row("d", ' ht="0" customHeight="1"')
    const shown = row("a") + row("e", ' hidden="0"') + row("f", ' ht="15"')
    const { rows, reading } = await read(workbook(header + shown + hidden))
    expect(rows).toHaveLength(6)
    expect(reading).toMatchObject({ rows: 6, hidden: 3 })
    const { reading: unhidden } = await read(workbook(header.replace("<row", '<row hidden="1"') + shown))
    expect(unhidden).not.toHaveProperty("hidden")
  })

  // ECMA-376, 18.3.1.81: then only the rows that are not hidden are written, unless they say something else.
  test("that hides rows by default shows those that it has", async () => {
    const row = (key: string, attributes = "") => `<row${attributes}><c t="str"><v>${key}</v></c><c><v>5</v></c></row>`
    const parts = workbookParts(header + row("a") + row("b", ' hidden="1"')).map(({ name, bytes }) => ({
      name,
      bytes: Buffer.from(
        String(bytes).replace("<sheetData>", '<sheetFormatPr defaultRowHeight="15" zeroHeight="1"/><sheetData>'),
      ),
    }))
    expect((await read(zip(parts))).reading).toMatchObject({ rows: 2, hidden: 1 })
  })

  test("of a library is read without references, with prefixes and inline strings", async () => {
    const { rows, reading } = await fixture("inline.xlsx")
    expect(rows).toEqual([
      ["row 2", "a", "1241.50 fiat/EUR", undefined],
      ["row 3", "b", "2.5 fiat/EUR", undefined],
    ])
    expect(reading).toMatchObject({ numbers: 1, decimal: "," })
  })

  test("with several sheets is asked about, and the named one is read, with dates from 1904", async () => {
    const { reason } = await fixture("sheets.xlsx")
    expect(reason).toBe('it has several sheets: "August", "September", "Rates". Say which with --sheet')
    expect(await fixture("sheets.xlsx", { sheet: "October" })).toMatchObject({
      reason: expect.stringContaining('it has no sheet "October"'),
    })
    const found = await fixture("sheets.xlsx", { sheet: "september", columns: { date: "day" } })
    expect(found.rows).toEqual([["row 2", "sep", "1 fiat/EUR", "2024-09-30"]])
    expect(found.reading?.detected).not.toContain("sheet")
    expect((await fixture("sheets.xlsx", { sheet: "Rates" })).rows?.[0]?.[1]).toBe("rate")
  })

  test("does not take the point of a number for a decimal sign of its texts", async () => {
    const { reason } = await read(
      workbook(`${header}<row>${key}<c><v>1.5</v></c></row><row>${key}<c t="str"><v>1.241</v></c></row>`),
    )
    expect(reason).toContain("row 3: 1.241 may be 1241 or 1 and a fraction")
  })
})

test("asks about the decimal sign of a text that comes after 10,000 numbers", async () => {
  const numbers = `<row>${key}<c><v>1.5</v></c></row>`.repeat(10_000)
  const bytes = workbook(`${header}${numbers}<row>${key}<c t="str"><v>1,25</v></c></row>`)
  const reason = 'row 10002: the amount "1,25" is a text among numbers. Name its decimal sign with --decimal'
  expect(await read(bytes)).toEqual({ reason })
  expect((await read(bytes, { decimal: "," })).rows?.at(-1)?.[2]).toBe("1.25 fiat/EUR")
})

describe("rejects", () => {
  test.each<[string, Buffer, string]>([
    ["a formula without a result", cells(key, "<c><f>A1</f><v></v></c>"), "row 2: a formula has no result"],
    ["an error", cells(key, `<c t="e"><v>#N/A</v></c>`), 'row 2: Not an amount: "#N/A"'],
    [
      "a key that lost digits",
      cells("<c><v>1234567890123456789</v></c>", "<c><v>1</v></c>"),
      "row 2: its key is a number of 19 digits, and spreadsheets keep 15",
    ],
    ["a missing string", cells(`<c t="s"><v>7</v></c>`, "<c><v>1</v></c>"), "row 2: a cell refers to a text"],
    ["a number that is none", cells(key, "<c><v>1,5</v></c>"), 'row 2: a cell holds "1,5", which is no number'],
    ["a header without rows", workbook(header), "it has a header, but no rows"],
    ["a sheet without cells", workbook(""), "it is empty"],
    ["a missing amount", cells(key), "row 2: the amount is empty"],
    ["a column beyond the last", cells(`<c r="XFE2"><v>1</v></c>`), "row 2 has too many columns"],
    ["a row beyond the last", workbook(`<row r="1048577"/>`), "row 1048577 is beyond the last row"],
    ["a DOCTYPE", workbook("", `<!DOCTYPE sst [<!ENTITY a "b">]><sst/>`), "line 1: it has a DOCTYPE"],
    ["XML that is not well-formed", workbook("<row></c>"), "line 1: it is not well-formed XML"],
    ["another zip file", zip([{ name: "a.txt", bytes: Buffer.from("a") }]), "it is a zip file without a workbook"],
    [
      "an OpenDocument spreadsheet",
      zip([{ name: "content.xml", bytes: Buffer.from("<a/>") }]),
      "it is an OpenDocument spreadsheet",
    ],
    [
      "a truncated file",
      cells(key).subarray(0, 300),
      "its list of parts is damaged: End of central directory record signature not found. Get another copy of the file, or save it again",
    ],
    [
      "random bytes",
      createHash("shake256", { outputLength: 4096 }).update("random").digest(),
      "it is neither an Excel workbook nor text. Is it damaged?",
    ],
    ["an old workbook", Buffer.from("d0cf11e0a1b11ae1", "hex"), "it is an old Excel workbook, or one with a password"],
  ])("%s", async (_, bytes, reason) => {
    expect((await read(bytes)).reason).toContain(reason)
  })

  test("a workbook whose sheets are all hidden, or which has none of a name", async () => {
    const parts = workbookParts(`${header}<row>${key}<c><v>1</v></c></row>`)
    const withBook = (from: string, to: string) =>
      zip(
        parts.map((part) =>
          part.name === "xl/workbook.xml"
            ? { ...part, bytes: Buffer.from(part.bytes.toString("utf8").replace(from, to)) }
            : part,
        ),
      )
    const hidden = withBook('name="One"', 'name="One" state="hidden"')
    expect((await read(hidden)).reason).toBe("it has no sheet that shows. Name one with --sheet")
    expect((await read(hidden, { sheet: " ONE " })).reading).toMatchObject({ rows: 1, hidden: 1 })
    expect((await read(hidden, { sheet: "Two" })).reason).toBe('it has no sheet "Two"; its sheets are "One"')
    const twice = withBook("</sheets>", '<sheet name="one" r:id="r0"/></sheets>')
    expect((await read(twice, { sheet: "One" })).reason).toBe('it has two sheets "One". Rename one of them')
    // A chart has a relation of another type.
    expect((await read(withBook("r0", "r1"))).reason).toBe("it has no sheet that shows. Name one with --sheet")
  })

  test("a reference to a text in a workbook without texts", async () => {
    const parts = workbookParts(`${header}<row><c t="s"><v>0</v></c><c><v>1</v></c></row>`)
    const bare = parts.map((part) =>
      part.name === "xl/_rels/workbook.xml.rels"
        ? { ...part, bytes: Buffer.from(part.bytes.toString("utf8").replace("sharedStrings", "other")) }
        : part,
    )
    expect((await read(zip(bare))).reason).toContain("row 2: a cell refers to a text that the workbook does not have")
  })

  test("a binary workbook", async () => {
    const parts = workbookParts("").map((part) =>
      part.name === "_rels/.rels"
        ? { ...part, bytes: Buffer.from(part.bytes.toString("utf8").replace("workbook.xml", "workbook.bin")) }
        : part,
    )
    const reason = "it is a binary Excel workbook. Save it as .xlsx, or the sheet as 'CSV UTF-8'"
    expect((await read(zip(parts))).reason).toBe(reason)
  })

  test("a workbook that lacks its part", async () => {
    const parts = workbookParts("")
    const without = (name: string) => zip(parts.filter((part) => part.name !== name))
    expect((await read(without("xl/sheet.xml"))).reason).toBe("it has no part xl/sheet.xml")
    expect((await read(without("xl/workbook.xml"))).reason).toBe("it is a zip file without a workbook. Unpack it first")
  })

  test("more than 10,000 parts", async () => {
    const parts = workbookParts(`${header}<row>${key}<c><v>1</v></c></row>`)
    const more = (count: number) =>
      zip([...parts, ...Array.from({ length: count }, (_, index) => ({ name: `${index}`, bytes: Buffer.alloc(0) }))])
    expect((await read(more(10_000 - parts.length))).rows).toHaveLength(1)
    expect((await read(more(10_001 - parts.length))).reason).toBe("it has more than 10000 parts")
  })

  test("a damaged part, whose checksum does not match", async () => {
    const parts = workbookParts(`${header}<row>${key}<c><v>1</v></c></row>`)
    const damaged = parts.map((part) => (part.name === "xl/sheet.xml" ? { ...part, checksum: 1 } : part))
    expect((await read(zip(parts))).rows).toHaveLength(1)
    expect((await read(zip(damaged))).reason).toBe(
      "its part xl/sheet.xml is damaged: its checksum does not match. Get another copy of the file, or save it again",
    )
  })

  test("a part that cannot be unpacked, and one that is not where the list says", async () => {
    const whole = cells(key, "<c><v>1</v></c>")
    const at = whole.indexOf("xl/sheet.xml") + "xl/sheet.xml".length
    const spoiled = (from: number) =>
      Buffer.concat([whole.subarray(0, from), Buffer.alloc(4, 0xff), whole.subarray(from + 4)])
    for (const from of [at, at - "xl/sheet.xml".length - 30]) {
      const { reason } = await read(spoiled(from))
      expect(reason).toMatch(
        /^its part xl\/sheet\.xml is damaged: .+[.] Get another copy of the file, or save it again$/,
      )
    }
  })

  test.each([
    ["encrypted", { flags: 1 }],
    ["compressed in another way", { method: 12 }],
  ])("a part that is %s", async (_, how) => {
    const parts = workbookParts(`${header}<row>${key}<c><v>1</v></c></row>`)
    const odd = parts.map((part) => (part.name === "xl/sheet.xml" ? { ...part, ...how } : part))
    const reason = "its part xl/sheet.xml is encrypted, or compressed in another way than by deflate"
    expect((await read(zip(odd))).reason).toContain(reason)
  })
})

test("reads characters that lie across two chunks, and rejects bytes that are no text", async () => {
  const text = `x${"\u20ac".repeat(300_000)}`
  const parts = workbookParts(`${header}<row><c t="str"><v>${text}</v></c><c><v>1</v></c></row>`)
  for (const method of [0, 8]) {
    expect((await read(zip(parts.map((part) => ({ ...part, method }))))).rows?.[0]?.[1]).toBe(text)
  }
  const odd = parts.map((part) =>
    part.name === "xl/strings.xml" ? { ...part, bytes: Buffer.from("<sst>\xff</sst>", "latin1") } : part,
  )
  expect((await read(zip(odd))).reason).toContain("its part xl/strings.xml is damaged: it is not UTF-8")
})

describe("a workbook that is large", () => {
  const row = `<row>${key}<c><v>1</v></c></row>`
  /** With blanks between its strings, of which there are none. */
  const padded = (bytes: number) => workbookParts(`${header}${row}`, `<sst>${" ".repeat(bytes)}</sst>`)
  const reason =
    /^its part xl[/]strings[.]xml unpacks to far more than a file of its size holds: at most 8 MiB, or 50 times that size$/

  test("may unpack to 8 MiB whatever its size is, all parts together", async () => {
    const most = 8 * 1024 * 1024
    expect((await read(zip(padded(most - 1000)))).rows).toHaveLength(1)
    expect((await read(zip(padded(most)))).reason).toMatch(reason)
    const sheet = zip(workbookParts(`${header}${row}${`<row>${" ".repeat(most / 64)}</row>`.repeat(64)}`))
    expect((await read(sheet)).reason).toMatch(/^its part xl[/]sheet[.]xml unpacks to far more than/)
  })

  test("may unpack to 50 times its size", async () => {
    const noise = createHash("shake256", { outputLength: 300_000 }).update("noise").digest()
    const parts = [...padded(14_000_000), { name: "noise.bin", bytes: noise }]
    expect((await read(zip(parts))).rows).toHaveLength(1)
    expect((await read(zip([...padded(16_500_000), ...parts.slice(-1)]))).reason).toMatch(reason)
  })

  test("may refer to 64 MiB of text and 200 times its size", async () => {
    const refers = `<row><c t="s"><v>0</v></c><c><v>1</v></c></row>`
    const of = (rows: number) =>
      read(workbook(header + refers.repeat(rows), `<sst><si><t>${"x".repeat(1_000_000)}</t></si></sst>`))
    expect((await of(67)).rows).toHaveLength(67)
    expect((await of(70)).reason).toMatch(/^row \d\d: the cells up to it refer to more than 6\d{7} characters, /)
  })
})

test("reads parts that are not compressed", async () => {
  const parts = workbookParts(`${header}<row>${key}<c><v>1</v></c></row>`)
  expect((await read(zip(parts.map((part) => ({ ...part, method: 0 }))))).rows).toHaveLength(1)
})
