/** Files made to exhaust time or memory: rejected with a reason, in bounds that hold for each. */
import { createHash } from "node:crypto"
import { mkdtemp, open, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { zip } from "../../../../scripts/test/Zip.ts"
import * as TransferColumns from "../../src/formats/TransferColumns.ts"
import { workbook, workbookParts } from "../zip.ts"
import { most, read, rejected } from "./MeasuredRead.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-bombs-"))
})
afterAll(() => rm(folder, { recursive: true }))

/** A file of a size that takes no room: zeros, after some text. */
const sparse = async (name: string, text: string, bytes: number): Promise<string> => {
  const path = join(folder, name)
  const file = await open(path, "w")
  await file.write(text)
  await file.truncate(bytes)
  await file.close()
  return path
}

const file = async (name: string, content: string | Uint8Array): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

const transfer = `{"id":"tr_1","kind":"cash_in","status":"complete","created_at":"2024-09-01T00:00:00Z"`
const nested = "[".repeat(200_000) + "]".repeat(200_000)
const spoolHead = `{"transfers_spool":3,"filters":{},"created_at":[],"started_at":"2024-09-01T00:00:00Z"}`
const spoolHeader = `${spoolHead}\n`

/** A spool with one batch, whose last line is its checkpoint, and a checksum that fits. */
const spoolOf = (...lines: ReadonlyArray<string>): string => {
  const digest = (...texts: ReadonlyArray<string>) => createHash("sha256").update(texts.join("\n")).digest("base64url")
  const rows = lines.slice(0, -1).map((line) => `${line}\n`)
  return `${spoolHeader}${rows.join("")}#${digest(digest("", spoolHead), ...lines)} ${lines.at(-1)}\n`
}
const csvHeader = `${TransferColumns.flat.map(({ name }) => name).join(",")}\n`
const gigabyte = 1 << 30

describe("rejects a gigabyte without a line break", () => {
  test.each([
    ["ndjson", "", /line 1 is longer than 32 MiB/],
    ["json", '{"results":[\n', /line 2 is longer than 32 MiB/],
    ["spool", spoolHeader, /line 2 is longer than 32 MiB/],
    ["csv", csvHeader, /line 2 is too long/],
    ["ledger", "external_id,amount\n", /line 2 is too long|NUL/],
  ])("in a file of the format %s", async (reader, start, reason) => {
    expect(await read(reader, await sparse(`long.${reader}`, start, gigabyte))).toMatchObject(rejected(reason))
  })
})

describe("rejects a quote that is never closed, in a gigabyte", () => {
  test.each([
    ["csv", `${csvHeader}"`],
    ["ledger", `external_id,amount\n"`],
  ])("in a file of the format %s", async (reader, start) => {
    expect(await read(reader, await sparse(`quote.${reader}`, start, gigabyte))).toMatchObject(
      rejected(/never closed|NUL/),
    )
  })
})

describe("rejects a value that nests 200,000 levels", () => {
  test.each([
    ["ndjson", `${transfer},"x":${nested}}\n`, /line 1: the value at \/x.* should be at most 32 levels/],
    [
      "json",
      `{"results":[\n${transfer},"x":${nested}}\n],"page_info":{"has_next_page":false}}\n`,
      /line 2: the value at \/x/,
    ],
    [
      "csv",
      `${csvHeader}tr_1,,cash_in,complete,,2024-09-01T00:00:00Z,${",".repeat(23)}"{""x"":${nested}}"\n`,
      /row 1: its column extra: the value at \/x/,
    ],
    ["spool", spoolOf(`{"version":${nested}}`), /more than 32 levels deep/],
    [
      "spool",
      spoolOf(`${transfer},"x":${nested}}`, `{"version":2,"query":"","transfers":1,"remaining":[]}`),
      /at most 32 levels/,
    ],
  ])("in a file of the format %s", async (reader, text, reason) => {
    expect(await read(reader, await file(`deep.${reader}`, text))).toMatchObject(rejected(reason))
  })
})

test.each(["ndjson", "json", "csv"])("%s of 2 MB of line breaks is read or rejected in time", async (reader) => {
  const start = { ndjson: "", json: '{"results":[\n', csv: csvHeader }[reader] ?? ""
  const found = await read(reader, await file(`breaks.${reader}`, start + "\n".repeat(2 << 20)))
  expect(found.cpuSeconds).toBeLessThan(6)
  expect(found.megabytes).toBeLessThan(most.megabytes)
})

test("rejects a spool of 16 million lines without a checkpoint", async () => {
  const path = await file("lines.spool", spoolHeader + "\n".repeat(16 << 20))
  expect(await read("spool", path)).toMatchObject(rejected(/no checkpoint for 250001 lines/))
})

test("rejects a ledger of a million columns", async () => {
  const header = Array.from({ length: 1_000_000 }, (_, index) => `c${index}`).join(",")
  expect(await read("ledger", await file("wide.csv", `${header}\n`))).toMatchObject(rejected(/too long/))
})

// ---------------------------------------------------------------------------------------------------- Excel

describe("Excel", () => {
  const header = `<row r="1"><c t="str"><v>key</v></c><c t="str"><v>amount</v></c></row>`
  const row = `<row><c t="str"><v>a</v></c><c><v>1</v></c></row>`
  const megabytes = (text: string, count: number): string => text.repeat((count << 20) / text.length)

  // What a file unpacks to is held to its size, too.
  const noise = {
    name: "noise.bin",
    bytes: createHash("shake256", { outputLength: 4 << 20 })
      .update("noise")
      .digest(),
  }

  test("reads an ordinary workbook", async () => {
    const path = await file("good.xlsx", workbook(header + row.repeat(20_000)))
    expect(await read("ledger", path)).toMatchObject({ read: 20_000 })
  })

  test("rejects six million strings", async () => {
    const parts = workbookParts(header, `<sst>${"<si/>".repeat(6_000_000)}</sst>`)
    const path = await file("strings.xlsx", zip(parts.map((part) => ({ ...part, method: 0 }))))
    const found = await read("ledger", path)
    expect(found.message).toMatch(/more than 5000000 strings/)
    expect(found.cpuSeconds).toBeLessThan(20)
    expect(found.megabytes).toBeLessThan(most.megabytes)
  })

  test.each<[string, () => Buffer, RegExp]>([
    [
      "strings of 150 MB",
      () => zip([...workbookParts(header, `<sst><si><t>${megabytes("x", 150)}</t></si></sst>`), noise]),
      /more than 128 MiB/,
    ],
    [
      "strings of 100 MB in 100 KB",
      () => workbook(header, `<sst><si><t>${megabytes("x", 100)}</t></si></sst>`),
      /unpacks to far more/,
    ],
    [
      "one long string that 50,000 rows refer to",
      () =>
        workbook(
          header + `<row><c t="s"><v>0</v></c><c><v>1</v></c></row>`.repeat(50_000),
          `<sst><si><t>${"k".repeat(1_000_000)}</t></si></sst>`,
        ),
      /row \d+: the cells up to it refer to more than \d+ characters/,
    ],
    [
      "16 million cells without content",
      () => workbook(header + `<row>${"<c/>".repeat(16_000)}</row>`.repeat(1000)),
      /unpacks to far more/,
    ],
    ["five million rows in one place", () => workbook(header + `<row r="3"/>`.repeat(5_000_000)), /comes after row 3/],
    [
      "five million rows without content",
      () => workbook(header + "<row/>".repeat(5_000_000)),
      /beyond the last row|unpacks to/,
    ],
    [
      "a cell of 100 MB",
      () => workbook(`${header}<row><c t="str"><v>${megabytes("x", 100)}</v></c></row>`),
      /row 2 is too long/,
    ],
    ["elements in elements", () => workbook("<a>".repeat(1_000_000)), /nest too deep/],
    [
      "a million attributes",
      () => workbook(`<a ${Array.from({ length: 1_000_000 }, (_, index) => `b${index}="" `).join("")}/>`),
      /too many attributes/,
    ],
    ["a name of 100 MB", () => workbook(`<${megabytes("x", 100)}/>`), /Max buffer length exceeded/],
    [
      "entities in entities",
      () => workbook(header, `<!DOCTYPE sst [<!ENTITY a "xx"><!ENTITY b "&a;&a;">]><sst><si><t>&b;</t></si></sst>`),
      /DOCTYPE/,
    ],
    [
      "a long string in every cell of a row",
      () =>
        workbook(
          `${header}<row>${`<c t="s"><v>0</v></c>`.repeat(10_000)}</row>`,
          `<sst><si><t>${"x".repeat(30_000)}</t></si></sst>`,
        ),
      /row 2 is too long/,
    ],
    [
      "a workbook of 100 MB",
      () =>
        zip(
          [...workbookParts(header), noise].map((part) =>
            part.name === "xl/workbook.xml" ? { ...part, bytes: Buffer.alloc(100 << 20, " "), size: 10 } : part,
          ),
        ),
      /workbook.xml has more than 16 MiB/,
    ],
  ])("rejects %s", async (_, bytes, reason) => {
    expect(await read("ledger", await file("bomb.xlsx", bytes()))).toMatchObject(rejected(reason))
  })
})

test.each([
  ["camt.053", '<Document xmlns="camt.053"><Stmt><Ntry><Amt>', /entry 1 \(line 1\): it is too long/],
  ["camt.053", '<Document xmlns="camt.053"><', /Max buffer length exceeded/],
  ["MT940", ":20:a\n:25:b\n:60F:C240930EUR0,\n:61:", /line 4 is too long/],
])("rejects a statement (%s) of 100 MB without an end", async (_, start, reason) => {
  expect(await read("ledger", await file("long.sta", start + "x".repeat(100 << 20)))).toMatchObject(rejected(reason))
})

const ofx = (transactions: string): string =>
  `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>USD${transactions}</STMTRS></OFX>\n`
const bai = (...records: ReadonlyArray<string>): string =>
  ["01,a,b,240930,0200,1,80,,2/", "02,a,b,1,240930,,USD,2/", "03,1,,010,0,,/", ...records].join("\n")

describe("rejects a statement whose sizes lie", () => {
  const million = 1_000_000
  test.each<[string, () => string, RegExp]>([
    ["OFX: an amount of a million digits", () => ofx(`<STMTTRN><TRNAMT>${"9".repeat(million)}</STMTTRN>`), /too long/],
    [
      "OFX: an amount of 60,000 digits",
      () => ofx(`<STMTTRN><TRNAMT>${"9".repeat(60_000)}<FITID>a</STMTTRN>`),
      /Not an amount/,
    ],
    ["OFX: a tag without an end, of 100 MB", () => ofx(`<${"x".repeat(100 * million)}`), /element is too long/],
    ["OFX: a text of 100 MB", () => ofx(`<STMTTRN><MEMO>${"x".repeat(100 * million)}`), /element is too long/],
    ["OFX: a million transactions in each other", () => ofx("<STMTTRN>".repeat(million)), /it has no end/],
    ["OFX: two million elements in each other", () => ofx("<A>".repeat(2 * million)), /no booked transaction/],
    [
      "OFX: a transaction of a million fields",
      () => ofx(`<STMTTRN>${Array.from({ length: million }, (_, at) => `<F${at}>${"x".repeat(90)}`).join("")}`),
      /it has no end/,
    ],
    [
      "BAI2: an amount of a million digits",
      () => bai(`16,165,${"9".repeat(million)},,B,a,x/`),
      /too long|Not an amount/,
    ],
    ["BAI2: an amount of 60,000 digits", () => bai(`16,165,${"9".repeat(60_000)},,B,a,x/`), /Not an amount/],
    ["BAI2: an amount that is an exponent", () => bai("16,165,1e308,,B,a,x/"), /Not an amount/],
    ["BAI2: continuations without an end", () => bai("16,165,5,,B,a,x", "88,x\n".repeat(5 * million)), /too long/],
    [
      "BAI2: empty continuations without an end",
      () => bai("16,165,5,,B,a,x", "88,/\n".repeat(5 * million)),
      /too long/,
    ],
    ["BAI2: a line of 100 MB", () => bai(`16,165,5,,B,a,${"x".repeat(100 * million)}`), /too long/],
    [
      "BAI2: 999 distributions that are not there",
      () => bai("16,165,5,D,999,1,2/", "49,5,3/", "98,5,1,5/", "99,5,1,7/"),
      /key|empty/,
    ],
    ["BAI2: a number of distributions that is none", () => bai("16,165,5,D,1e9,1,2/"), /Not a number of distributions/],
    [
      "BAI2: two million groups",
      () => bai("49,0,2/", "98,0,1,4/\n02,a,b,1,240930,,USD,2/\n".repeat(2 * million)),
      /complete|trailer/,
    ],
    [
      "BAI2: a count of records of 300 digits",
      () => bai("16,165,5,,B,a,x/", `49,5,${"9".repeat(300)}/`),
      /Is it complete/,
    ],
    ["BAI2: accounts in each other", () => bai("03,1,,010,0,,/\n".repeat(million)), /before the one above it ends/],
    [
      "BAI2: a currency that is a name of Object.prototype",
      () => bai("49,0,2/", "03,1,constructor,010,0,,/"),
      /none of ISO 4217/,
    ],
    [
      "BAI2: a group whose status is one",
      () => bai("49,0,2/", "98,0,1,4/", "02,a,b,constructor,240930,,USD,2/"),
      /it ends before its trailer/,
    ],
    ["BAI2: a type that is one", () => bai("16,valueOf,5,,B,a,x/"), /neither a credit nor a debit/],
  ])("%s", async (_, text, reason) => {
    expect(await read("ledger", await file("lies.sta", text()))).toMatchObject(rejected(reason))
  })
})
