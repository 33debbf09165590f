/** OFX statements, written by hand after descriptions of the format. */
import { afterAll, describe, expect, test } from "vitest"
import * as Ledgers from "./Ledgers.ts"

const { read, remove } = Ledgers.folder()
afterAll(remove)

const sgml = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD
<BANKTRANLIST><DTSTART>20240901<DTEND>20240930
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20240930120000.000[-5:EST]<TRNAMT>941.13<FITID>F-1<REFNUM>order-1<NAME>Acme &amp; Sons<MEMO>September</STMTTRN>
<STMTTRN>
<TRNTYPE>DEBIT
<DTPOSTED>20240929
<TRNAMT>-28.49
<FITID>F-2
<CHECKNUM>1007
</STMTTRN>
</BANKTRANLIST><LEDGERBAL><BALAMT>912.64<DTASOF>20240930</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
`

const xml = `<?xml version="1.0" encoding="UTF-8"?>
<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>
<OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>EUR</CURDEF><BANKTRANLIST>
<STMTTRN><TRNTYPE>OTHER</TRNTYPE><DTPOSTED>20240901</DTPOSTED><TRNAMT>-5,25</TRNAMT><FITID>1</FITID><REFNUM>a</REFNUM></STMTTRN>
<STMTTRN><TRNTYPE>OTHER</TRNTYPE><DTPOSTED>20240902</DTPOSTED><TRNAMT>+07.</TRNAMT><FITID>2</FITID><REFNUM>b</REFNUM>
<CURRENCY><CURRATE>1.1</CURRATE><CURSYM>USD</CURSYM></CURRENCY></STMTTRN>
<STMTTRN><TRNTYPE>OTHER</TRNTYPE><DTPOSTED>20240903</DTPOSTED><TRNAMT>.5</TRNAMT><FITID>3</FITID><REFNUM>c</REFNUM>
<ORIGCURRENCY><CURRATE>1.1</CURRATE><CURSYM>USD</CURSYM></ORIGCURRENCY></STMTTRN>
<STMTTRNP><TRNAMT>9</TRNAMT></STMTTRNP>
</BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>
`

const columns = { key: "NtryRef", date: "BookgDt" }

describe("OFX", () => {
  test.each<[string, string, string, string]>([
    [
      "two amounts",
      "<FITID>F-1",
      "<TRNAMT>5.00<FITID>F-1",
      "entry 1 (line 10): it has two of TRNAMT. Export the statement again",
    ],
    ["an amount in a payer's text", "Acme &amp; Sons", "Acme <TRNAMT>5.00", "entry 1 (line 10): it has two of TRNAMT"],
    ["two references", "<REFNUM>order-1", "<REFNUM>order-1<REFNUM>order-2", "entry 1 (line 10): it has two of REFNUM"],
    ["two currencies", "<CURDEF>USD", "<CURDEF>USD<CURDEF>EUR", "line 8: its statement has two currencies (CURDEF)"],
    [
      "the status of an error",
      "<STMTRS>",
      "<STATUS><CODE>2000<SEVERITY>ERROR</STATUS><STMTRS>",
      "line 8: the bank answered with the error 2000 (STATUS)",
    ],
  ])("with %s is rejected", async (_, from, to, reason) => {
    expect(sgml).toContain(from)
    expect((await read(sgml.replace(from, to), { columns })).reason).toContain(reason)
  })

  test("with the status of a success is read, and with two texts", async () => {
    const text = sgml
      .replace("<STMTRS>", "<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS>")
      .replace("<MEMO>", "<MEMO>a<MEMO>")
    expect((await read(text, { columns })).rows).toHaveLength(2)
  })

  test("as SGML is read with the customer's sign, and the day of the bank", async () => {
    const found = await read(sgml, { columns })
    expect(found.rows).toEqual([
      "entry 1 (line 10) | order-1 | 941.13 fiat/USD | 2024-09-30",
      "entry 2 (line 11) | 1007 | -28.49 fiat/USD | 2024-09-29",
    ])
    expect(found.reading).toMatchObject({ format: "ofx", encoding: "utf-8", rows: 2 })
  })

  test.each([
    ["20240930240000[-5:EST]", "2024-10-01"],
    ["202409302400", "2024-10-01"],
    ["20240930235959.999[-5:EST]", "2024-09-30"],
    ["20240930000000", "2024-09-30"],
  ])("reads %s as %s", async (time, date) => {
    const { rows } = await read(sgml.replace("20240930120000.000[-5:EST]", time), { columns })
    expect(rows?.[0]?.split(" | ").at(-1)).toBe(date)
  })

  test.each(["20240930250000", "20240930126000", "20240930240001"])("rejects the time %s", async (time) => {
    const { reason } = await read(sgml.replace("20240930120000.000[-5:EST]", time), { columns })
    expect(reason).toContain(`entry 1 (line 10): Not a time of OFX: "${time}" (DTPOSTED)`)
  })

  test("has the number of a check if its reference is empty", async () => {
    const { rows } = await read(sgml.replace("<CHECKNUM>1007", "<REFNUM><CHECKNUM>1007"), { columns })
    expect(rows?.[1]).toContain("| 1007 |")
  })

  test("rejects a transaction that is there twice, by its account, FITID, amount and day", async () => {
    const [, first = ""] = /(<STMTTRN>.*?<\/STMTTRN>)/.exec(sgml) ?? []
    const withMore = (more: string) => sgml.replace("</BANKTRANLIST>", `${more}\n</BANKTRANLIST>`)
    expect((await read(withMore(first), { columns })).reason).toBe(
      "entry 3 (line 18): it is entry 1 (line 10) again, by its FITID, amount and day. Export the statement again",
    )
    for (const other of [
      first.replace("941.13", "1.13"),
      first.replace("20240930", "20240929"),
      first.replace("F-1", ""),
    ]) {
      expect((await read(withMore(other), { columns })).rows).toHaveLength(3)
    }
    const own = (account: string) => `<STMTRS><CURDEF>USD<ACCTID>${account}\n${first}</STMTRS>`
    expect((await read(`<OFX>${own("1")}${own("2")}</OFX>`, { columns })).rows).toHaveLength(2)
  })

  test("of securities has bank transactions alone, or is rejected", async () => {
    const [, first = ""] = /(<STMTTRN>.*?<\/STMTTRN>)/.exec(sgml) ?? []
    const bank = `<OFX><INVSTMTRS><CURDEF>EUR<INVTRANLIST>\n<INVBANKTRAN>${first}</INVBANKTRAN>`
    const end = "</INVTRANLIST></INVSTMTRS></OFX>"
    expect((await read(`${bank}${end}`, { columns })).rows).toHaveLength(1)
    const trade = "\n<INCOME><INVTRAN><FITID>F3<DTTRADE>20240912</INVTRAN><TOTAL>5.00</INCOME>"
    expect((await read(`${bank}${trade}${end}`, { columns })).reason).toBe(
      "line 3: it has a trade of securities (INVTRAN), which is no transaction of a bank. Export the statement of the cash account",
    )
  })

  test("has no transaction in a comment, and texts in CDATA or by number, in chunks of any size", async () => {
    const hidden = "<STMTTRN><TRNTYPE>OTHER</TRNTYPE><TRNAMT>9</TRNAMT></STMTTRN>"
    const written = xml
      .replace("<BANKTRANLIST>", `<BANKTRANLIST><!-- ${hidden}\n -->`)
      .replace("<REFNUM>a<", "<REFNUM><![CDATA[order<1>&amp;]]><")
      .replace("<REFNUM>b<", "<REFNUM>order&#45;&#x32;<")
    const { rows } = await read(written, { columns })
    expect(rows?.map((row) => row.split(" | ").slice(0, 2))).toEqual([
      ["entry 1 (line 5)", "order<1>&amp;"],
      ["entry 2 (line 6)", "order-2"],
      ["entry 3 (line 8)", "c"],
    ])
    expect((await read(xml.replace("<STMTTRN>", "<!-- <STMTTRN>"), { columns })).reason).toContain(
      "it ends within its <!--",
    )
    const long = `<!--${"x".repeat(1024 * 1024)}-->`
    expect((await read(xml.replace("<STMTTRN>", `${long}<STMTTRN>`), { columns })).reason).toContain(
      "its <!-- is too long",
    )
  })

  test("as XML is read with a comma, the currency of a transaction, and without the pending ones", async () => {
    const found = await read(xml, { columns })
    expect(found.rows).toEqual([
      "entry 1 (line 4) | a | -5.25 fiat/EUR | 2024-09-01",
      "entry 2 (line 5) | b | 7 fiat/USD | 2024-09-02",
      "entry 3 (line 7) | c | 0.5 fiat/EUR | 2024-09-03",
    ])
    expect(found.reading).toMatchObject({ pending: 1 })
  })

  test("takes another reference for the key if asked to, and asks if none is named", async () => {
    const keys = async (key: string) => (await read(sgml, { columns: { key } })).rows?.map((row) => row.split(" | ")[1])
    expect(await keys("AcctSvcrRef")).toEqual(["F-1", "F-2"])
    expect(await keys("Ustrd")).toEqual(["Acme & Sons September", ""])
    expect((await read(sgml)).reason).toContain("no transaction has an EndToEndId")
  })

  test("is read alike in chunks of any size", async () => {
    const found = await read(sgml.replace("September", "x".repeat(60_000)), { columns })
    expect(found.rows).toHaveLength(2)
  })

  test.each<[string, string, string, string]>([
    ["an amount with a group", "941.13", "1,941.13", 'entry 1 (line 10): Not an amount of OFX: "1,941.13"'],
    ["an amount that may have a group", "941.13", "1,941", 'Not an amount of OFX: "1,941"'],
    ["no amount", "<TRNAMT>941.13", "", 'Not an amount of OFX: ""'],
    ["a debit without its sign", "-28.49", "28.49", "entry 2 (line 11): it is a DEBIT of 28.49"],
    ["a credit with a sign", ">941.13", ">-941.13", "it is a CREDIT of -941.13"],
    ["a correction", "<NAME>", "<CORRECTFITID>F-0<NAME>", "it corrects an earlier transaction"],
    ["no currency", "<CURDEF>USD", "", 'its currency "" is none of ISO 4217 (CURDEF)'],
    ["a transaction without an end", "</STMTTRN>\n<STMTTRN>", "\n<STMTTRN>", "entry 1 (line 10): it has no end"],
    ["no statement", "STMTRS>", "OTHER>", "it has no statement (STMTRS or CCSTMTRS)"],
    ["an endless element", "September", "x".repeat(70_000), "its element is too long"],
  ])("with %s is rejected", async (_, from, to, reason) => {
    expect(sgml).toContain(from)
    expect((await read(sgml.replaceAll(from, to), { columns })).reason).toContain(reason)
  })

  test.each([
    ["before a transaction", sgml.lastIndexOf("<STMTTRN>")],
    ["in the tag of a transaction", sgml.lastIndexOf("<STMTTRN>") + 5],
    ["behind the last transaction", sgml.indexOf("</BANKTRANLIST>")],
    ["in its last tag", sgml.lastIndexOf(">")],
  ])("that ends %s is rejected", async (_, end) => {
    const { reason } = await read(sgml.slice(0, end), { columns })
    expect(reason).toContain("it has no end (</OFX>). Is the statement complete?")
  })

  test("that ends in a transaction is rejected", async () => {
    const { reason } = await read(sgml.slice(0, sgml.indexOf("<CHECKNUM>")), { columns })
    expect(reason).toContain("entry 2 (line 11): it has no end (</STMTTRN>). Is the statement complete?")
  })
})

test("QIF is named, and what to export instead", async () => {
  expect((await read("!Type:Bank\nD9/30/2024\nT1.00\n^\n")).reason).toBe(
    "it is QIF, which has no currency and ambiguous dates, not CSV. Export the ledger as CSV or OFX instead.",
  )
})
