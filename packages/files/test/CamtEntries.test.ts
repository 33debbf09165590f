/** Entries of camt.053 and their transactions, which banks write in several ways. */
import { describe, expect, test } from "vitest"
import { entry, read, statement, transaction } from "./CamtText.ts"

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

  test.each(["A<![CDATA[ ]]>B", "A<!-- --> <!-- -->B", "A&#32;B", " A B\n"])(
    "keeps the blanks within the reference %j",
    async (text) => {
      const { rows } = await read(statement(entry("5.00", `<NtryRef>${text}</NtryRef>`)))
      expect(rows?.map(({ NtryRef }) => NtryRef?.trim())).toEqual(["A B"])
    },
  )

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

  test.each([
    [["ORDER-1", "2"], "ORDER-1 2"],
    [["ORDER-1", " ORDER-1\n"], "ORDER-1"],
  ])("keeps the creditor references %j apart, and has equal ones once", async (references, expected) => {
    const parts = references.map((text) => `<Strd><CdtrRefInf><Ref>${text}</Ref></CdtrRefInf></Strd>`)
    const { rows } = await read(statement(entry("5", transaction("5", `<RmtInf>${parts.join("")}</RmtInf>`))))
    expect(rows?.map(({ CdtrRef }) => CdtrRef)).toEqual([expected])
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

describe("the transactions of an entry", () => {
  const batch = (count: string, more: string, total = "") =>
    `<NtryDtls><Btch><NbOfTxs>${count}</NbOfTxs>${total === "" ? "" : `<TtlAmt Ccy="EUR">${total}</TtlAmt>`}</Btch>${more}</NtryDtls>`
  const amount = (text: string, more = "", currency = "EUR") =>
    `<TxDtls><Amt Ccy="${currency}">${text}</Amt>${more}</TxDtls>`
  const foreign = (text: string, more = "") =>
    `<TxDtls><AmtDtls><TxAmt><Amt Ccy="GBP">${text}</Amt></TxAmt>${more}</AmtDtls></TxDtls>`
  const countervalue = (text: string, currency = "EUR") =>
    `<CntrValAmt><Amt Ccy="${currency}">${text}</Amt></CntrValAmt>`
  const none = "<TxDtls><Refs/></TxDtls>"
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
    ["may have no amount, but the number and total of their batch", batch("1", none, "5.00"), 1],
    ["may have no amount, and a total without the charges of the entry", charges("2") + batch("1", none, "7"), 1],
    ["may have no amount, and a total in another currency", batch("1", none, "9").replace("EUR", "GBP"), 1],
    ["may lie beside a list of none", `<NtryDtls/>${batch("1", none)}`, 1],
    ["may lie beside a batch of none", batch("0", "", "0.00") + batch("1", none), 1],
    ["may lie beside a batch that is only named", `<NtryDtls><Btch><PmtInfId>P</PmtInfId></Btch></NtryDtls>${none}`, 1],
    ["may have the currency of the payment if it is one", batch("1", foreign("8"), "5"), 1],
    ["may have that of the payment in their batch, too", batch("1", foreign("8"), "8").replace("EUR", "GBP"), 1],
    ["may have a countervalue in the entry's currency", foreign("8", countervalue("5")), 1],
    ["may have a countervalue in a third currency", foreign("8", countervalue("6", "USD")), 1],
    ["may have a countervalue without the charges", charges("1") + foreign("8", countervalue("6")), 1],
    ["may be several with countervalues", foreign("2", countervalue("3")) + foreign("1", countervalue("2")), 2],
  ])("%s", async (_, text, rows) => {
    expect((await read(statement(entry("5", text)))).rows).toHaveLength(rows)
  })

  test.each<[string, string, string]>([
    [
      "fewer than their batch",
      batch("2", amount("5")),
      "its batch (line 1) has 2 transactions (NbOfTxs), and the file has 1 of them",
    ],
    [
      "a batch beside them that leaves its own out",
      batch("2", "", "2") + batch("1", none),
      "its batch (line 1) has 2 transactions (NbOfTxs), and leaves them out, while others of the entry are there",
    ],
    [
      "a batch without a total that leaves its own out",
      batch("2", "") + none,
      "has 2 transactions (NbOfTxs), and leaves",
    ],
    [
      "a batch below them that leaves its own out",
      amount("4") + amount("1") + batch("x", "", "2"),
      "its batch (line 1) has x transactions (NbOfTxs), and leaves them out",
    ],
    [
      "a batch without a number that leaves its own out",
      batch("", "", "2").replace("<NbOfTxs></NbOfTxs>", "") + none,
      "its batch (line 1) has the amount 2 (TtlAmt), and leaves them out",
    ],
    [
      "a batch of none that has an amount",
      batch("0", "", "2") + none,
      "its batch (line 1) has 0 transactions (NbOfTxs), and leaves them out",
    ],
    [
      "no amount, and another total than the entry",
      batch("1", none, "2"),
      "its batch (line 1) has the amount 2 (TtlAmt), and its only transaction has that of the entry: 5",
    ],
    [
      "no amount, and charges that do not explain the total",
      charges("1") + batch("1", none, "7"),
      "its batch (line 1) has the amount 7 (TtlAmt), and its only transaction has that of the entry: 5",
    ],
    [
      "the currency of the payment, and another total than the entry",
      batch("1", foreign("8"), "2"),
      "its batch (line 1) has the amount 2 (TtlAmt), and its only transaction has that of the entry: 5",
    ],
    [
      "another total in the currency of the payment",
      batch("1", foreign("8"), "9").replace("EUR", "GBP"),
      "its batch (line 1) has the amount 9 (TtlAmt), and its transactions add up to 8",
    ],
    [
      "no amount, and another side than their batch",
      `<NtryDtls><Btch><CdtDbtInd>DBIT</CdtDbtInd></Btch>${none}</NtryDtls>`,
      "its batch (line 1) is DBIT (CdtDbtInd), and its transactions add up to 5",
    ],
    [
      "another countervalue than the entry",
      foreign("8", countervalue("4")),
      "its transaction (line 1) has the amount 4, and the entry 5",
    ],
    [
      "fewer than the entry says itself, as in the first version",
      `<Btch><NbOfTxs>2</NbOfTxs></Btch>${none}`,
      "its batch (line 1) has 2 transactions (NbOfTxs), and the file has 1 of them",
    ],
    ["several in the currency of the payment", foreign("3") + foreign("2"), "is in another currency than the entry"],
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
