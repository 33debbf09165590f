import { createHash } from "node:crypto"
import { describe, expect, test } from "vitest"
import * as LedgerText from "../src/ledgers/LedgerText.ts"

const bytes = (text: string, encoding: BufferEncoding = "latin1") => Buffer.from(text, encoding)

describe("foreignKind", () => {
  test.each<[string, Buffer, string]>([
    ["an old Excel workbook", bytes("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), ".xlsx"],
    ["a PDF", bytes("%PDF-1.7"), "CSV"],
    ["a PNG picture", bytes("\x89PNG\r\n\x1a\n"), "CSV"],
    ["a JPEG picture", bytes("\xff\xd8\xff\xe0"), "CSV"],
    ["gzip", bytes("\x1f\x8b\x08"), "gunzip"],
    ["Parquet", bytes("PAR1"), "--from"],
    ["a web page (HTML)", bytes("  <!DOCTYPE html><html>"), "CSV"],
    ["a web page (HTML)", bytes("<table><tr>"), "CSV"],
    ["a camt.052 or camt.054 report", bytes('<?xml version="1.0"?><Document xmlns="urn:camt.052.001.02">'), "camt.053"],
    ["XML", bytes('<?xml version="1.0"?><ledger/>'), "CSV"],
    ["JSON", bytes('{"id":"tr_1"}\n'), "--from"],
    ["JSON", bytes('[{"id":"tr_1"}]'), "--from"],
    ["JSON", bytes(' { "id": 1}'), "--from"],
    ["JSON", bytes("[ ]"), "--from"],
    ["a web page (HTML)", bytes("\n<HTML>"), "CSV"],
    ["a camt.052 or camt.054 report", bytes(' <Document\nxmlns="urn:camt.054.001.02">'), "camt.053"],
    ["XML", bytes("\xef\xbb\xbf\n <?xml?>"), "CSV"],
  ])("names %s, and what to do", (kind, head, advice) => {
    const found = LedgerText.foreignKind(head)
    expect(found).toContain(`it is ${kind}`)
    expect(found).toContain(advice)
  })

  test.each([
    bytes("external_id,amount\n"),
    bytes("\u00ef\u00bb\u00bfa;b"),
    bytes(""),
    bytes("sep=;\na;b"),
    bytes("[a],b\n"),
    bytes("a%PDF"),
    bytes("a,<?xml"),
    bytes("a,<html>"),
    bytes("a,camt.052"),
    bytes('a,{"b":1}'),
    bytes("{a},b\n"),
    bytes('a,[{"b":1}]'),
    bytes("<ht\u00ef\u00bb\u00bfml>,b\n"),
  ])("takes %s for a ledger", (head) => {
    expect(LedgerText.foreignKind(head)).toBeUndefined()
  })
})

describe("isBinary", () => {
  test.each([
    [createHash("shake256", { outputLength: 4096 }).update("random").digest(), true],
    [createHash("shake256", { outputLength: 64 }).update("random").digest(), true],
    [bytes("key,amount\r\n\ta\0b,1\f\n"), false],
    [bytes("K\xf6ln\x1b,\x9a\n".padEnd(40)), false],
    [bytes(""), false],
    [bytes("\x01".padEnd(32)), false],
    [bytes("\x01".padEnd(31)), true],
    [bytes("\x01\x1f".padEnd(32)), true],
    [bytes("\x20\x20\0\0\v\v"), false],
    [bytes(" ".repeat(1024) + "\x01".repeat(100)), false],
  ])("of %s is %s", (head, expected) => {
    expect(LedgerText.isBinary(head)).toBe(expected)
  })
})

describe("formatOf", () => {
  test.each<[Buffer, LedgerText.Format]>([
    [bytes("PK\x03\x04....xl/workbook.xml"), "xlsx"],
    [bytes("PK\x05\x06"), "xlsx"],
    [
      bytes('\ufeff<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">', "utf8"),
      "camt.053",
    ],
    [bytes("{1:F01BANKDEFFXXXX}{2:I940}"), "mt940"],
    [bytes("\r\n:20:STARTUMSE\r\n:25:10010010/1"), "mt940"],
    [bytes("ABNANL2A\r\n940\r\nABNANL2A\r\n:20:X"), "mt940"],
    [bytes("key,amount\n"), "csv"],
    [bytes(' <Document\nxmlns="camt.053">'), "camt.053"],
    [bytes("a,<camt.053"), "csv"],
    [bytes("ABNANL2AXXX\n940\nX"), "mt940"],
    [bytes("a,:20:\n"), "csv"],
    [bytes("x\nABNANL2A\n940\n"), "csv"],
    [bytes("ABNANL2A\n9401\n"), "csv"],
    [bytes("ABNANL2\n940\n"), "csv"],
    [bytes("xPK\x03\x04"), "csv"],
    [bytes("<html>"), "csv"],
    [bytes(""), "csv"],
  ])("of %s is %s", (head, format) => {
    expect(LedgerText.formatOf(head)).toBe(format)
  })
})

describe("markedEncoding", () => {
  test.each<[Buffer, string | undefined]>([
    [bytes("\xef\xbb\xbfa"), "utf-8"],
    [bytes("\ufeffa,b", "utf16le"), "utf-16le"],
    [bytes("\ufeffa,b", "utf16le").swap16(), "utf-16be"],
    [bytes("a,b\nc,d\n", "utf16le"), "utf-16le"],
    [bytes("a,b\nc,d\n", "utf16le").swap16(), "utf-16be"],
    [bytes("a,b\n"), undefined],
    [bytes("K\xf6ln"), undefined],
    [bytes("\xef\xbba"), undefined],
    [bytes("\xefa\xbf"), undefined],
    [bytes("a\xbb\xbf"), undefined],
    [bytes("\xffa,b"), undefined],
    [bytes("a\xfe,b"), undefined],
    [bytes("\xfea,b"), undefined],
    [bytes("a\xff,b"), undefined],
    [bytes("\0abc"), undefined],
    [bytes("\0\0\0a"), undefined],
    [bytes("\0\0a\0"), undefined],
    [bytes("ab\0c"), undefined],
    [bytes("a\0bc"), undefined],
    [bytes("abc\0"), undefined],
    [bytes(""), undefined],
  ])("of %s is %s", (head, encoding) => {
    expect(LedgerText.markedEncoding(head)).toBe(encoding)
  })
})

test("separatorOf reads the line by which a file tells Excel its delimiter", () => {
  expect(LedgerText.separatorOf("sep=;\r\na;b")).toEqual({ delimiter: ";", rest: "a;b" })
  expect(LedgerText.separatorOf("SEP=\t\na\tb")).toEqual({ delimiter: "\t", rest: "a\tb" })
  expect(LedgerText.separatorOf('"sep=,"\na')).toEqual({ delimiter: ",", rest: "a" })
  expect(LedgerText.separatorOf("sep=|\ra")).toEqual({ delimiter: "|", rest: "a" })
  for (const none of ["separate,b\n", "sep=\n", "sep=;;\n", "xsep=;\n", "sep=;"]) {
    expect(LedgerText.separatorOf(none)).toBeUndefined()
  }
})

test("likelyDelimiter takes the most frequent one of the header, outside quotes, and none if two are", () => {
  expect(LedgerText.likelyDelimiter('key;"a, b, c";amount\n1,1,1,1')).toBe(";")
  expect(LedgerText.likelyDelimiter("key\n")).toBe(",")
  expect(LedgerText.likelyDelimiter("a,b;c\n")).toBeUndefined()
})

test.each([
  ["a\tb\tc;d\n", "\t"],
  ["a|b\r;;;;", "|"],
  ["a|b\n;;;;", "|"],
  ['"a;b";"c;d",e,f\n', ","],
  ["a,b,c;d|e\n", ","],
])("likelyDelimiter of %j is %j", (header, delimiter) => {
  expect(LedgerText.likelyDelimiter(header)).toBe(delimiter)
})
