/** Exports are not tables: titles above the header, totals and footers, columns of money in and out, balances. */
import { afterAll, describe, expect, test } from "vitest"
import type { LedgerFileOptions } from "../src/node/LedgerFile.ts"
import * as Ledgers from "./Ledgers.ts"
import { workbook } from "./zip.ts"

const { read, remove } = Ledgers.folder()
afterAll(remove)

const euro = { currency: "EUR" }

describe("the header", () => {
  const titles = "Acme Inc.\nStatement, September 2024\n\n"

  test("may come after titles, with another number of cells and another delimiter", async () => {
    const found = await read(`${titles}note;key;amount\nx;a;1,50\ny;b;2,50\n`, euro)
    expect(found.rows).toEqual(["line 5 | a | 1.50 fiat/EUR", "line 6 | b | 2.50 fiat/EUR"])
    expect(found.reading).toMatchObject({ header: "line 4", delimiter: ";", rows: 2 })
    expect(found.reading?.detected).toContain("header")
  })

  test("is the first row without a word", async () => {
    const { reading } = await read("key,amount\na,1\n", euro)
    expect(reading).not.toHaveProperty("header")
    expect(reading?.detected).not.toContain("header")
  })

  test("may be repeated on each page", async () => {
    const found = await read("note,key,amount\nx,a,1\nnote,key,amount\ny,b,2\n", euro)
    expect(found.rows).toHaveLength(2)
    expect(found.reading?.left_out).toEqual([{ reason: "header", rows: 1, places: ["line 3"] }])
  })

  test("is asked about if several rows could be it, and shown with the numbers of the first rows", async () => {
    const text = "key,amount,x\na,1,2\nkey,amount,y\nb,3,4\n"
    expect((await read(text, euro)).reason).toBe(
      "both line 1 and line 3 could name its columns: say which with --header-row <number>. It begins with line 1: key | amount | x; line 2: a | 1 | 2; line 3: key | amount | y; line 4: b | 3 | 4",
    )
    expect((await read(text, { ...euro, headerRow: 3 })).rows).toEqual(["line 4 | b | 3 fiat/EUR"])
  })

  test("is asked about if none is, all missing columns at once, with close names in four languages", async () => {
    const { reason } = await read(`${titles}Belegnummer;Betrag;W\u00e4hrung\nR-1;1,50;EUR\n`)
    expect(reason).toContain("if line 4 names its columns, it has no column external_id")
    expect(reason).toContain("for the key, and it has no column amount")
    expect(reason).toContain("its columns are Belegnummer, Betrag and W\u00e4hrung.")
    expect(reason).toContain("For the key, Belegnummer may be meant. For the amount, Betrag may be meant.")
    expect(reason).toContain("Name them with --map key=<column> --map amount=<column>.")
    expect(reason).toContain("line 4: Belegnummer | Betrag | W\u00e4hrung")
  })

  test.each([
    ["Order,Gross,Note", "If no column has the currency, name it with --ledger-currency."],
    ["Order,Gross,Devise", "For the currency, Devise may be meant: --map currency=<column>."],
    ["Order,Gross,currency_code", ""],
    ["Order,Gross,Ccy", ""],
  ])("says of the currency of %s only what is left to say", async (header, expected) => {
    const { reason = "" } = await read(`${header}\na,1,EUR\n`)
    const [, left = ""] = /--map amount=<column>\.(.*?)(?: If another row.*)?$/.exec(reason) ?? []
    expect(left.trim(), reason).toBe(expected)
  })

  test.each([
    ["Numéro de commande,Montant", "Numéro de commande", "Montant"],
    ["Pedido,Importe", "Pedido", "Importe"],
    ["Invoice number,Gross", "Invoice number", "Gross"],
  ])("suggests %s", async (header, key, amount) => {
    const { reason } = await read(`${header}\na,1\n`)
    expect(reason).toContain(`For the key, ${key} may be meant. For the amount, ${amount} may be meant.`)
  })

  test.each(["id", "Transfer ID"])("with a column %s says which flag matches the ids of the service", async (name) => {
    const { reason } = await read(`${name},amount\na,1\n`, euro)
    expect(reason).toContain(
      `For the key, ${name} may be meant. If ${name} holds the service's own ids, give --key id as well.`,
    )
    expect((await read("Order no,amount\na,1\n", euro)).reason).not.toContain("--key")
  })

  test("is named by its number", async () => {
    expect((await read("a,b\nk,v\nx,1\n", { ...euro, headerRow: 2, columns: { key: "k", amount: "v" } })).rows).toEqual(
      ["line 3 | x | 1 fiat/EUR"],
    )
    expect((await read("key,amount\nx,1\n", { ...euro, headerRow: 9 })).reason).toBe(
      "its line 9, which --header-row names, is empty or beyond its end",
    )
  })

  test("is not looked for below 40 rows", async () => {
    const above = (rows: number) => read(`${"x\n".repeat(rows)}key,amount\na,1\n`, euro)
    expect((await above(39)).rows).toHaveLength(1)
    expect((await above(40)).reason).toContain("it has no column")
  })

  test("of a workbook is found by the same rule", async () => {
    const cell = (text: string) => `<c t="str"><v>${text}</v></c>`
    const rows = [["Acme"], ["key", "amount"], ["a", "1.50"], ["", "1.50"], ["b", "2"]]
    const xml = rows.map((cells) => `<row>${cells.map(cell).join("")}</row>`).join("")
    const found = await read(workbook(xml), euro)
    expect(found.reading).toMatchObject({ header: "row 2", rows: 3 })
  })
})

describe("a row that is no booking", () => {
  const header = "date,text,key,amount\n"
  const rows = "2024-09-01,x,a,10.00\n2024-09-02,y,b,20.00\n"

  test("is left out if it has neither a key nor an amount, and counted with its line", async () => {
    const found = await read(`${header}Group,,,\n${rows}printed on 2024-10-01\n`, euro)
    expect(found.rows).toEqual(["line 3 | a | 10.00 fiat/EUR", "line 4 | b | 20.00 fiat/EUR"])
    expect(found.reading?.left_out).toEqual([{ reason: "title", rows: 2, places: ["line 2", "line 5"] }])
  })

  test.each([
    [",Total,,30.00\n", 1],
    ["2024-09-30,Total,,30.00\n", 1],
    [",Sub,,30.00\n2024-09-03,z,c,5.00\n2024-09-03,z,d,6.00\n,Sub,,11.00\n,Grand,,41.00\n", 3],
  ])("is left out if it is the exact sum: %j", async (below, totals) => {
    const found = await read(header + rows + below, euro)
    expect(found.reading?.left_out).toMatchObject([{ reason: "total", rows: totals }])
    expect(found.rows?.every((row) => !row.includes("|  |"))).toBe(true)
  })

  test.each([
    ["differs from the sum by a cent", `${header}${rows},x,,30.01\n`],
    ["is the sum of one row", `${header}2024-09-01,x,a,10.00\n,x,,10.00\n`],
    ["fills every column that bookings fill", `${header}${rows}2024-09-03,z,,30.00\n`],
  ])("is kept if it %s", async (_, text) => {
    const found = await read(text, euro)
    expect(found.reading).not.toHaveProperty("left_out")
    expect(found.rows?.at(-1)).toMatch(/\|  \|/)
  })

  test("is named by a text, or by the text of a column", async () => {
    const text = "type,key,amount\nfee,a,1.00\nsale,fee,2.00\nx=y,c,3.00\n"
    const keysOf = async (skip: string) =>
      (await read(text, { ...euro, skipRows: [{ text: skip }] })).rows?.map((row) => row.split(" | ")[1])
    const all = (await read(text, { ...euro, skipRows: [] })).rows?.map((row) => row.split(" | ")[1])
    expect(all).toHaveLength(3)
    const [a, fee, c] = all ?? []
    expect(await keysOf("fee")).toEqual([c])
    expect(await keysOf("type=fee")).toEqual([fee, c])
    expect(await keysOf("Key=fe*")).toEqual([a, c])
    expect(await keysOf("x=y")).toEqual([a, fee])
  })

  test("is kept if a running balance has its amount, and left out if it has not", async () => {
    const columns = { balance: "balance" }
    const head = "date,text,key,amount,balance\n2024-09-01,x,a,10.00,10.00\n2024-09-02,y,b,20.00,30.00\n"
    const paid = await read(`${head}2024-09-03,Total Energies,,30.00,60.00\n`, {
      ...euro,
      columns,
      skipRows: [{ text: "none" }],
    })
    expect(paid.rows).toHaveLength(3)
    const asked = await read(`${head}2024-09-03,Total Energies,,30.00,60.00\n`, { ...euro, columns })
    expect(asked.reason).toContain('"Total Energies" looks like a total or a balance')
    expect((await read(`${head},Total,,30.00,30.00\n`, { ...euro, columns })).rows).toHaveLength(2)
    const upwards = "date,text,key,amount,balance\n3,x,a,10.00,60.00\n2,y,b,20.00,50.00\n1,Sum Ltd,,30.00,30.00\n"
    expect((await read(upwards, { ...euro, columns })).reason).toContain('"Sum Ltd" looks like a total or a balance')
  })

  test("is kept if it is said that rows which look like totals are bookings", async () => {
    const skipRows = [{ text: "none" }]
    expect((await read(`${header}${rows},Total,,30.00\n`, { ...euro, skipRows })).rows).toHaveLength(3)
  })

  test("is kept if its text has no key in it", async () => {
    const text = "text,amount\norder-1,10.00\norder-2,20.00\nRefund of a customer,30.00\n"
    const found = await read(text, { ...euro, columns: { key: "text" }, keyPattern: "order-[0-9]+" })
    expect(found.rows).toHaveLength(3)
    const total = await read(text.replace("Refund of a customer", "Total"), {
      ...euro,
      columns: { key: "text" },
      keyPattern: "order-[0-9]+",
    })
    expect(total.reading?.left_out).toMatchObject([{ reason: "total", rows: 1 }])
  })

  test("is kept if the currencies differ", async () => {
    const found = await read(`text,key,amount,currency\nx,a,10,EUR\ny,b,20,USD\n,,30,USD\n`)
    expect(found.rows).toHaveLength(3)
  })

  test.each([
    ["Opening balance", `${header},Opening balance,,5.00\n${rows}`],
    ["Total", `${header}${rows},Total,,31.00\n`],
    ["Summe", `${header}${rows},x,Summe,30.00\n`],
  ])("is asked about if it only looks like one: %s", async (word, text) => {
    const { reason } = await read(text, euro)
    expect(reason).toContain(`${JSON.stringify(word)} looks like a total or a balance`)
    expect(reason).toContain(`Leave such rows out with --skip-row ${JSON.stringify(word)}`)
    const skipped = await read(text, { ...euro, skipRows: [{ text: word }] })
    expect(skipped.rows).toHaveLength(2)
    expect(skipped.reading?.left_out).toMatchObject([{ reason: "named", rows: 1 }])
    expect((await read(text, { ...euro, skipRows: [{ text: "none" }] })).rows).toHaveLength(3)
  })

  test("keeps a row whose key is more than the word", async () => {
    expect((await read(`key,amount\nTotal Energies,1\nTotal-7,2\n`, euro)).rows).toHaveLength(2)
  })

  test("keeps a row with a key, and reports that it is the sum of the rows above", async () => {
    const { rows: found, reading } = await read(`${header}${rows}2024-09-03,x,END,30.00\n`, euro)
    expect(found).toHaveLength(3)
    expect(reading?.sums).toEqual([{ place: "line 4", key: "END", rows: 2 }])
  })

  test("is left out by a beginning, or by the text of one column", async () => {
    const text = `${header}${rows}2024-09-03,payout,c,1\n2024-09-03,z,payout,2\n,Sum of all,,7\n`
    const skipRows = [{ text: "Sum *" }, { column: "Text", text: "payout" }]
    const found = await read(text, { ...euro, skipRows })
    expect(found.rows?.at(-1)).toContain("| payout | 2")
    expect(found.reading?.left_out).toEqual([{ reason: "named", rows: 2, places: ["line 4", "line 6"] }])
    expect((await read(text, { ...euro, skipRows: [{ column: "Kind", text: "payout" }] })).reason).toBe(
      'it has no column "Kind", which says what rows to leave out',
    )
  })

  test("of another width is left out only if it cannot be a part of a booking", async () => {
    expect((await read(`${header}${rows}end\n`, euro)).rows).toHaveLength(2)
    for (const part of ["10\n", "x,y\n", ",x\n"]) {
      expect((await read(`${header}${rows}${part}`, euro)).reason).toContain("unlike the header")
    }
    const { reason } = await read("key,amount\na,1\nend\n", euro)
    expect(reason).toBe(
      'line 3 has 1 cells, unlike the header. If it is no booking, leave it out with --skip-row "end"',
    )
  })

  test("is asked about if no booking is left", async () => {
    expect((await read(`${header}x,,,\n`, euro)).reason).toContain("all rows below it were left out")
  })
})

describe("P10–P12: the direction of an amount", () => {
  const sides = "Text,Key,Debit,Credit,Balance\nx,a,10.00,,90.00\ny,b,,25.00,115.00\nz,c,,5.00,120.00\n"
  const statement = ["a | -10.00", "b | 25.00", "c | 5.00"]
  const account = ["a | 10.00", "b | -25.00", "c | -5.00"]
  const shown = (rows: ReadonlyArray<string> | undefined) =>
    rows?.map((row) => row.replace(/^line \d+ \| /, "").replace(" fiat/EUR", ""))

  test("in two columns is asked about, and read as the columns are named", async () => {
    const { reason } = await read(sides, euro)
    expect(reason).toContain(
      "its amounts stand in Debit and Credit, and which of them is money in depends on the account",
    )
    expect(reason).toContain("--map in=Credit --map out=Debit, or --map in=Debit --map out=Credit")
    const as = (columns: LedgerFileOptions["columns"]) => read(sides, { ...euro, columns })
    expect(shown((await as({ in: "credit", out: "debit" })).rows)).toEqual(statement)
    expect(shown((await as({ in: "Debit", out: "Credit" })).rows)).toEqual(account)
    expect((await as({ in: "Credit" })).reason).toContain("Name the other with --map out=<column>")
  })

  test("is proved by a running balance, if its amounts are not all alike", async () => {
    const found = await read(sides, { ...euro, columns: { balance: "Balance" } })
    expect(shown(found.rows)).toEqual(statement)
    expect(found.reading).toMatchObject({ balances: 2, columns: { in: "Credit", out: "Debit", balance: "Balance" } })
    expect(found.reading?.detected).toEqual(expect.arrayContaining(["in", "out"]))
    const mirrored = sides.replace("90.00", "110.00").replace("115.00", "85.00").replace("120.00", "80.00")
    expect(shown((await read(mirrored, { ...euro, columns: { balance: "Balance" } })).rows)).toEqual(account)
    const alike = "Key,Debit,Credit,Balance\na,,5,5\nb,,5,10\nc,,5,15\n"
    expect((await read(alike, { ...euro, columns: { balance: "Balance" } })).reason).toContain("they fit both")
    const wrong = sides.replace("120.00", "121.00")
    expect((await read(wrong, { ...euro, columns: { balance: "Balance" } })).reason).toContain("they fit neither")
  })

  test("is proved by a balance that runs from the last row up", async () => {
    const text = "Key,Debit,Credit,Balance\nc,,5.00,120.00\nb,,25.00,115.00\na,10.00,,90.00\n"
    expect(shown((await read(text, { ...euro, columns: { balance: "Balance" } })).rows)).toEqual([
      "c | 5.00",
      "b | 25.00",
      "a | -10.00",
    ])
  })

  test("whose balance breaks at a row that is left out is rejected, unless a person left it out", async () => {
    const columns = { balance: "balance" }
    const head = "key,amount,balance,text\na,10.00,100.00,\n"
    const last = "b,10.00,500.00,\nc,10.00,510.00,\n"
    const broken = "its balance is 500, but the one before it and the amount give 110"
    for (const between of ["", ",,,page 2\n", "key,amount,balance,text\n"]) {
      expect((await read(`${head}${between}${last}`, { ...euro, columns })).reason).toContain(broken)
    }
    const carried = (balance: string) => `${head},,${balance},carried over\nb,10.00,110.00,\n`
    expect((await read(carried("100.00"), { ...euro, columns })).rows).toHaveLength(2)
    expect((await read(carried("95.00"), { ...euro, columns })).reason).toContain("line 3: its balance is 95")
    const skipRows = [{ text: "carried over" }]
    expect((await read(carried("100.00"), { ...euro, columns, skipRows })).rows).toHaveLength(2)
  })

  test("whose balance breaks is rejected with its line", async () => {
    const columns = { in: "Credit", out: "Debit", balance: "Balance" }
    expect((await read(sides, { ...euro, columns })).reading?.balances).toBe(2)
    expect((await read(sides.replace("120.00", "120.01"), { ...euro, columns })).reason).toContain(
      "line 4: its balance is 120.01, but the one before it and the amount give 120. Is a row missing",
    )
    const signed = "key,amount,balance\na,1.00,1.00\nb,-0.50,0.50\nc,2.00,3.00\n"
    expect((await read(signed, { ...euro, columns: { balance: "balance" } })).reason).toContain(
      "line 4: its balance is 3",
    )
  })

  test("with totals of both sides leaves them out", async () => {
    const columns = { in: "Credit", out: "Debit" }
    const found = await read(`${sides},,10.00,30.00,\n`, { ...euro, columns })
    expect(found.reading?.left_out).toEqual([{ reason: "total", rows: 1, places: ["line 5"] }])
    const { reason } = await read(`${sides},,10.00,31.00,\n`, { ...euro, columns })
    expect(reason).toContain("line 5: it has an amount of money in (31.00) and one of money out (10.00)")
  })

  test("that is said twice is asked about, but for a zero", async () => {
    const columns = { in: "Credit", out: "Debit" }
    const text = "Key,Debit,Credit\na,-10.00,\nb,0.00,5.00\nc,-,7.00\n"
    const { reason } = await read(text, { ...euro, columns })
    expect(reason).toContain('line 2: "-10.00" is negative in the column of money out')
    expect(reason).toContain("--map sign=none")
    const found = await read(text, { ...euro, columns: { ...columns, sign: "none" } })
    expect(shown(found.rows)).toEqual(["a | -10.00", "b | 5.00", "c | 7.00"])
  })

  const marked = "key,amount,D/C\na,10.00,D\nb,25.00,C\n"

  test("in a column of markers is asked about, and read as they are named", async () => {
    expect((await read(marked, euro)).reason).toContain(
      'its column "D/C" shows a direction, and which side is money in depends on the account: say --map sign="D/C" --marker-in C --marker-out D, or the reverse. To ignore it: --map sign=none',
    )
    const columns = { sign: "D/C" }
    expect((await read(marked, { ...euro, columns })).reason).toContain("--marker-in <text> --marker-out <text>")
    const markers = { in: ["c"], out: ["D"] }
    const found = await read(marked, { ...euro, columns, markers })
    expect(shown(found.rows)).toEqual(["a | -10.00", "b | 25.00"])
    expect(found.reading?.markers).toEqual(markers)
    expect(shown((await read(marked, { ...euro, columns: { sign: "none" } })).rows)).toEqual(["a | 10.00", "b | 25.00"])
    const odd = await read(`${marked}c,1,X\n`, { ...euro, columns, markers })
    expect(odd.reason).toContain('line 4: "X" is no marker of money in or out')
    const twice = await read(`${marked}c,-1,D\n`, { ...euro, columns, markers })
    expect(twice.reason).toContain('"-1" is negative beside a marker, which says its direction twice')
  })

  test("in a column of markers without a name for it is detected by its cells", async () => {
    expect((await read(marked.replace("D/C", "x"), euro)).reason).toContain('its column "x" shows a direction')
    expect((await read(`${marked.replace("D/C", "x")}c,1,other\n`, euro)).rows).toHaveLength(3)
  })

  test("in a column of markers is proved by a balance", async () => {
    const text = "key,amount,x,left\na,10.00,D,90\nb,25.00,C,115\nc,5,C,120\n"
    const found = await read(text, { ...euro, columns: { balance: "left" } })
    expect(shown(found.rows)).toEqual(["a | -10.00", "b | 25.00", "c | 5"])
    expect(found.reading).toMatchObject({ columns: { sign: "x" }, markers: { in: ["C"], out: ["D"] } })
  })

  test("behind the amount is asked about, and read as it is named", async () => {
    const text = "key,amount\na,10.00 Dr\nb,25.00 Cr\n"
    expect((await read(text, euro)).reason).toContain(
      "line 2: its amount has the marker DR, and which side is money in",
    )
    const found = await read(text, { ...euro, markers: { in: ["CR"], out: ["DR"] } })
    expect(shown(found.rows)).toEqual(["a | -10.00", "b | 25.00"])
  })

  test("behind some amounts is asked about, unless the side of the others is named", async () => {
    const markers = { in: ["CR"], out: ["DR"] }
    for (const [text, none, marker] of [
      ["key,amount\na,50.00 CR\nb,40.00\n", 3, 2],
      ["key,amount\nb,40.00\na,50.00 CR\n", 2, 3],
    ] as const) {
      expect((await read(text, { ...euro, markers })).reason).toBe(
        `line ${none} has an amount without a marker ("40.00"), and line ${marker} one with a marker ("50.00 CR"): which side those without are on depends on the account. Say --marker-in "" or --marker-out ""`,
      )
      const out = await read(text, { ...euro, markers: { in: ["CR"], out: [""] } })
      expect(shown(out.rows)?.toSorted()).toEqual(["a | 50.00", "b | -40.00"])
      const into = await read(text, { ...euro, markers: { in: [""], out: ["CR"] } })
      expect(shown(into.rows)?.toSorted()).toEqual(["a | -50.00", "b | 40.00"])
    }
    // A sign says the direction, and zero needs none.
    const signed = await read("key,amount\na,50.00 CR\nb,-40.00\nc,(30.00)\nd,20.00-\ne,0.00\n", { ...euro, markers })
    expect(shown(signed.rows)).toEqual(["a | 50.00", "b | -40.00", "c | -30.00", "d | -20.00", "e | 0.00"])
  })
})

test("groups of two digits and of three in one column are rejected, naming both", async () => {
  const text = 'key,amount\na,"45,44,773.07"\nb,"12,345.00"\n'
  expect((await read(text, euro)).rows?.[0]).toBe("line 2 | a | 4544773.07 fiat/EUR")
  expect((await read(`${text}c,"1,234,567.00"\n`, euro)).reason).toBe(
    "line 4 has groups of three digits (1,234,567.00), line 2 groups of two (45,44,773.07): write all alike",
  )
})

test("a ledger has up to 1,000 currencies", async () => {
  const ledger = (count: number) =>
    `key,amount,currency\n${Array.from({ length: count }, (_, index) => `k${index},1,net${index}/T\n`).join("")}`
  expect((await read(ledger(1000))).rows).toHaveLength(1000)
  expect((await read(ledger(1001))).reason).toBe(
    "line 1002: the ledger has more than 1000 currencies. Which column has the currency? Name it with --map currency=COLUMN",
  )
})
