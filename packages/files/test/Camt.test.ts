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
const pages = (number: string, isLast: string, of = "Stmt") =>
  `<${of}Pgntn><PgNb>${number}</PgNb><LastPgInd>${isLast}</LastPgInd></${of}Pgntn>`
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
    const { rows } = await read(statement(entry("5", `<AcctSvcrRef>B</AcctSvcrRef>${transaction("5", refs)}`, "DBIT")))
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
    ["the only page", `${pages(" 1 ", " true ")}${opening}${closing}`],
    ["blanks", opening.replace("1.00", " 1.00 ") + closing.replace("DBIT", " DBIT ")],
    ["others, too", opening + closing + balance("CLAV", "7") + balance("XPCD", "8")],
  ])("are checked with %s", async (_, balances) => {
    expect(await read(statement(balances, entry("6", "", "DBIT")))).toEqual({ reason })
  })

  test.each<[string, string]>([
    ["without an opening one", closing],
    ["without a closing one", opening],
    ["without a kind", opening.replace("OPBD", "") + closing],
  ])("are not checked %s", async (_, balances) => {
    expect((await read(statement(balances, entry("6", "", "DBIT")))).rows).toHaveLength(1)
  })

  test("are those of their own statement", async () => {
    const first = statement(opening, balance("CLBD", "3"), entry("2"))
    expect((await read(`<a>${first}${statement(opening, entry("9"))}${first}</a>`)).rows).toHaveLength(3)
    expect(await read(`<a>${first}${first}${statement(opening, closing, entry("6", "", "DBIT"))}</a>`)).toEqual({
      reason: reason.replace("statement 1", "statement 3"),
    })
  })

  test.each(["much", "", "-1"])("with the amount %j are rejected", async (amount) => {
    expect((await read(statement(opening, closing.replace("5.50", amount), entry("6")))).reason).toBe(
      `line 2: its balance CLBD: Not an amount: ${JSON.stringify(amount)}`,
    )
  })

  test("have one currency, and so do the entries between them", async () => {
    const dollars = (text: string) => text.replace("EUR", "USD")
    expect((await read(statement(dollars(opening), dollars(closing), entry("6.50", "", "DBIT")))).reason).toBe(
      "entry 1 (line 3): it is in EUR, and the balances of its statement are in USD. Export the account of each currency by itself",
    )
    expect((await read(statement(opening, dollars(closing)))).reason).toBe(
      "statement 1: its balances have two currencies",
    )
    expect((await read(statement(entry("5"), dollars(entry("6"))))).rows).toHaveLength(2)
  })
})

const account = (iban: string) => `<Acct><Id><IBAN>${iban}</IBAN></Id></Acct>`
const document = (...parts: ReadonlyArray<string>) => `<Document>${parts.join("\n")}</Document>`

describe("pages", () => {
  const page = (number: string, isLast: string, ...more: ReadonlyArray<string>) =>
    statement(pages(number, isLast), account("DE02"), ...more)
  const first = page("1", "false", balance("OPBD", "1"), balance("ITBD", "6"), entry("5"))
  const second = page("2", "0", balance("ITBD", "6"), entry("5"))
  const third = page("3", "1", balance("CLBD", "13"), entry("2"))

  test("that are all there are read as one statement", async () => {
    expect((await read(document(first, second, third))).rows).toHaveLength(3)
    const other = statement(account("DE03"), balance("OPBD", "1"), balance("CLBD", "2"), entry("1"))
    expect((await read(document(first, other, second, third))).rows).toHaveLength(4)
    expect((await read(document(first, second, third.replace("13", "14")))).reason).toBe(
      "statement 3: its entries add up to 12, but its balances differ by 13. Is the statement complete?",
    )
  })

  test.each<[string, ReadonlyArray<string>, string]>([
    ["the last", [first, second], "statement 2: page 2 is not its last, and the file does not have page 3."],
    ["those after the first", [first], "statement 1: page 1 is not its last, and the file does not have page 2."],
    ["the first", [second, third], "statement 1: it is page 2, and the file does not have page 1."],
    ["all but the last", [third], "statement 1: it is page 3, and the file does not have page 1."],
    ["one between them", [first, third], "statement 2: it is page 3, and the file does not have page 2."],
    ["the last, before another statement", [first, page("1", "true")], "statement 2: it is page 1, and the file"],
    ["the last, before one without pages", [first, statement(account("DE02"))], "statement 2: it is page 1, and"],
    [
      "the last, and another account has one",
      [first, second.replace("DE02", "DE03")],
      "statement 2: it is page 2, and",
    ],
    [
      "a page of the message",
      [`<GrpHdr>${pages("1", "false", "Msg")}</GrpHdr>`, statement(entry("5"))],
      "line 1: the message: page 1 is not its last, and the file does not have page 2.",
    ],
    [
      "the first page of the message",
      [`<GrpHdr>${pages("2", "true", "Msg")}</GrpHdr>`, statement(entry("5"))],
      "line 1: the message: it is page 2, and the file does not have page 1.",
    ],
  ])("of which %s is missing are rejected", async (_, parts, reason) => {
    const found = (await read(document(...parts))).reason
    expect(found).toContain(reason)
    expect(found).toContain("Is the statement complete? Export it as one file with all its pages")
  })

  test("may give the summary of their own entries, or of all", async () => {
    const summary = (count: number) => `<TxsSummry><TtlNtries><NbOfNtries>${count}</NbOfNtries></TtlNtries></TxsSummry>`
    const of = (one: number, two: number, three: number) =>
      read(
        document(
          ...[first, second, third].map((text, at) =>
            text.replace("<Acct>", `${summary([one, two, three][at] ?? 0)}<Acct>`),
          ),
        ),
      )
    expect((await of(1, 1, 1)).rows).toHaveLength(3)
    expect((await of(3, 3, 3)).rows).toHaveLength(3)
    expect((await of(1, 2, 1)).reason).toContain("statement 2: its summary (TxsSummry/TtlNtries/NbOfNtries) says")
    expect((await of(4, 4, 4)).reason).toContain('statement 1: its summary (TxsSummry/TtlNtries/NbOfNtries) says "4"')
  })
})

describe("statements of an account", () => {
  const of = (from: string, to: string, iban = "DE02") =>
    statement(account(iban), balance("OPBD", from), balance("CLBD", to), entry(String(Number(to) - Number(from))))

  test("follow each other, oldest or newest first", async () => {
    const [one, two, three] = [of("1", "2"), of("2", "5"), of("5", "9")]
    expect((await read(document(one, of("7", "8", "DE03"), two, three))).rows).toHaveLength(4)
    expect((await read(document(three, two, one))).rows).toHaveLength(3)
  })

  test("of which one is missing are rejected", async () => {
    const reason = "statement 2: it opens with 5, but the statement of its account above it closes with 2."
    expect((await read(document(of("1", "2"), of("5", "9")))).reason).toContain(reason)
    const proprietary = (text: string) => text.replace("<IBAN>DE02</IBAN>", "<Othr><Id>7</Id></Othr>")
    expect((await read(proprietary(proprietary(document(of("1", "2"), of("5", "9")))))).reason).toContain(reason)
  })
})

describe("a summary", () => {
  const summary = (...parts: ReadonlyArray<string>) => `<TxsSummry>${parts.join("")}</TxsSummry>`
  const side = (name: string, count: string, sum: string, more = "") =>
    `<${name}><NbOfNtries>${count}</NbOfNtries><Sum>${sum}</Sum>${more}</${name}>`
  const pendingEntry = entry("7").replace("BOOK", "PDNG")
  const entries = [entry("5.50"), entry("8", "", "DBIT"), entry("0", "", "DBIT")]

  test.each<[string, string]>([
    ["of both sides", side("TtlNtries", "3", "13.50")],
    ["with their net", side("TtlNtries", "3", "2.50", "<TtlNetNtryAmt>2.5</TtlNetNtryAmt><CdtDbtInd>DBIT</CdtDbtInd>")],
    ["with the net of newer versions", side("TtlNtries", " 3 ", " 13.5 ", "<TtlNetNtry><Amt>2.5</Amt></TtlNetNtry>")],
    ["of each side", side("TtlCdtNtries", "1", "5.5") + side("TtlDbtNtries", "2", "8")],
    ["that counts what is not booked", side("TtlNtries", "4", "20.50") + side("TtlCdtNtries", "2", "12.50")],
    ["that says nothing", "<TtlNtries/>"],
  ])("%s is that of the entries", async (_, text) => {
    expect((await read(statement(summary(text), ...entries, pendingEntry))).rows).toHaveLength(3)
  })

  test.each<[string, string, string]>([
    ["TtlNtries/NbOfNtries", side("TtlNtries", "2", "13.50"), '"2", and its entries give 3'],
    ["TtlNtries/Sum", side("TtlNtries", "3", "13.51"), '"13.51", and its entries give 13.5'],
    [
      "TtlNtries/TtlNetNtryAmt",
      side("TtlNtries", "3", "13.5", "<TtlNetNtryAmt>1</TtlNetNtryAmt>"),
      '"1", and its entries give 2.5',
    ],
    [
      "TtlNtries/TtlNetNtry/Amt",
      side("TtlNtries", "3", "13.5", "<TtlNetNtry><Amt>1</Amt></TtlNetNtry>"),
      '"1", and its entries give 2.5',
    ],
    ["TtlCdtNtries/NbOfNtries", side("TtlCdtNtries", "0", "5.5"), '"0", and its entries give 1'],
    ["TtlCdtNtries/Sum", side("TtlCdtNtries", "1", "8"), '"8", and its entries give 5.5'],
    ["TtlDbtNtries/NbOfNtries", side("TtlDbtNtries", "1", "8"), '"1", and its entries give 2'],
    ["TtlDbtNtries/Sum", side("TtlDbtNtries", "2", "5.5"), '"5.5", and its entries give 8'],
    ["TtlDbtNtries/NbOfNtries", side("TtlDbtNtries", "1e0", "8"), '"1e0", and its entries give 2'],
  ])("that differs in %s is rejected", async (path, text, reason) => {
    expect((await read(statement(summary(text), ...entries, pendingEntry))).reason).toBe(
      `statement 1: its summary (TxsSummry/${path}) says ${reason}. Is the statement complete? Export it again`,
    )
  })
})

describe("the transactions of an entry", () => {
  const batch = (count: string, more: string, total = "") =>
    `<NtryDtls><Btch><NbOfTxs>${count}</NbOfTxs>${total === "" ? "" : `<TtlAmt Ccy="EUR">${total}</TtlAmt>`}</Btch>${more}</NtryDtls>`
  const amount = (text: string, more = "", currency = "EUR") =>
    `<TxDtls><Amt Ccy="${currency}">${text}</Amt>${more}</TxDtls>`
  const charges = (...texts: ReadonlyArray<string>) =>
    `<Chrgs>${texts.map((text) => `<Rcrd><Amt Ccy="EUR">${text}</Amt></Rcrd>`).join("")}</Chrgs>`

  test.each<[string, string, number]>([
    ["may be left out", batch("40", ""), 1],
    ["may be left out, with a total of its own", batch("40", "", "9"), 1],
    ["may have no amount", "<NtryDtls><TxDtls><Refs/></TxDtls></NtryDtls>", 1],
    ["may have the number and total of their batch", batch(" 2 ", amount("3") + amount("2"), " 5.00 "), 2],
    ["may lie in several batches", batch("1", amount("3"), "3") + batch("2", amount("1") + amount("1"), "2"), 3],
    [
      "may be of the other side within a batch",
      batch("2", amount("6") + amount("1", "<CdtDbtInd>DBIT</CdtDbtInd>"), "5"),
      2,
    ],
    [
      "may be of the side of their batch",
      `<NtryDtls><Btch><CdtDbtInd>CRDT</CdtDbtInd></Btch>${amount("5")}</NtryDtls>`,
      1,
    ],
    ["may have another currency if it is one", amount("9", "", "USD"), 1],
    ["may have an amount without its charges", amount("7", charges("1.5", "0.5")), 1],
    [
      "may have an amount with their total",
      amount(
        "7",
        `<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">2</TtlChrgsAndTaxAmt><Rcrd><Amt Ccy="EUR">1</Amt></Rcrd></Chrgs>`,
      ),
      1,
    ],
    ["may have an amount without the charges of the entry", charges("2") + amount("7"), 1],
  ])("%s", async (_, text, rows) => {
    expect((await read(statement(entry("5", text)))).rows).toHaveLength(rows)
  })

  test.each<[string, string, string]>([
    [
      "fewer than their batch",
      batch("2", amount("5")),
      "its batch (line 1) has 2 transactions (NbOfTxs), and the file has 1 of them",
    ],
    ["fewer, without an amount", batch("2", "<TxDtls/>"), "has 2 transactions (NbOfTxs), and the file has 1 of them"],
    [
      "more than their batch",
      batch("1", amount("3") + amount("2")),
      "has 1 transactions (NbOfTxs), and the file has 2",
    ],
    ["no number that is one", batch("x", amount("5")), "its batch (line 1) has x transactions (NbOfTxs)"],
    [
      "another sum than their batch",
      batch("2", amount("3") + amount("2"), "6"),
      "its batch (line 1) has the amount 6 (TtlAmt), and its transactions add up to 5",
    ],
    [
      "another side than their batch",
      `<NtryDtls><Btch><CdtDbtInd>DBIT</CdtDbtInd></Btch>${amount("5")}</NtryDtls>`,
      "its batch (line 1) is DBIT (CdtDbtInd), and its transactions add up to 5",
    ],
    ["another amount than the entry", amount("4"), "its transaction (line 1) has the amount 4, and the entry 5"],
    [
      "another amount of older versions",
      transaction("4"),
      "its transaction (line 1) has the amount 4, and the entry 5",
    ],
    [
      "another amount, and charges that do not explain it",
      amount("4", charges("2")),
      "has the amount 4, and the entry 5",
    ],
    ["no amount that is one", amount("1,5"), 'its transaction (line 1): Not an amount: "1,5"'],
    [
      "another side than the entry",
      amount("5", "<CdtDbtInd>DBIT</CdtDbtInd>"),
      "its transaction (line 1) is a debit, and the entry a credit (CdtDbtInd)",
    ],
  ])("with %s are rejected", async (_, text, reason) => {
    const found = (await read(statement(entry("5", text)))).reason
    expect(found).toMatch(/^entry 1 [(]line 1[)]: /)
    expect(found).toContain(reason)
  })
})

test("an entry of a report rather than a statement is rejected", async () => {
  const report = `<Rpt>\n${entry("5")}</Rpt>`
  expect((await read(document(statement(entry("5")), report))).reason).toBe(
    "entry 2 (line 3): it is in no statement (Stmt). Export it as camt.053",
  )
})

test.each<[string, string]>([
  ["Refs/EndToEndId", `<TxDtls><Refs><EndToEndId>K1</EndToEndId>\n<EndToEndId>K2</EndToEndId></Refs></TxDtls>`],
  ["NtryRef", "<NtryRef>a</NtryRef>\n<NtryRef>b</NtryRef>"],
  ["Amt", '\n<Amt Ccy="EUR">5</Amt>'],
])("two of %s are rejected, and not read as one text", async (path, more) => {
  const of = path.startsWith("Refs") ? "TxDtls" : "Ntry"
  expect((await read(statement(entry("5", more)))).reason).toBe(
    `line 2: it is the second ${path} of one ${of}. Is the statement complete? Export it again`,
  )
})

test("a document without a statement is rejected", async () => {
  expect(await read("<Document/>")).toEqual({ reason: "it has no statement (Stmt)" })
})
