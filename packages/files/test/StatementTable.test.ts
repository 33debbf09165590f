/** Bank statements, written by hand after ISO 20022 and the SWIFT user handbook. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as LedgerFile from "../src/node/LedgerFile.ts"

const fixtures = join(import.meta.dirname, "fixtures/ledgers")
let folder: string
let camt: string
let mt940: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-statement-"))
  camt = await readFile(join(fixtures, "september.camt053.xml"), "utf8")
  mt940 = await readFile(join(fixtures, "september.sta"), "latin1")
})
afterAll(() => rm(folder, { recursive: true }))

const read = async (text: string, options: Partial<LedgerFile.LedgerFileOptions> = {}) => {
  const path = join(folder, "statement")
  await writeFile(path, text, "latin1")
  const result = await Effect.runPromise(Effect.result(LedgerFile.read(path, { ...LedgerFile.detectAll, ...options })))
  if (Result.isFailure(result)) return { reason: result.failure.reason }
  const { entries, reading } = result.success
  return { rows: entries.map(({ key, amount, reference, date }) => [reference, key, String(amount), date]), reading }
}

const dated = { columns: { date: "BookgDt" } }

describe("camt.053", () => {
  test("is read as its booked transactions, a debit negative, a batch by its transactions", async () => {
    const { rows, reading } = await read(camt, dated)
    expect(rows).toEqual([
      ["entry 1 (line 10)", "order-1", "941.13 fiat/EUR", "2024-09-30"],
      ["entry 2.1 (line 30)", "order-2", "-34.48 fiat/EUR", "2024-09-30"],
      ["entry 2.2 (line 31)", "", "-28.49 fiat/EUR", "2024-09-30"],
    ])
    expect(reading).toMatchObject({ format: "camt.053", encoding: "utf-8", rows: 3, pending: 1 })
    expect(reading?.columns).toEqual({ key: "EndToEndId", amount: "Amt", currency: "Ccy", date: "BookgDt" })
  })

  test.each(["Z", "+02:00", "-14:00"])("a day of the zone %s is the day that it shows", async (zone) => {
    const { rows } = await read(camt.replaceAll(/(?<=<Dt>)[-0-9]+(?=<)/g, `$&${zone}`), dated)
    expect(rows?.map(([, , , date]) => date)).toEqual(["2024-09-30", "2024-09-30", "2024-09-30"])
  })

  test.each(["+2:00", "+14:01", "+25:00", "z", " +02:00"])("a day of the zone %j is none", async (zone) => {
    const { reason } = await read(camt.replaceAll(/(?<=<Dt>)[-0-9]+(?=<)/g, `$&${zone}`), dated)
    expect(reason).toContain("Not a date")
  })

  test.each(["utf-16le", "utf-16be"])("is read in %s, by its byte order mark", async (encoding) => {
    const [utf8] = [await read(camt, dated)]
    const text = camt.replace("UTF-8", "UTF-16").replaceAll("order-1", "ordré-1")
    const bytes = Buffer.from(`\ufeff${text}`, "utf16le")
    const found = await read((encoding === "utf-16le" ? bytes : bytes.swap16()).toString("latin1"), dated)
    expect(found.reading).toMatchObject({ format: "camt.053", encoding })
    expect(found.rows).toEqual(JSON.parse(JSON.stringify(utf8.rows).replaceAll("order-1", "ordré-1")))
  })

  test("that says UTF-16 and is not is rejected", async () => {
    expect(await read(camt.replace("UTF-8", "utf-16"))).toEqual({
      reason: "its first line says utf-16, which it is not: write UTF-8 there if it is that, or export it again",
    })
  })

  test("counts the statements that lack what shows whether they are complete", async () => {
    expect((await read(camt)).reading?.unbalanced).toBeUndefined()
    for (const [part, other] of [
      ["CLBD", "CLAV"],
      ["OPBD", "OPAV"],
      ["IBAN", "Unknown"],
    ] as const) {
      const { rows, reading } = await read(camt.replaceAll(part, other))
      expect([rows?.length, reading?.unbalanced]).toEqual([3, 1])
    }
    const [one = ""] = /<Stmt>[^]*<\/Stmt>/.exec(camt) ?? []
    const without = one.replace("CLBD", "CLAV")
    expect((await read(camt.replace(one, `${without}${one}${without}`))).reading?.unbalanced).toBe(2)
  })

  test.each([
    ["TxId", ["T-1", "", ""]],
    ["acctsvcrref", ["BANK-1", "", ""]],
    ["NtryRef", ["N-1", "", ""]],
    ["Ustrd", ["Order & payment September", "", ""]],
  ])("takes %s for the key if an option says so", async (key, keys) => {
    expect((await read(camt, { columns: { key } })).rows?.map(([, name]) => name)).toEqual(keys)
  })

  test("is read with prefixes, a status of newer versions and its own encoding", async () => {
    const text = camt
      .replaceAll(/<(\/?)([A-Z])/g, "<$1ns2:$2")
      .replaceAll(/(<ns2:Sts>)(\w+)(<\/ns2:Sts>)/g, "$1<ns2:Cd>$2</ns2:Cd>$3")
      .replace("order-1", "b\u00fcro-1")
    for (const encoding of ['encoding="ISO-8859-1"', "encoding = 'ISO-8859-1'", 'encoding\n=\t"iso-8859-1"']) {
      const { rows, reading } = await read(text.replace('encoding="UTF-8"', encoding))
      expect(rows?.map(([, key]) => key)).toEqual(["b\u00fcro-1", "order-2", ""])
      expect(reading?.encoding).toBe("iso-8859-1")
    }
  })

  test.each([
    ["T24:00:00", "2024-10-01"],
    ["T24:00:00.000+02:00", "2024-09-30"],
    ["T24:00:00Z", "2024-10-01"],
    ["T23:59:59", "2024-09-30"],
  ])("has an entry that was booked at 2024-09-30%s on %s", async (time, date) => {
    const text = camt.replace(/<BookgDt>.*?<\/BookgDt>/, `<BookgDt><DtTm>2024-09-30${time}</DtTm></BookgDt>`)
    expect((await read(text, dated)).rows?.[0]?.at(-1)).toBe(date)
  })

  test("is read with blanks around its values", async () => {
    expect((await read(camt.replace(">941.13<", "> 941.13 <"), dated)).rows?.[0]?.[2]).toBe("941.13 fiat/EUR")
  })

  test("that is one page of several is rejected", async () => {
    const part = camt.replace("<Acct>", "<StmtPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></StmtPgntn><Acct>")
    expect((await read(part)).reason).toContain("statement 1: page 1 is not its last")
  })

  test.each<[string, string, string, string]>([
    [
      "a balance that does not fit",
      "1878.16",
      "1878.17",
      "statement 1: its entries add up to 878.16, but its balances differ by 878.17",
    ],
    [
      "transactions that do not add up",
      ">34.48<",
      ">34.47<",
      "entry 2 (line 24): its transactions add up to -62.96, and not to its -62.97",
    ],
    [
      "no amount of a transaction",
      '<AmtDtls><TxAmt><Amt Ccy="EUR">34.48</Amt></TxAmt></AmtDtls>',
      "",
      "entry 2 (line 24): its transaction 1 (line 30) has no amount",
    ],
    [
      "another currency in a transaction",
      '<TxAmt><Amt Ccy="EUR">34.48',
      '<TxAmt><Amt Ccy="USD">34.48',
      "its transaction 1 (line 30) is in another currency",
    ],
    ["an exponent", ">62.97<", ">6.297e1<", 'entry 2 (line 24): Not an amount: "6.297e1"'],
    ["a sign in the amount", ">62.97<", ">-62.97<", "entry 2 (line 24): Not an amount"],
    ["no side", "<CdtDbtInd>DBIT</CdtDbtInd>", "", "entry 2 (line 24): it is neither a credit nor a debit"],
    ["no status", "<Sts>PDNG</Sts>", "", "entry 3 (line 34): it has no status"],
    ["no currency", '<Amt Ccy="EUR">62.97', "<Amt>62.97", "entry 2 (line 24): its amount has no currency"],
    ["a DOCTYPE", "<Document", "<!DOCTYPE a><Document", "line 2: it has a DOCTYPE"],
    ["a tag that is never closed", "</BkToCstmrStmt>", "", "it is not well-formed XML"],
    ["bytes of another encoding", "order-1", "b\u00fcro", "not valid"],
  ])("with %s is rejected", async (_, from, to, reason) => {
    expect(camt).toContain(from)
    expect((await read(camt.replace(from, to))).reason).toContain(reason)
  })

  test("without an EndToEndId asks for the key", async () => {
    const reason = expect.stringContaining("no transaction has an EndToEndId. Name the reference that is the key")
    const bare = camt.replaceAll(/<EndToEndId>.*?<\/EndToEndId>/g, "")
    expect(await read(bare)).toEqual({ reason })
    expect((await read(bare, { columns: { key: "EndToEndId" } })).rows).toHaveLength(3)
  })

  test("without a statement is rejected", async () => {
    expect((await read(camt.replace(/<Stmt>[^]*<\/Stmt>/, ""))).reason).toContain("it has no statement")
  })

  test("with an entry of more than a megabyte is rejected", async () => {
    const { reason } = await read(camt.replace("<Ustrd>", `<Ustrd>${"x".repeat(1 << 20)}`))
    expect(reason).toMatch(/entry \d+([.]\d+)? [(]line \d+[)]: it is too long/)
  })

  test("without a booked transaction says so", async () => {
    const { reason } = await read(camt.replaceAll("BOOK", "PDNG").replace("1878.16", "1000"))
    expect(reason).toContain("it has no booked transaction")
  })
})

describe("MT940", () => {
  test("is read with reversals, references of German and Dutch banks, and days of booking near a new year", async () => {
    const { rows, reading } = await read(mt940, dated)
    expect(rows).toEqual([
      ["entry 1 (line 6)", "order-1", "941.13 fiat/EUR", "2024-09-30"],
      ["entry 2 (line 9)", "order-2", "-34.48 fiat/EUR", "2024-09-30"],
      ["entry 3 (line 11)", "", "28 fiat/EUR", "2024-09-30"],
      ["entry 4 (line 13)", "", "-5.5 fiat/EUR", "2024-09-30"],
    ])
    expect(reading).toMatchObject({ format: "mt940", encoding: "windows-1252", rows: 4 })
  })

  test.each([
    ["NtryRef", ["", "REF/2", "charge", ""]],
    ["AcctSvcrRef", ["BANK-1", "", "", ""]],
    ["Ustrd", ["Zahlung f\u00fcr September", "September order", "", ""]],
  ])("takes %s for the key if an option says so", async (key, keys) => {
    expect((await read(mt940, { columns: { key } })).rows?.map(([, name]) => name)).toEqual(keys)
  })

  test("of several messages is read whole", async () => {
    const next = mt940.replace("EUR1929,15", "EUR2858,30").replace("EUR1000,00", "EUR1929,15")
    expect((await read(`${mt940}${next}`)).rows).toHaveLength(8)
    expect((await read(`${mt940}${mt940}`)).reason).toMatch(/^line \d+: it opens with 1000, but/)
  })

  test.each<[string, string, string, string]>([
    [
      "a balance that does not fit",
      ":62F:C240930EUR1929,15",
      ":62F:C240930EUR1929,14",
      "line 14: its entries add up to 929.15, but its balances differ by 929.14",
    ],
    [
      "an amount without a comma",
      "941,13",
      "94113",
      'entry 1 (line 6): Not an entry of MT940: "2410010930CR94113N051NONREF//BANK-1"',
    ],
    ["an opening balance that is none", "EUR1000,00", "1000,00", "line 5: Not a balance (:60F:)"],
    ["no opening balance", ":60F:", ":65:", "entry 1 (line 6): no opening balance"],
    ["no closing balance", ":62F:", ":65:", "it ends before a closing balance (:62F:)"],
    ["two currencies", ":62F:C240930EUR", ":62F:C240930USD", "line 14: its balances have two currencies"],
  ])("with %s is rejected", async (_, from, to, reason) => {
    expect(mt940).toContain(from)
    expect((await read(mt940.replace(from, to))).reason).toContain(reason)
  })

  test.each([
    ["free text that begins with a number", "12 monthly fee", "12 monthly fee"],
    ["free text that begins like a subfield", "20EREF monthly fee", "20EREF monthly fee"],
    ["free text with a question", "Is it 20 or 60?21 is right", "Is it 20 or 60?21 is right"],
    ["subfields behind a code", "166?00FEE?20SVWZ+monthly?21 fee?30BANKDEFF?60, net", "monthly fee, net"],
    ["subfields without a code", "?20monthly?21 fee?32ACME", "monthly fee"],
    ["subfields behind a code that begins like one", "201?00FEE?20monthly fee", "monthly fee"],
    ["subfields of which none is a purpose", "166?00FEE?32ACME", "166?00FEE?32ACME"],
  ])("reads the field 86 as %s", async (_, field, text) => {
    const { rows } = await read(mt940.replace(/charge\/\/\s+back/, `charge\n:86:${field}`), {
      columns: { key: "Ustrd" },
    })
    expect(rows?.[2]).toEqual(["entry 3 (line 11)", text, "28 fiat/EUR", undefined])
  })

  test("has no totals: its balances prove that each entry is a booking", async () => {
    const entry = (amount: string, text: string) => [`:61:240930C${amount},NTRF`, `:86:${text}`]
    const lines = [
      ":20:S",
      ":25:DE02/123",
      ":60F:C240901EUR1000,",
      ...entry("100", "/EREF/order-1"),
      ...entry("200", "/EREF/order-2"),
      ...entry("300", "/NAME/TOTAL ENERGIES/REMI/Total of invoice 7"),
      ...entry("600", "/EREF/order-3"),
      ":62F:C240930EUR2200,",
    ]
    const { rows, reading } = await read(lines.join("\n"))
    expect(rows?.map(([, key]) => key)).toEqual(["order-1", "order-2", "", "order-3"])
    expect(reading).not.toHaveProperty("left_out")
    expect(reading).not.toHaveProperty("sums")
  })

  test("without an EndToEndId asks for the key", async () => {
    const bare = mt940.replace("EREF+", "XREF+").replace("/EREF/", "/XREF/")
    expect((await read(bare)).reason).toContain("no transaction has an EndToEndId")
  })
})
