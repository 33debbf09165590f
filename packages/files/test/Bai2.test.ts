/** BAI2 reports, written by hand after descriptions of the format, with control totals added up by hand. */
import { afterAll, describe, expect, test } from "vitest"
import * as Ledgers from "./Ledgers.ts"

const { read, remove } = Ledgers.folder()
afterAll(remove)

/** 100000 + 192864 + 94113 + 2849 + 1600 = 391426 for the first account; 5000 + 5000 = 10000 for the second. */
const report = `01,122099999,123456789,240930,0200,1,80,,2/
02,031001234,122099999,1,240930,,USD,2/
03,0975312468,,010,100000,,,015,192864,,/
16,165,94113,S,0,94113,0,BANK-1,order-1,ACME, INC
88,SEPTEMBER
16,475,2849,,BANK-2,1007,/
16,277,1600,V,240930,1200,BANK-3,order-3/
16,890,,,,,NO AMOUNT
49,391426,7/
03,4711,JPY,010,5000,,/
16,920,5000,D,2,0,4000,1,1000,BANK-4,order-4,
49,10000,3/
98,401426,2,12/
99,401426,1,14/
`

const columns = { key: "NtryRef", date: "BookgDt" }

describe("BAI2", () => {
  test("is read with credits and debits by their types, in the smallest unit of the currency", async () => {
    const found = await read(report, { columns })
    expect(found.rows).toEqual([
      "entry 1 (line 4) | order-1 | 941.13 fiat/USD | 2024-09-30",
      "entry 2 (line 6) | 1007 | -28.49 fiat/USD | 2024-09-30",
      "entry 3 (line 7) | order-3 | 16.00 fiat/USD | 2024-09-30",
      "entry 5 (line 11) | order-4 | 5000 fiat/JPY | 2024-09-30",
    ])
    expect(found.reading).toMatchObject({ format: "bai2", rows: 4 })
  })

  test("is not read below a line that is too long, though it is blank", async () => {
    const long = report.replace("98,401426", `${" ".repeat(140_000)}\n98,401426`)
    expect((await read(long, { columns })).reason).toBe("line 13: its record is too long")
    expect((await read(long.replace(/ {1000,}/, " ".repeat(60_000)), { columns })).rows).toHaveLength(4)
  })

  test("has no interim report beside the final one of an account and a day", async () => {
    const group = (modifier: string, day = "240930", account = "1") =>
      `02,b,a,1,${day},,USD,${modifier}/\n03,${account},/\n16,165,5,,B,order-1/\n49,5,3/\n98,5,1,5/\n`
    const of = (...groups: ReadonlyArray<string>) =>
      read(
        `01,a,b,240930,0200,1,80,,2/\n${groups.join("")}99,${5 * groups.length},${groups.length},${2 + 5 * groups.length}/\n`,
        { columns },
      )
    expect((await of(group("3"), group("2"))).reason).toBe(
      'line 8: account "1" has an interim and a final report of 20240930. Keep the final one only',
    )
    for (const other of [group("3", "240929"), group("3", "240930", "2"), group("4"), group("")]) {
      expect((await of(other, group("2"))).rows).toHaveLength(2)
    }
  })

  test.each([
    ["HUF", "50.00"],
    ["RSD", "50.00"],
    ["IDR", "50.00"],
    ["KRW", "5000"],
    ["IQD", "5.000"],
    ["KWD", "5.000"],
  ])("counts in the units that ISO 4217 gives %s", async (currency, amount) => {
    const { rows } = await read(report.replace("4711,JPY", `4711,${currency}`), { columns })
    expect(rows?.[3]).toContain(` | ${amount} fiat/${currency} | `)
  })

  test("takes another reference for the key", async () => {
    const keys = async (key: string) =>
      (await read(report, { columns: { key } })).rows?.map((row) => row.split(" | ")[1])
    expect(await keys("AcctSvcrRef")).toEqual(["BANK-1", "BANK-2", "BANK-3", "BANK-4"])
    expect(await keys("Ustrd")).toEqual(["ACME, INC SEPTEMBER", "", "", ""])
    expect((await read(report)).reason).toContain("no transaction has an EndToEndId")
  })

  test("may end its records in blanks, with any line breaks", async () => {
    expect((await read(report.replaceAll("\n", "   \r\n"), { columns })).rows).toHaveLength(4)
  })

  test("may be several files, one behind the other, but not a part of one", async () => {
    expect((await read(`${report}${report}`, { columns })).rows).toHaveLength(8)
    const part = report.slice(0, report.indexOf("98,"))
    const reason = "it ends before its trailer (99). Is the report complete?"
    expect((await read(`${report}${part}`, { columns })).reason).toContain(reason)
    expect((await read(`${part}${report}`, { columns })).reason).toContain("line 13: a file begins (01) before the one")
  })

  test("says where transactions do not lead from the opening to the closing ledger balance", async () => {
    const unequal = async (from: string, to: string) => {
      expect(report).toContain(from)
      return (await read(report.replace(from, to), { columns })).reading?.unequal
    }
    expect(await unequal("USD", "USD")).toBeUndefined()
    const first = { account: "0975312468", day: "2024-09-30", place: "line 3" }
    const moved = (opening: string, closing: string) => `010,${opening},,,015,${closing},,/`
    const balances = moved("100000", "192864")
    expect(await unequal(balances, moved("100001", "192863"))).toEqual([{ ...first, difference: "-0.02 USD" }])
    expect(await unequal(balances, moved("99000", "193864"))).toEqual([{ ...first, difference: "20.00 USD" }])
    // A balance without an amount is none.
    expect(await unequal(balances, moved("", "292864"))).toBeUndefined()
    const second = { account: "4711", day: "2024-09-30", place: "line 10" }
    // An overdrawn account, of yen; the control totals stay.
    expect(await unequal("010,5000,,/", "010,-5000,,,015,5000,,,045,5000,,/")).toEqual([
      { ...second, difference: "5000 JPY" },
    ])
  })

  test("says which reports of an account and a day are there again, whose transactions count again", async () => {
    const of = (account: string, day: string, ...keys: ReadonlyArray<string>) => {
      const rows = keys.map((key) => `16,165,5,,B,${key}/\n`).join("")
      const [sum, lines] = [5 * keys.length, keys.length]
      return `01,a,b,${day},0200,1,80,,2/\n02,b,a,1,${day},,USD,2/\n03,${account},/\n${rows}49,${sum},${lines + 2}/\n98,${sum},1,${lines + 4}/\n99,${sum},1,${lines + 6}/\n`
    }
    const repeated = async (...reports: ReadonlyArray<string>) =>
      (await read(reports.join(""), { columns })).reading?.repeated
    const [first, none] = [of("1", "240930", "x", "y"), of("1", "240930")]
    expect(await repeated(first, of("2", "240930", "x", "y"), first)).toEqual([
      { account: "1", day: "2024-09-30", place: "line 19" },
    ])
    const lineless = first.replaceAll("\n", "\r\n").replace(",0200,1,", ",0300,2,")
    expect(await repeated(first, lineless)).toHaveLength(1)
    expect(await repeated(first, of("1", "240929", "x", "y"))).toBeUndefined()
    expect(await repeated(first, of("1", "240930", "x", "z"), of("1", "240930", "x"))).toBeUndefined()
    expect(await repeated(first, none, none)).toBeUndefined()
    expect(await repeated(...Array.from({ length: 30 }, () => first))).toHaveLength(20)
  })

  test.each<[string, string, string, string]>([
    [
      "an account that does not add up",
      "49,391426",
      "49,391427",
      "line 9: the amounts of its account add up to 391426",
    ],
    ["a group that does not add up", "98,401426", "98,401425", "line 13: the amounts of its group add up to 401426"],
    ["a file that does not add up", "99,401426", "99,401425", "line 14: the amounts of its file add up to 401426"],
    ["a record too few", "49,391426,7", "49,391426,8", 'line 9: its account has 7 records, and not "8"'],
    [
      "an account too few",
      "98,401426,2,12",
      "98,401426,3,12",
      'its group has 2 parts and 12 records, and not "3 and 12"',
    ],
    ["a missing transaction", "16,277,1600,V,240930,1200,BANK-3,order-3/\n", "", "add up to 389826"],
    ["a type that is neither", "16,475", "16,721", 'entry 2 (line 6): its type "721" is neither a credit nor a debit'],
    ["an amount with a point", "94113,S", "941.13,S", 'entry 1 (line 4): Not an amount of BAI2: "941.13"'],
    [
      "an amount with a sign",
      "475,2849",
      "475,-2849",
      'entry 2 (line 6): Not an amount of BAI2: "-2849". Its type, and no sign, says',
    ],
    ["a deletion", "122099999,1,240930,,USD", "122099999,2,240930,,USD", "line 2: its group is a deletion"],
    ["a test", "122099999,1,240930,,USD", "122099999,4,240930,,USD", "line 2: its group is a test"],
    ["another type of funds", "2849,,", "2849,Q,", 'line 6: its type of funds "Q" is none of BAI2'],
    ["no end", "99,401426,1,14/\n", "", "it ends before its trailer (99). Is the report complete?"],
    ["another record", "16,890", "17,890", "line 8: its record code 17 is none of BAI2"],
    ["a currency that is none", "4711,JPY", "4711,XX", 'line 10: its currency "XX" is none of ISO 4217'],
    ["a line that is none", "88,SEPT", "SEPT", 'line 5: Not a record of BAI2: "SEPTEMBER"'],
    ["an account in another", "49,391426,7/\n", "", "line 9: an account begins (03) outside of a group, or before"],
    [
      "a group in an account",
      "49,391426,7/\n",
      "02,031001234,122099999,1,240930,,USD,2/\n",
      "line 9: a group begins (02)",
    ],
    ["an account without an end", "49,10000,3/\n", "", "line 12: a group ends (98) that did not begin, or before"],
    ["a group without an end", "98,401426,2,12/\n", "", "line 13: the file ends (99) that did not begin, or before"],
    [
      "a second group of no file",
      "99,401426,1,14/\n",
      "99,401426,1,14/\n02,1,1,1,240930,,USD,2/\n",
      "line 15: a group begins (02) outside of a file",
    ],
    [
      "a transaction behind its end",
      "99,401426,1,14/\n",
      "99,401426,1,14/\n16,165,5,Z,B,c/\n",
      "line 15: a transaction (16)",
    ],
  ])("with %s is rejected", async (_, from, to, reason) => {
    expect(report).toContain(from)
    expect((await read(report.replace(from, to), { columns })).reason).toContain(reason)
  })
})
