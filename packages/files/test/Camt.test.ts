/** Statements of camt.053: their balances, pages and summaries, which say whether an entry is missing. */
import { describe, expect, test } from "vitest"
import { account, balance, document, entry, pages, read, statement, transaction } from "./CamtText.ts"

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

  test("and all other amounts may be any decimals of XML Schema", async () => {
    const balances = balance("OPBD", "+01.") + balance("CLBD", ".50")
    const batch = `<NtryDtls><Btch><NbOfTxs>2</NbOfTxs><TtlAmt Ccy="EUR">09.50</TtlAmt></Btch>`
    const several = `${batch}${transaction("08.")}${transaction("+1.5")}</NtryDtls>`
    const summary = "<TxsSummry><TtlNtries><Sum>018.5</Sum></TtlNtries></TxsSummry>"
    const entries = [
      entry("+09.50", several),
      entry("009.", "", "DBIT"),
      entry("-0", "", "DBIT"),
      entry("1.", "", "DBIT"),
    ]
    const { rows, reason: other } = await read(statement(summary.replace("018.5", "019.5"), balances, ...entries))
    expect([other, rows?.map(({ Amt }) => Amt)]).toEqual([undefined, ["8", "1.5", "-9", "0", "-1"]])
    expect((await read(statement(summary, balances, ...entries))).reason).toContain('says "018.5", and its')
    for (const amount of ["+", ".", "1e3", "+-1", "1,5", "0x1", "- 1"])
      expect((await read(statement(entry(amount)))).reason).toContain(`Not an amount: ${JSON.stringify(amount)}`)
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

  test("that change no balance are rejected if one is there twice, by its identification", async () => {
    const level = (id: string, ...entries: ReadonlyArray<string>) =>
      statement(`<Id>${id}</Id>`, account("DE02"), balance("OPBD", "1"), balance("CLBD", "1"), ...entries)
    const both = [entry("5"), entry("5", "", "DBIT")]
    expect((await read(document(level("A", ...both), level("B", ...both)))).rows).toHaveLength(4)
    expect((await read(document(level("A", ...both), level("A", ...both)))).reason).toBe(
      "statement 2: a statement above it has the same account, number and day. Is it there twice?",
    )
    expect((await read(document(level("A"), level("A")))).rows).toHaveLength(0)
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

test("an entry of a report rather than a statement is rejected", async () => {
  const report = `<Rpt>\n${entry("5")}</Rpt>`
  expect((await read(document(statement(entry("5")), report))).reason).toBe(
    "entry 2 (line 3): it is in no statement (Stmt). Export it as camt.053",
  )
})

test("a document without a statement is rejected", async () => {
  expect(await read("<Document/>")).toEqual({ reason: "it has no statement (Stmt)" })
})

test.each<[string, string]>([
  ["in another entry", entry("5", entry("1"))],
  ["in an element of a statement that is no envelope", `<Other>\n${entry("5")}</Other>`],
])("an entry %s is rejected", async (_, text) => {
  expect((await read(document(statement(text)))).reason).toContain(
    "it is in no statement (Stmt). Export it as camt.053",
  )
})

describe("supplementary data", () => {
  const enveloped = (text: string) => `<SplmtryData><Envlp><x:Old>${text}</x:Old></Envlp></SplmtryData>`
  const [opening, closing] = [balance("OPBD", "1"), balance("CLBD", "6")]
  const other = [
    statement(pages("2", "false"), account("DE03"), balance("OPBD", "9"), entry("7"), entry("7", "", "DBIT")),
    `<GrpHdr>${pages("3", "false", "Msg")}</GrpHdr><Rpt>${entry("8")}</Rpt>`,
    `${balance("OPBD", "3")}${balance("CLBD", "4")}${entry("7", transaction("7"))}`,
    `<NtryDtls><Btch><NbOfTxs>7</NbOfTxs></Btch>${transaction("2")}</NtryDtls>${transaction("3")}`,
    `<Amt Ccy="USD">3</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>PDNG</Sts><Refs><EndToEndId>X</EndToEndId></Refs>`,
    `<SplmtryData><Envlp>${entry("7")}</Envlp></SplmtryData>${entry("7")}`,
    "x".repeat(1024 * 1024 + 1),
  ].map(enveloped)
  const key = "<Refs><EndToEndId>E</EndToEndId></Refs>"

  const at: ReadonlyArray<[string, (text: string) => string]> = [
    ["document", (text) => document(text, statement(opening, closing, entry("5", transaction("5", key))), text)],
    ["header", (text) => document(`<GrpHdr>${text}</GrpHdr>`, statement(entry("5", transaction("5", key))))],
    ["statement", (text) => statement(text, opening, closing, text, entry("5", transaction("5", key)), text)],
    [
      "balance",
      (text) => statement(opening.replace("</Bal>", `${text}</Bal>`), closing, entry("5", transaction("5", key))),
    ],
    ["entry", (text) => statement(opening, closing, entry("5", `${text}${transaction("5", key)}${text}`))],
    ["batch", (text) => statement(entry("5", `<NtryDtls>${text}${transaction("5", key)}${text}</NtryDtls>`))],
    ["transaction", (text) => statement(opening, closing, entry("5", transaction("5", `${text}${key}${text}`)))],
    ["reference", (text) => statement(entry("5", transaction("5", key.replace("</Refs>", `${text}</Refs>`))))],
  ]
  test.each(at)("of a %s is not read, whatever its envelope holds", async (_, textOf) => {
    const without = await read(textOf(""))
    expect(without.rows).toMatchObject([{ Amt: "5", EndToEndId: "E" }])
    const lineless = (found: typeof without) => JSON.stringify(found).replaceAll(/ [(]line \d+[)]/g, "")
    for (const text of other) expect(lineless(await read(textOf(text)))).toBe(lineless(without))
  })

  test("holds no statement", async () => {
    expect(await read(document(enveloped(statement(entry("5")))))).toEqual({ reason: "it has no statement (Stmt)" })
  })
})
