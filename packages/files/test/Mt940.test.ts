/** The fields of MT940 as banks write them. */
import { describe, expect, test } from "vitest"
import * as Mt940 from "../src/statements/Mt940.ts"
import * as Statement from "../src/statements/Statement.ts"

/** Reads messages. Those whose lines have no account get one, in a line above their opening balance. */
const read = async (...given: ReadonlyArray<string>) => {
  const hasAccount = given.some((line) => /^:25P?:/.test(line))
  const lines = given.flatMap((line) => (/:60[FM]:/.test(line) && !hasAccount ? [":25:DE02/123", line] : [line]))
  const rows: Array<Readonly<Record<string, string>>> = []
  const chunks = (async function* () {
    yield lines.join("\n")
  })()
  try {
    for await (const batch of Mt940.rowsOf(chunks)) {
      for (const { place, cells } of batch) {
        if (cells === Statement.header.cells) continue
        const named = Statement.columns.map((column, index) => [column, cells[index]] as const)
        rows.push(
          Object.fromEntries([["place", place], ...named.flatMap(([name, cell]) => (cell ? [[name, cell]] : []))]),
        )
      }
    }
    return { rows }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : "" }
  }
}

const opening = ":60F:C240930EUR100,00"
const closing = (units: string) => `:62F:C240930EUR${units}`

describe("an entry", () => {
  test.each<[string, string, Readonly<Record<string, string>>]>([
    [
      "with a day of booking",
      "2409300929C5,NMSCREF//B",
      { Amt: "5", ValDt: "20240930", BookgDt: "20240929", NtryRef: "REF", AcctSvcrRef: "B" },
    ],
    ["without one", "240930C5,5S103REF", { Amt: "5.5", ValDt: "20240930", BookgDt: "20240930", NtryRef: "REF" }],
    [
      "with a letter of funds",
      "240930CR0005,00FMSCNONREF//B//C",
      { Amt: "5.00", BookgDt: "20240930", ValDt: "20240930", AcctSvcrRef: "B//C" },
    ],
    ["of less than one", "240930C000,05NMSC", { Amt: "0.05", BookgDt: "20240930", ValDt: "20240930" }],
    ["of 15 digits", "240930C123456789012345,NMSC", { Amt: "123456789012345", BookgDt: "20240930", ValDt: "20240930" }],
    ["of a debit", "240930D5,NMSC", { Amt: "-5", BookgDt: "20240930", ValDt: "20240930" }],
    ["of a debit that is expected", "240930ED5,NMSC", { Amt: "-5", BookgDt: "20240930", ValDt: "20240930" }],
    ["of a credit that is expected", "240930EC5,NMSC", { Amt: "5", BookgDt: "20240930", ValDt: "20240930" }],
    ["of a reversed credit", "240930RC5,NMSC", { Amt: "-5", BookgDt: "20240930", ValDt: "20240930" }],
    ["of a reversed debit", "240930RD5,NMSC", { Amt: "5", BookgDt: "20240930", ValDt: "20240930" }],
  ])("%s is read", async (_, field, row) => {
    const amount = Statement.units(row["Amt"]?.replace("-", "") ?? "", row["Amt"]?.startsWith("-") === true) ?? 0n
    const end = Statement.toText(100n * 10n ** 18n + amount).replace(".", ",")
    const last = closing(end.includes(",") ? end : `${end},`)
    expect(await read(opening, `:61:${field}`, last)).toEqual({
      rows: [{ place: "entry 1 (line 3)", Ccy: "EUR", ...row }],
    })
  })

  test.each([
    ["240701", "0801", undefined],
    [
      "240701",
      "0802",
      "entry 1 (line 3): booked on 20240802 by the day of its value, after the closing balance of 2024-07-01 (line 4). Export the statement again",
    ],
    [
      "240531",
      "0510",
      "entry 1 (line 3): booked on 20250510 by the day of its value, after the closing balance of 2024-05-31 (line 4). Export the statement again",
    ],
  ])("before the balance of %s that is booked on %s: %s", async (closed, booked, reason) => {
    const value = booked === "0510" ? "241220" : "240801"
    const found = await read(":60F:C240501EUR100,", `:61:${value}${booked}C0,NMSC`, `:62F:C${closed}EUR100,`)
    expect(found.reason).toBe(reason)
  })

  test("whose day is too late is rejected wherever it is, and only with its own statement", async () => {
    const statement = (opened: string, days: ReadonlyArray<string>, closed: string) => [
      ":20:x",
      `:60F:C${opened}EUR100,`,
      ...days.map((day) => `:61:${day}${day.slice(2)}C0,NMSC`),
      `:62F:C${closed}EUR100,`,
    ]
    const late = ["240503", "240901", "240502"]
    const before = statement("240101", ["240131"], "240131")
    expect((await read(...before, ...statement("240501", late, "240531"))).reason).toContain(
      "entry 3 (line 10): booked on",
    )
    expect(await read(...statement("240501", late, "240901"), ...before)).not.toHaveProperty("reason")
  })

  test.each([
    "x240930C5,NMSC",
    "24093C5,NMSC",
    "240930X5,NMSC",
    "240930C5NMSC",
    "240930C,5NMSC",
    "240930C1234567890123456,NMSC",
    "240930C5,nmsc",
    "240930C5,NMS",
    "240930C5,1MSC",
    "240930CRR5,NMSC",
    "240930C0,0000000000000000001NMSC",
  ])("such as %s is rejected", async (field) => {
    const reason = `entry 1 (line 3): Not an entry of MT940: ${JSON.stringify(field)}`
    expect(await read(opening, `:61:${field}`, closing("105,"))).toEqual({ reason })
  })
})

describe("the sums of a statement", () => {
  const [credit, debit] = [":61:240930C5,NMSC", ":61:240930D2,50NMSC"]
  const entries = [credit, credit, debit]

  test.each([
    [
      "after the closing balance",
      [opening, ...entries, closing("107,5"), ":64:C240930EUR1,", ":90D:1EUR2,5", ":90C:2EUR10,"],
    ],
    ["before it", [opening, ...entries, ":90D:1EUR2,5", ":90C:00002EUR10,00", closing("107,5")]],
    ["of no entries", [opening, closing("100,00"), ":90D:0EUR0,", ":90C:0EUR0,"]],
    [
      "of one page and of all",
      [
        opening,
        credit,
        ":62M:C240930EUR105,",
        ":90C:2EUR10,",
        ":60M:C240930EUR105,",
        credit,
        debit,
        closing("107,5"),
        ":90C:2EUR10,",
        ":90D:1EUR2,5",
      ],
    ],
    [
      "of each page",
      [
        opening,
        credit,
        ":62M:C240930EUR105,",
        ":90C:1EUR5,",
        ":60M:C240930EUR105,",
        credit,
        closing("110,"),
        ":90C:1EUR5,",
      ],
    ],
    [
      "with a reversal, which banks count on either side",
      [opening, ":61:240930RC5,NMSC", closing("95,"), ":90C:1EUR5,"],
    ],
  ])("are held against its entries: %s", async (_, lines) => {
    const { reason } = await read(...lines, ":20:next", opening, closing("100,00"))
    expect(reason).toBeUndefined()
  })

  test.each([
    ["90D:2EUR2,5", "it says 2 entries of -2.5 (:90D:), and the statement has 1 of -2.5"],
    ["90D:1EUR2,51", "it says 1 entries of -2.51 (:90D:), and the statement has 1 of -2.5"],
    ["90C:3EUR15,", "it says 3 entries of 15 (:90C:), and the statement has 2 of 10"],
    ["90C:2EUR10.", 'Not a sum (:90C:): "2EUR10."'],
  ])("that do not fit are rejected: %s", async (field, expected) => {
    for (const rest of [[], [":20:next", opening, closing("100,00")]]) {
      const { reason } = await read(opening, ...entries, closing("107,5"), `:${field}`, ...rest)
      expect(reason).toContain(`line 7: ${expected}`)
    }
  })

  test("tell that both sides lack entries that add up to zero", async () => {
    const { reason } = await read(opening, credit, closing("105,"), ":90C:2EUR10,", ":90D:1EUR5,")
    expect(reason).toBe(
      "line 5: it says 2 entries of 10 (:90C:), and the statement has 1 of 5. Is the statement complete? Export it again",
    )
  })
})

test.each([[[":20:next"]], [[":20:next", ":25:DE02/123", ":28C:2/1"]], [[":20:next", ":21:NONREF", "-"]]])(
  "a message that ends with its header is rejected, at the end and before another: %j",
  async (header) => {
    const whole = [":20:first", ":25:DE02/123", opening, closing("100,")]
    for (const rest of [[], whole]) {
      const { reason } = await read(...whole, ...header, ...rest)
      expect(reason).toBe("line 5: the message ends before its opening balance (:60F:). Is the statement complete?")
    }
    expect((await read(...whole, ...whole)).reason).toBeUndefined()
  },
)

describe("balances", () => {
  test("of credit and debit lead from one to the other", async () => {
    const [from, to] = [":60F:D240930EUR000100,5  ", ":62F:D240930EUR95,5"]
    expect((await read(from, ":61:240930C5,NMSC", to)).rows).toHaveLength(1)
    expect(await read(from, ":61:240930C6,NMSC", to)).toEqual({
      reason: "line 4: its entries add up to 6, but its balances differ by 5. Is the statement complete?",
    })
  })

  test.each([
    ":60F:X240930EUR1,",
    ":60F:C24093EUR1,",
    ":60F:C240930EU1,",
    ":60F:C240930EUR1",
    ":60F:C240930EUR1,x",
    ":60F:xC240930EUR1,",
  ])("such as %s are rejected", async (field) => {
    expect((await read(":20:x", field)).reason).toBe(`line 3: Not a balance (:60F:): ${JSON.stringify(field.slice(5))}`)
  })

  test("of a closing without an opening one are rejected", async () => {
    expect(await read(closing("1,"))).toEqual({
      reason: "line 1: a closing balance without an opening one (:60F:)",
    })
  })
})

describe("pages", () => {
  const page = (number: string, from: string, to: string, ...more: ReadonlyArray<string>) => [
    ":20:S",
    ":25:DE02/123",
    ...(number === "" ? [] : [`:28C:${number}`]),
    `:60${from}`,
    ...more,
    `:62${to}`,
    "-",
  ]
  const entry = ":61:240930C5,NMSCREF"
  const first = page("9/1", "F:C240901EUR100,", "M:C240902EUR105,", entry)
  const second = page("00009/002", "M:C240902EUR105,", "M:C240903EUR110,", entry)
  const third = page("9/3", "M:C240903EUR110,", "F:C240904EUR115,", entry)

  test("of a statement are read as one, also between those of another account", async () => {
    const other = page("1/1", "F:C240901EUR3,", "F:C240901EUR3,").map((line) => line.replace("DE02", "DE03"))
    expect((await read(...first, ...second, ...other, ...third)).rows).toHaveLength(3)
  })

  test("without numbers, or with the number of the statement alone, are held to their balances", async () => {
    for (const number of ["", "9"]) {
      const pages = [first, second, third].map((lines) =>
        lines.flatMap((line) => (!line.startsWith(":28C:") ? line : number === "" ? [] : `:28C:${number}`)),
      )
      expect((await read(...pages.flat())).rows).toHaveLength(3)
      expect((await read(...(pages[0] ?? []), ...(pages[2] ?? []))).reason).toMatch(
        /^line \d+: the page begins with 110 EUR, but the one before it ends with 105 EUR [(]line \d[)][.] Is the statement complete[?]/,
      )
    }
  })

  test.each<[string, ReadonlyArray<ReadonlyArray<string>>, string]>([
    ["the last", [first, second], "line 13: the statement goes on (:62M:), but the file has no page after this one"],
    ["the only one after the first", [first], "line 6: the statement goes on (:62M:)"],
    ["the first", [second, third], "line 4: it goes on (:60M:), but the file does not have the page before it"],
    [
      "one between them",
      [first, third],
      "line 11: the page begins with 110 EUR, but the one before it ends with 105 EUR",
    ],
    [
      "one between them that changes no balance",
      [first, page("9/3", "M:C240902EUR105,", "F:C240904EUR105,")],
      "line 11: the page is 9/3 (:28C:), but the one before it is 9/1",
    ],
    [
      "those of two statements between them",
      [first, page("10/2", "M:C240902EUR105,", "F:C240904EUR105,")],
      "line 11: the page is 10/2 (:28C:), but the one before it is 9/1",
    ],
    [
      "the last, before another statement",
      [first, page("10/1", "F:C240902EUR105,", "F:C240904EUR105,")],
      "line 11: a statement begins (:60F:), but the one above goes on (line 6, :62M:)",
    ],
    [
      "the last, and another account has one",
      [first, third.map((line) => line.replace("DE02", "DE03"))],
      "line 11: it goes on (:60M:)",
    ],
    [
      "another currency",
      [first, page("9/2", "M:C240902USD105,", "F:C240904USD105,")],
      "line 11: the page begins with 105 USD, but the one before it ends with 105 EUR",
    ],
    [
      "the end of one",
      [first.filter((line) => !line.startsWith(":62")), second],
      "line 10: a statement begins before the closing balance (:62F:) of the one above",
    ],
  ])("of which %s is missing are rejected", async (_, pages, reason) => {
    const found = (await read(...pages.flat())).reason
    expect(found).toContain(reason)
    expect(found).toContain("Export it as one file with all its pages")
  })
})

describe("statements of an account", () => {
  const statement = (from: number, to: number, account = "DE02/123", currency = "EUR") => [
    ":20:S",
    ...(account === "" ? [] : [`:25:${account}`]),
    ":28C:1/1",
    `:60F:C240901${currency}${from},`,
    `:61:240930C${to - from},NMSCREF`,
    `:62F:C240902${currency}${to},`,
    "-",
  ]

  test("follow each other, oldest or newest first, and others may lie between them", async () => {
    const [one, two, three] = [statement(1, 2), statement(2, 5), statement(5, 9)]
    const others = [...statement(7, 8, "DE03/4"), ...statement(0, 3, "DE02/123", "USD")]
    expect((await read(...one, ...others, ...two, ...three)).rows).toHaveLength(5)
    expect((await read(...three, ...two, ...one)).rows).toHaveLength(3)
  })

  test("without the account of one are rejected, because nothing shows what it follows", async () => {
    const reason =
      "line 10: a statement without its account (:25:), which shows what statement it follows. Export it again, with all fields of MT940"
    expect(await read(...statement(1, 2), ...statement(7, 9, ""))).toEqual({ reason })
    const blank = statement(7, 9).map((line) => (line.startsWith(":25:") ? ":25: " : line))
    expect((await read(...blank)).reason).toContain("line 4: a statement without its account (:25:)")
    const identified = statement(1, 2).map((line) => line.replace(":25:", ":25P:"))
    expect((await read(...identified)).rows).toHaveLength(1)
  })

  test.each<[string, ReadonlyArray<ReadonlyArray<string>>, string]>([
    [
      "one is missing",
      [statement(1, 2), statement(5, 9)],
      "line 11: it opens with 5, but the statement of its account above it closes with 2.",
    ],
    ["one is missing, newest first", [statement(5, 9), statement(2, 5), statement(0, 1)], "line 18: it opens with 0"],
    ["one is there twice", [statement(1, 2), statement(1, 2)], "line 11: it opens with 1"],
    ["one is there twice at the end", [statement(1, 2), statement(2, 4), statement(1, 2)], "line 18: it opens with 1"],
  ])("of which %s are rejected", async (_, statements, reason) => {
    expect((await read(...statements.flat())).reason).toContain(reason)
  })

  test("that change no balance are rejected if one is there twice, by number and day", async () => {
    const level = (number: number, day = 2) => {
      const entries = [":61:240930C5,NMSCREF", ":61:240930D5,NMSCREF"]
      const lines = [":20:S", ":25:DE02/123", ":28C:9/1", ":60F:C240901EUR1,", ...entries, ":62F:C240902EUR1,", "-"]
      return lines.map((line) => line.replace(":28C:9", `:28C:${number}`).replace(":62F:C240902", `:62F:C24090${day}`))
    }
    expect((await read(...level(9), ...level(10), ...level(10, 3))).rows).toHaveLength(6)
    expect((await read(...level(9), ...level(10), ...level(9))).reason).toBe(
      "line 20: a statement above it has the same account, number and day. Is it there twice?",
    )
    const empty = level(9).filter((line) => !line.startsWith(":61:"))
    expect((await read(...empty, ...empty)).rows).toHaveLength(0)
  })
})

describe("a message", () => {
  const entry = ":61:240930C5,NMSCREF"

  test.each([
    ["ends with the file", [opening, entry, closing("105,")]],
    ["ends with a hyphen", [opening, entry, closing("105,"), "-", "x"]],
    ["ends with a hyphen and a brace", [opening, entry, closing("105,"), "-}{5:{CHK:1}}"]],
    ["begins behind a brace", [`{4:${opening}`, entry, closing("105,"), "-}"]],
    ["has text before its first field", ["", "x", opening, entry, closing("105,")]],
    [
      "has text behind its end",
      [opening, entry, closing("105,"), "-", ...Array.from({ length: 20 }, () => "x".repeat(5000))],
    ],
    ["has other fields", [":20:x", opening, entry, ":99X:y", closing("105,"), ":86:of the statement"]],
  ])("%s", async (_, lines) => {
    expect((await read(...lines)).rows?.map(({ NtryRef }) => NtryRef)).toEqual(["REF"])
  })

  test("has a row for each entry, with or without a text", async () => {
    const lines = [opening, entry, entry, ":86:one", "two", entry, ":86:three", entry, closing("120,"), "-"]
    expect((await read(...lines)).rows?.map(({ place, Ustrd }) => [place, Ustrd])).toEqual([
      ["entry 1 (line 3)", undefined],
      ["entry 2 (line 4)", "one two"],
      ["entry 3 (line 7)", "three"],
      ["entry 4 (line 9)", undefined],
    ])
  })

  test("has fields of at most 64 KB", async () => {
    const lines = (length: number) => [opening, entry, ":86:a", "b".repeat(length - 2), closing("105,")]
    expect((await read(...lines(64 * 1024))).rows?.[0]?.["Ustrd"]).toHaveLength(64 * 1024)
    expect((await read(...lines(64 * 1024 + 1))).reason).toBe("line 5: the field 86 is too long")
  })

  test("has lines of at most 64 KB", async () => {
    const lines = (length: number) => ["x".repeat(length), opening, entry, closing("105,")]
    expect((await read(...lines(64 * 1024))).rows).toHaveLength(1)
    expect((await read(...lines(64 * 1024 + 1))).reason).toBe("line 1 is too long")
  })
})

test("fields that are none are shown by their first 64 characters", async () => {
  const text = "x".repeat(100)
  const shown = JSON.stringify("x".repeat(64))
  expect((await read(`:60F:${text}`)).reason).toBe(`line 2: Not a balance (:60F:): ${shown}`)
  expect((await read(opening, `:61:${text}`)).reason).toBe(`entry 1 (line 3): Not an entry of MT940: ${shown}`)
})
