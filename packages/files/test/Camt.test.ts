/** Entries of camt.053 that banks write in several ways. */
import { describe, expect, test } from "vitest"
import * as Camt from "../src/statements/Camt.ts"
import * as Statement from "../src/statements/Statement.ts"

const read = async (text: string) => {
  let pending = 0
  const rows: Array<Readonly<Record<string, string>>> = []
  const chunks = (async function* () {
    yield text
  })()
  try {
    for await (const batch of Camt.rowsOf(chunks, () => pending++)) {
      for (const { place, cells } of batch) {
        if (cells === Statement.header.cells) continue
        const named = Statement.columns.map((column, index) => [column, cells[index]] as const)
        rows.push(
          Object.fromEntries([["place", place], ...named.flatMap(([name, cell]) => (cell ? [[name, cell]] : []))]),
        )
      }
    }
    return { rows, pending }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : "" }
  }
}

const statement = (...parts: ReadonlyArray<string>) => `<Stmt>${parts.join("\n")}</Stmt>`
const balance = (kind: string, amount: string, side = "CRDT") =>
  `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd></Bal>`
const entry = (amount: string, more = "", side = "CRDT") =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts>BOOK</Sts>${more}</Ntry>`
const transaction = (amount: string, more = "") =>
  `<TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls>${more}</TxDtls>`

describe("an entry", () => {
  test("without transactions is a row of its own references", async () => {
    const more =
      "<NtryRef>N</NtryRef><AcctSvcrRef>B</AcctSvcrRef><BookgDt><Dt>2024-09-30</Dt></BookgDt><ValDt><DtTm>2024-10-01T00:00:00Z</DtTm></ValDt>"
    expect(await read(statement(entry("5.00", more)))).toEqual({
      rows: [
        {
          place: "entry 1 (line 1)",
          Amt: "5.00",
          Ccy: "EUR",
          BookgDt: "2024-09-30",
          ValDt: "2024-10-01T00:00:00Z",
          AcctSvcrRef: "B",
          NtryRef: "N",
        },
      ],
      pending: 0,
    })
  })

  test("with one transaction is a row of the references of both, the transaction's first", async () => {
    const refs =
      "<Refs><EndToEndId>E</EndToEndId><InstrId>I</InstrId><TxId>T</TxId><AcctSvcrRef>A</AcctSvcrRef></Refs>" +
      "<RmtInf><Strd><CdtrRefInf><Ref>R</Ref></CdtrRefInf></Strd><Ustrd>one</Ustrd><Ustrd>two</Ustrd></RmtInf>"
    const { rows } = await read(statement(entry("5", `<AcctSvcrRef>B</AcctSvcrRef>${transaction("4", refs)}`, "DBIT")))
    expect(rows).toEqual([
      {
        place: "entry 1 (line 1)",
        EndToEndId: "E",
        Amt: "-5",
        Ccy: "EUR",
        InstrId: "I",
        TxId: "T",
        AcctSvcrRef: "A",
        CdtrRef: "R",
        Ustrd: "one two",
      },
    ])
  })

  test("of a batch may have a transaction of the other side, and amounts of its own", async () => {
    const reversal = transaction("1", "<CdtDbtInd>DBIT</CdtDbtInd>")
    const own = `<TxDtls><Amt Ccy="EUR">2</Amt><AmtDtls><TxAmt><Amt Ccy="USD">9</Amt></TxAmt></AmtDtls></TxDtls>`
    const { rows } = await read(statement(entry("5", `\n${transaction("4")}\n${reversal}\n${own}`), entry("1")))
    expect(rows?.map(({ place, Amt, Ccy }) => [place, Amt, Ccy])).toEqual([
      ["entry 1.1 (line 2)", "4", "EUR"],
      ["entry 1.2 (line 3)", "-1", "EUR"],
      ["entry 1.3 (line 4)", "2", "EUR"],
      ["entry 2 (line 5)", "1", "EUR"],
    ])
  })

  test("that is not booked has no row, whatever else it has", async () => {
    const text = statement("<Ntry><Sts>PDNG</Sts></Ntry>", "<Ntry><Sts><Cd>INFO</Cd></Sts></Ntry>", entry("5"))
    expect(await read(text)).toMatchObject({ pending: 2, rows: [{ place: "entry 3 (line 3)" }] })
  })

  test("has blanks around its values", async () => {
    const blank = entry(" 5\n", "", "\tDBIT ").replace("BOOK", " BOOK ")
    expect(await read(statement(blank))).toMatchObject({ rows: [{ Amt: "-5" }] })
    const part = transaction(" 5 ", "<CdtDbtInd> CRDT </CdtDbtInd>")
    expect(await read(statement(entry("10", part + part)))).toMatchObject({ rows: [{ Amt: "5" }, { Amt: "5" }] })
  })

  test.each<[string, string, string]>([
    ["no amount", "<Ntry><Sts>BOOK</Sts></Ntry>", "entry 1 (line 1): it has no amount (Amt)"],
    ["an amount that is none", entry("1,5"), 'entry 1 (line 1): Not an amount: "1,5"'],
    ["a long text for an amount", entry("x".repeat(100)), `Not an amount: "${"x".repeat(64)}"`],
    ["another side", entry("5", "", "BOTH"), "entry 1 (line 1): it is neither a credit nor a debit (CdtDbtInd)"],
    [
      "a transaction whose amount is none",
      entry("5", transaction("5") + transaction("x")),
      'entry 1 (line 1): its transaction 2 (line 1): Not an amount: "x"',
    ],
  ])("with %s is rejected", async (_, text, reason) => {
    expect((await read(statement(text))).reason).toContain(reason)
  })

  test("has at most a megabyte of text, blanks between elements not counted", async () => {
    // The amount, its side and its status take 9 characters.
    const long = (length: number) => entry("5", `${" ".repeat(100)}<X>${"x".repeat(length)}</X>`)
    const most = 1024 * 1024 - 9
    expect((await read(statement(long(most), long(most)))).rows).toHaveLength(2)
    expect((await read(statement(long(most), long(most + 1)))).reason).toBe("entry 2 (line 2): it is too long")
  })
})

describe("balances", () => {
  const [opening, closing] = [balance("OPBD", "1.00"), balance("CLBD", "5.50", "DBIT")]
  const reason = "statement 1: its entries add up to -6, but its balances differ by -6.5. Is the statement complete?"

  test("of credit and debit lead from one to the other", async () => {
    expect(await read(statement(opening, closing, entry("6.50", "", "DBIT")))).toMatchObject({
      rows: [{ Amt: "-6.50" }],
    })
    expect(await read(statement(opening, closing, entry("6", "", "DBIT")))).toEqual({ reason })
  })

  test.each<[string, string]>([
    ["PRCD for the opening one", balance("PRCD", "1.00") + closing],
    ["OPBD rather than PRCD", balance("PRCD", "9") + opening + closing],
    ["the only page", `<PgNb>1</PgNb><LastPgInd>true</LastPgInd>${opening}${closing}`],
    ["blanks", opening.replace("1.00", " 1.00 ") + closing.replace("DBIT", " DBIT ")],
    ["others, too", opening + closing + balance("CLAV", "7") + balance("XPCD", "8")],
  ])("are checked with %s", async (_, balances) => {
    expect(await read(statement(balances, entry("6", "", "DBIT")))).toEqual({ reason })
  })

  test.each<[string, string]>([
    ["without an opening one", closing],
    ["without a closing one", opening],
    ["of the first page of several", `<LastPgInd> false </LastPgInd>${opening}${closing}`],
    ["of the last page of several", `<PgNb> 2 </PgNb><LastPgInd>true</LastPgInd>${opening}${closing}`],
    ["with an amount that is none", opening + closing.replace("5.50", "much")],
    ["without an amount", opening + closing.replace("5.50", "")],
    ["without a kind", opening.replace("OPBD", "") + closing],
  ])("are not checked %s", async (_, balances) => {
    expect((await read(statement(balances, entry("6", "", "DBIT")))).rows).toHaveLength(1)
  })

  test("are those of their own statement", async () => {
    const first = statement(opening, balance("CLBD", "3"), entry("2"))
    const page = statement("<PgNb>2</PgNb>", opening, closing, entry("1"))
    expect((await read(`<a>${first}${statement(opening, entry("9"))}${first}</a>`)).rows).toHaveLength(3)
    expect(await read(`<a>${first}${page}${statement(opening, closing, entry("6", "", "DBIT"))}</a>`)).toEqual({
      reason: reason.replace("statement 1", "statement 3"),
    })
  })
})

test("a document without a statement is rejected", async () => {
  expect(await read("<Document/>")).toEqual({ reason: "it has no statement (Stmt)" })
})
