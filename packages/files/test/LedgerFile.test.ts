/** A ledger is read as its owner means it, or not at all: nothing is guessed without a word. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as LedgerFile from "../src/node/LedgerFile.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-ledger-"))
})
afterAll(() => rm(folder, { recursive: true }))

const unknown: LedgerFile.LedgerFileOptions = { ...LedgerFile.detectAll, currency: "EUR" }

const readAll = async (content: string, options: Partial<LedgerFile.LedgerFileOptions>) => {
  const path = join(folder, "all.csv")
  await writeFile(path, content)
  return Effect.runPromise(LedgerFile.read(path, { ...unknown, ...options }))
}

const read = async (content: string | Buffer, options: Partial<LedgerFile.LedgerFileOptions> = {}) => {
  const path = join(folder, "book.csv")
  await writeFile(path, content)
  const result = await Effect.runPromise(Effect.result(LedgerFile.read(path, { ...unknown, ...options })))
  if (Result.isFailure(result)) return { reason: result.failure.reason }
  const { entries, reading } = result.success
  return {
    rows: entries.map(({ key, amount, reference, status }) =>
      [reference, key, amount.text, amount.currency_code, ...(status === undefined ? [] : [status])].join("|"),
    ),
    reading,
  }
}

const german = "Notiz;Reference;Amount\nK\u00f6ln;b\u00fcro-1;1.241\nx;b-2;28,49\n"

describe("encodings", () => {
  const rows = ["line 2|b\u00fcro-1|1241|fiat/EUR", "line 3|b-2|28.49|fiat/EUR"]

  test.each<[string, Buffer, string]>([
    ["UTF-8", Buffer.from(german), "utf-8"],
    ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${german}`), "utf-8"],
    ["windows-1252", Buffer.from(german, "latin1"), "windows-1252"],
    ["UTF-16LE", Buffer.from(`\ufeff${german}`, "utf16le"), "utf-16le"],
    ["UTF-16BE", Buffer.from(`\ufeff${german}`, "utf16le").swap16(), "utf-16be"],
  ])("detects %s", async (_, bytes, encoding) => {
    expect(await read(bytes)).toMatchObject({ rows, reading: { encoding, delimiter: ";", decimal: "," } })
  })

  test("finds a byte of windows-1252 behind a megabyte of ASCII", async () => {
    const text = `reference,amount\n${"a,1.50\n".repeat(150_000)}b\u00fcro,2.50\n`
    expect((await read(Buffer.from(text, "latin1"))).rows?.at(-1)).toBe("line 150002|b\u00fcro|2.50|fiat/EUR")
  })

  test("takes characters that lie across two chunks for UTF-8", async () => {
    const found = await read(`reference,amount\nx${"\u20ac".repeat(100_000)},1.50\n`)
    expect(found.reading?.encoding).toBe("utf-8")
  })

  test("reads the named encoding, and does not report it as detected", async () => {
    const found = await read(Buffer.from("reference,amount\n\xa4,1.50\n", "latin1"), { encoding: "iso-8859-15" })
    expect(found.rows).toEqual(["line 2|\u20ac|1.50|fiat/EUR"])
    expect(found.reading?.detected).not.toContain("encoding")
  })

  test("rejects other bytes behind a byte order mark of UTF-8", async () => {
    const bytes = Buffer.concat([Buffer.from("\ufeff"), Buffer.from(german, "latin1")])
    expect((await read(bytes)).reason).toContain("name it with --encoding")
  })
})

describe("is beyond doubt, or asked about", () => {
  test.each<[string, string, string]>([
    [
      "two columns for the amount",
      "reference,Amount,Total\na,1,2\n",
      "its amount could be Amount or Total. Name it with --map amount=",
    ],
    ["two columns for the key", "reference,order_id,amount\na,b,2\n", "its key could be reference or order_id"],
    ["the same column twice", "reference,amount,amount\na,1,2\n", "several columns amount"],
    ["two delimiters", "a,b;c\n", "as many of one delimiter as of another. Name it with --delimiter"],
    ["amounts that may be either", 'reference,amount\na,"1,241"\n', "say which with --decimal"],
    [
      "amounts that contradict",
      "reference;amount\na;1,50\nb;1.50\n",
      "line 3 has a decimal point (1.50), line 2 a decimal comma (1,50)",
    ],
    ["no rows", "reference,amount\n", "it has a header, but no rows"],
    ["NUL in a key", "reference,amount\na\u0000b,1\n", "line 2: its key holds a NUL character"],
    ["a key that lost a character", "reference,amount\nB\ufffdro,1\n", "line 2: its key holds U+FFFD"],
    ["another kind of file", "%PDF-1.7", "it is a PDF, not CSV"],
    [
      "two currencies in a row",
      "reference,amount,currency\na,5 USD,EUR\n",
      "line 2: its amount is in USD, but its currency is fiat/EUR",
    ],
  ])("%s", async (_, text, reason) => {
    expect((await read(text)).reason).toContain(reason)
  })

  test("no currency anywhere", async () => {
    const reason = (text: string) => read(text, { currency: undefined }).then((found) => found.reason)
    expect(await reason("reference,amount\na,5\n")).toContain("line 2: its currency is unknown. Name it with --map")
    expect(await reason("reference,amount\na,5 ETH\n")).toContain("ETH is not a currency of ISO 4217")
  })
})

describe("reads", () => {
  test.each<[string, string, Partial<LedgerFile.LedgerFileOptions>, ReadonlyArray<string>]>([
    ["sep=;", "sep=;\r\nreference;amount\r\na,b;1,50\r\n", {}, ["line 3|a,b|1.50|fiat/EUR"]],
    [
      "the currency in the amount",
      "reference,amount\na,941.13 USD\n",
      { currency: undefined },
      ["line 2|a|941.13|fiat/USD"],
    ],
    ["accountants' brackets", "reference,amount\na,(28.49)\n", {}, ["line 2|a|-28.49|fiat/EUR"]],
    [
      "a flipped sign",
      "reference,amount\na,-5\nb,0\n",
      { flipSign: true },
      ["line 2|a|5|fiat/EUR", "line 3|b|0|fiat/EUR"],
    ],
    ["a named decimal sign", "reference;amount\na;1.241\n", { decimal: "," }, ["line 2|a|1241|fiat/EUR"]],
    ["a named thousands separator", "reference;amount\na;1'241.5\n", { thousands: "'" }, ["line 2|a|1241.5|fiat/EUR"]],
    ["rows of empty cells as none", "reference,amount,status\n,,\na,1,done\n,,\n", {}, ["line 3|a|1|fiat/EUR|done"]],
    [
      "line numbers with CRLF, LF and empty lines in quoted cells",
      'reference,"no\r\nte",amount\r\na,"x\r\ny\nz",1\r\n\r\nb,"x\r\ny",2\r\nc,"",3\r\n',
      {},
      ["line 3|a|1|fiat/EUR", "line 7|b|2|fiat/EUR", "line 9|c|3|fiat/EUR"],
    ],
  ])("%s", async (_, text, options, rows) => {
    expect(await read(text, options)).toMatchObject({ rows })
  })

  test("reports its columns, and which of them were found by their usual names", async () => {
    const { reading } = await read("Nr,Amount,Currency\na,1,USD\n", {
      columns: { key: "nr" },
      currency: undefined,
    })
    expect(reading).toMatchObject({
      rows: 1,
      columns: { key: "Nr", amount: "Amount", currency: "Currency" },
      detected: ["encoding", "delimiter", "decimal", "amount", "currency"],
    })
  })
})

describe("dates", () => {
  const dates = (...cells: ReadonlyArray<string>) =>
    `reference;amount;Datum\n${cells.map((cell, index) => `a${index};1;${cell}\n`).join("")}`
  const columns = { date: "datum" }

  test("are read in the order that one of them shows", async () => {
    const { entries, reading } = await readAll(dates("03/04/2024", "30/09/2024"), { columns })
    expect(entries.map(({ date }) => date)).toEqual(["2024-04-03", "2024-09-30"])
    expect(reading).toMatchObject({ date_order: "dmy", columns: { date: "Datum" } })
    expect(reading.detected).toContain("date_order")
    expect(reading.detected).not.toContain("date")
  })

  test("are read in the order that a row far below shows, though the amounts are beyond doubt before", async () => {
    const { entries } = await readAll(dates("03/04/2024", "04/04/2024", "30/09/2024"), { columns })
    expect(entries.map(({ date }) => date)).toEqual(["2024-04-03", "2024-04-04", "2024-09-30"])
  })

  test("are read in the given order", async () => {
    const { entries, reading } = await readAll(dates("03/04/2024"), { columns, dateOrder: "mdy" })
    expect(entries[0]?.date).toBe("2024-03-04")
    expect(reading.detected).not.toContain("date_order")
  })

  test.each([
    [
      "none shows the order",
      ["03/04/2024"],
      "line 2: 03/04/2024 is a date whose order is in doubt: say which with --date-order dmy or --date-order mdy",
    ],
    ["years have two digits", ["03.04.24"], "--date-order ymd or --date-order dmy or --date-order mdy"],
    ["the orders differ", ["30/09/2024", "09/30/2024"], 'line 3: "09/30/2024" looks like a date in another order'],
    ["one is no date", ["2024-09-30", "soon"], 'line 3: Not a date: "soon"'],
  ])("are rejected if %s", async (_, cells, reason) => {
    expect((await read(dates(...cells), { columns })).reason).toContain(reason)
  })

  test("leave out the rows outside the period, and count them", async () => {
    const period = CreatedAt.and(
      CreatedAt.gte(Timestamp.parseUnsafe("2024-09-30T00:00:00Z")),
      CreatedAt.lt(Timestamp.parseUnsafe("2024-10-02T00:00:00Z")),
    )
    const text = dates("2024-09-29", "2024-09-30", "2024-10-01", "2024-10-02")
    const { entries, reading } = await readAll(text, { columns, period })
    expect(entries.map(({ reference }) => reference)).toEqual(["line 3", "line 4"])
    expect(reading).toMatchObject({ rows: 4, outside: 2 })
    expect((await readAll(text, { period })).entries).toHaveLength(4)
  })
})

test("reads its rows in batches, and stops reading with its reader", async () => {
  const path = join(folder, "long.csv")
  await writeFile(path, `reference,amount\n${"a,1.50\n".repeat(2_500)}b,x\n`)
  const sizes = await Effect.runPromise(
    LedgerFile.open(path, unknown).pipe(
      Effect.flatMap(({ entries }) => Stream.runCollect(Stream.take(entries, 2))),
      Effect.map((batches) => batches.map((batch) => batch.length)),
    ),
  )
  expect(sizes).toEqual([1000, 1000])
})

describe("reads text without quotes as with them", () => {
  const long = (lineBreak: string) =>
    Array.from({ length: 9000 }, (_, index) => `k-${index},1.50,${lineBreak}`).join("")

  test.each<[string, string]>([
    ["with LF", "reference,amount,x\na,1.50,\nb,2.50,"],
    ["with CRLF", "reference,amount,x\r\na,1.50,\r\nb,2.50,\r\n"],
    ["with CR", "reference,amount,x\ra,1.50,\rb,2.50,\r"],
    ["with CR in a cell", "reference,amount,x\na,1.50,y\rz\nb,2.50,\n"],
    ["with CR at the end of a cell", "reference,amount,x\na,1.50,y\r\nb,2.50,\n"],
    ["with LF in a cell", "reference,amount,x\r\na,1.50,y\nz\r\nb,2.50,\r\n"],
    ["with blank lines and cells", "\n , ,\nreference,amount,x\n\na,1.50,\n,,\nb,2.50,\n\n"],
    ["with a row of blanks that is too short", "reference,amount,x\na,1.50,\n  \nb,2.50,\n"],
    ["with a longer row", "reference,amount,x\na,1.50,\nb,2.50,,\n"],
    ["with a longer row after a bad amount", "reference,amount,x\na,1.5x,\nb,2.50,,\n"],
    ["with a longer row below sep=", "sep=,\nreference,amount,x\na,1.50,\nb,2.50,,\n"],
    ["with a row that never ends", `reference,amount,x\na,1.50,\nb,2.50,${"y".repeat(1_100_000)}`],
    ["of several reads", `reference,amount,x\n${long("\n")}`],
    ["of several reads, with CRLF", `reference,amount,x\r\n${long("\r\n")}`],
    ["of several reads, with one line break of another kind", `reference,amount,x\r\n${long("\r\n")}a,1.50,\nb,2.50,`],
  ])("%s", async (_, text) => {
    const { rows, reason } = await read(text)
    const quoted = await read(text.replace("reference", '"reference"'))
    expect({ rows, reason }).toEqual({ rows: quoted.rows, reason: quoted.reason })
    expect(rows ?? [reason]).not.toEqual([])
  })

  test("in UTF-16, too", async () => {
    const text = "reference,amount\n\u2200,1.50\n\u0d0a,2.50\n"
    expect((await read(Buffer.from(`\ufeff${text}`, "utf16le"))).rows).toEqual((await read(text)).rows)
  })
})
