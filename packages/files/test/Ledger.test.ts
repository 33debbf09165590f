/** Rows of cells as entries of a ledger. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Day from "@transferkit/domain/Day"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as Booking from "../src/ledgers/Booking.ts"
import * as Ledger from "../src/ledgers/Ledger.ts"
import * as LedgerColumns from "../src/ledgers/LedgerColumns.ts"
import * as LedgerCurrency from "../src/ledgers/LedgerCurrency.ts"

const find = (header: ReadonlyArray<string>, columns: LedgerColumns.Given = {}) => LedgerColumns.find(header, columns)

describe("columns", () => {
  test("are found by their usual names, whatever their case and blanks, or by the given ones", () => {
    expect(find([" External_ID ", "x", "AMOUNT", "Ccy", "status"])).toEqual(
      Result.succeed({ key: 0, amount: 2, currency: 3, status: 4 }),
    )
    expect(find(["amount", "my key", "paid on"], { key: " MY KEY ", date: "Paid On" })).toEqual(
      Result.succeed({ key: 1, amount: 0, date: 2 }),
    )
  })

  test.each<[string, ReadonlyArray<string>, LedgerColumns.Given, string]>([
    [
      "a missing key",
      ["amount", "note"],
      {},
      "it has no column external_id or key or reference or order_id or endtoendid for the key; its columns are amount and note. Name it with --map key=<column>.",
    ],
    ["a missing amount", ["key"], {}, "for the amount; its columns are key. Name it with --map amount=<column>."],
    [
      "a currency that was named",
      ["key", "amount", "b"],
      { currency: "C" },
      "it has no column c for the currency; its columns are key, amount and b. Name it with --map currency=<column> or --ledger-currency fiat/USD.",
    ],
    [
      "a part that could be several",
      ["key", "reference", "order_id", "amount"],
      {},
      "its key could be key, reference or order_id. Name it with --map key=<column>.",
    ],
    [
      "a name that several columns have",
      ["key", "Amount ", "amount"],
      {},
      "it has several columns Amount , so its amount is ambiguous. Rename all but one.",
    ],
    [
      "a name that some of several have",
      ["key", "amount", "total", "amount"],
      {},
      "it has several columns amount, so its amount is ambiguous. Rename all but one.",
    ],
  ])("are asked about: %s", (_, header, columns, reason) => {
    expect(find(header, columns)).toEqual(Result.fail(expect.stringContaining(reason)))
  })

  test("are listed up to thirty, by at most 64 characters", () => {
    const names = Array.from({ length: 31 }, (_, index) => `c${index}`)
    const listed = (header: ReadonlyArray<string>) =>
      Result.match(find(header), {
        onSuccess: () => "",
        onFailure: (reason) => /are (.*); |are (.*)[.] Name/.exec(reason),
      })
    expect(String(listed(names.slice(0, 30)))).toContain("c28 and c29.")
    expect(String(listed(names))).toContain("c28, c29 and 1 more.")
    expect(String(listed([` ${"x".repeat(65)} `]))).toContain(`are ${"x".repeat(64)}. Name`)
  })
})

const notation = { decimal: ".", dateOrder: "ymd" } as const
const row = (more: Partial<Booking.Booking>): Booking.Booking => ({
  place: "line 2",
  key: "a",
  amount: "1.50",
  currency: undefined,
  status: undefined,
  date: undefined,
  payout: undefined,
  numbers: { key: false, amount: undefined },
  ...more,
})
const entry = (more: Partial<Booking.Booking>, options: Partial<Ledger.LedgerOptions> = { currency: "EUR" }) => {
  const found = Booking.toEntry(row(more), notation, { ...Ledger.detectAll, ...options })
  return Result.isSuccess(found) ? JSON.parse(JSON.stringify(found.success)) : found.failure
}

test("a row has the cells of each part, and which of them are numbers", () => {
  const cells = ["k", "5", "USD", "done", "2024-09-30"]
  const columns = { key: 0, amount: 1, currency: 2, status: 3, date: 4 }
  const named = { place: "p", key: "k", amount: "5", currency: "USD", status: "done", date: "2024-09-30" }
  const numbers = new Map([[1, "rounded" as const]])
  expect(Booking.fromRow({ place: "p", cells, numbers }, columns)).toEqual({
    ...named,
    numbers: { key: false, amount: "rounded" },
  })
  expect(Booking.fromRow({ place: "p", cells, numbers: new Map([[0, "exact"]]) }, columns)).toEqual({
    ...named,
    numbers: { key: true, amount: undefined },
  })
  expect(Booking.fromRow({ place: "p", cells }, {})).toEqual({
    place: "p",
    key: undefined,
    amount: undefined,
    currency: undefined,
    status: undefined,
    date: undefined,
    payout: undefined,
    numbers: { key: false, amount: undefined },
  })
})

describe("an entry", () => {
  const money = { amount: "1.50", currency_code: "fiat/EUR" }

  test("has its parts without blanks, and those that are there only", () => {
    expect(entry({ key: " a ", status: " done ", date: " 2024-9-3 " })).toEqual({
      reference: "line 2",
      key: "a",
      amount: money,
      status: "done",
      date: "2024-09-03",
    })
    expect(entry({ key: undefined, status: " " })).toEqual({ reference: "line 2", key: "", amount: money })
  })

  test("has an amount that is a number in the grammar of Amount, however texts are written", () => {
    const written = { ...notation, decimal: "," } as const
    const options = { ...Ledger.detectAll, currency: "EUR", thousands: "'" }
    const amountOf = (more: Partial<Booking.Booking>) =>
      Result.map(Booking.toEntry(row(more), written, options), ({ amount }) => amount.text)
    expect(amountOf({ numbers: { key: false, amount: "exact" } })).toEqual(Result.succeed("1.50"))
    expect(amountOf({ amount: "1'000,5" })).toEqual(Result.succeed("1000.5"))
  })

  test("takes its currency from its column, the option or its amount, in this order", () => {
    const codeOf = (more: Partial<Booking.Booking>, currency?: string) =>
      entry(more, { currency })?.amount?.currency_code
    expect(codeOf({ currency: " usd " })).toBe("fiat/USD")
    expect(codeOf({ currency: " USD " }, "usd")).toBe("fiat/USD")
    expect(codeOf({ currency: " " }, "EUR")).toBe("fiat/EUR")
    expect(codeOf({ currency: "ethereum/ETH" })).toBe("ethereum/ETH")
    expect(codeOf({ amount: "1.50 EUR" })).toBe("fiat/EUR")
    expect(codeOf({ amount: "1.50 ETH", currency: "ethereum/ETH" })).toBe("ethereum/ETH")
    expect(codeOf({ amount: "1.50 EUR" }, "fiat/EUR")).toBe("fiat/EUR")
    expect(codeOf({ amount: "$1.50" }, "USD")).toBe("fiat/USD")
    expect(codeOf({ amount: "$1.50", currency: "cad" })).toBe("fiat/CAD")
    expect(codeOf({ amount: "¥150", currency: "JPY" })).toBe("fiat/JPY")
  })

  test("has the other sign on demand", () => {
    expect(entry({}, { currency: "EUR", flipSign: true })).toMatchObject({ amount: { amount: "-1.50" } })
  })

  test.each<[string, Partial<Booking.Booking>, Partial<Ledger.LedgerOptions>, string]>([
    ["no amount", { amount: undefined }, {}, "line 2: the amount is empty"],
    ["no date", { date: "soon" }, { currency: "EUR" }, 'line 2: Not a date: "soon"'],
    ["a NUL in its key", { key: "a\0" }, {}, "line 2: its key holds a NUL character"],
    ["a lost character in its key", { key: "\ufffd" }, {}, "line 2: its key holds U+FFFD"],
    [
      "a key that is a long number",
      { key: "1000000000000000", numbers: { key: true, amount: undefined } },
      {},
      "line 2: its key is a number of 16 digits, and spreadsheets keep 15. Format the column as text, and enter its keys again",
    ],
    ["no currency", {}, {}, "line 2: its currency is unknown. Name it with --map currency=<column> or"],
    ["a currency that is none", { currency: "Euro" }, {}, "line 2: "],
    [
      "a currency of its amount that is none",
      { amount: "1 ETH" },
      {},
      "line 2: its currency is unknown. ETH is not a currency of ISO 4217. Name",
    ],
    [
      "two currencies",
      { amount: "1 EUR" },
      { currency: "USD" },
      "line 2: its amount is in EUR, but its currency is fiat/USD",
    ],
    [
      "a currency that the flag contradicts",
      { currency: "USD" },
      { currency: "EUR" },
      "line 2: its currency is fiat/USD, but --ledger-currency says fiat/EUR",
    ],
    ["a sign of several currencies", { amount: "$5" }, {}, "$ is the sign of several. Name it with"],
    [
      "a sign of other currencies",
      { amount: "$5" },
      { currency: "EUR" },
      "its amount has the sign $, but its currency",
    ],
    ["a sign of no crypto", { amount: "$5" }, { currency: "ethereum/USD" }, "has the sign $, but its currency"],
    ["a marker", { amount: "5 CR" }, { currency: "EUR" }, "line 2: its amount has the marker CR, and which side"],
  ])("with %s is rejected", (_, more, options, reason) => {
    expect(entry(more, options)).toEqual(expect.stringContaining(reason))
  })

  test("may have a key that is a long text, or a short number", () => {
    const number = { key: true, amount: undefined }
    expect(entry({ key: "1000000000000000" })).toMatchObject({ key: "1000000000000000" })
    expect(entry({ key: "100000000000000", numbers: number })).toMatchObject({ key: "100000000000000" })
  })
})

describe("a period", () => {
  const berlin = DateTime.zoneMakeNamedUnsafe("Europe/Berlin")
  const september = Result.getOrThrow(CreatedAt.month("2024-09", berlin))
  const within = (date: string | undefined, period: CreatedAt.CreatedAt, timeZone: DateTime.TimeZone = Day.utc) => {
    const options = { ...Ledger.detectAll, currency: "EUR", timeZone }
    const found = Result.getOrThrow(Booking.toEntry(row({ date }), notation, options))
    return Reconciliation.within({ period, timeZone }).entry(found)
  }
  const at = Timestamp.parseUnsafe

  test("has an entry if it has the first instant of its day, to the nanosecond", () => {
    const days = ["2024-09-29", "2024-09-30", "2024-10-01"]
    expect(days.map((date) => within(date, CreatedAt.lte(at("2024-09-30T00:00:00Z"))))).toEqual([true, true, false])
    const after = CreatedAt.gt(at("2024-09-30T00:00:00Z"))
    expect(days.map((date) => within(date, after))).toEqual([false, false, true])
    expect(days.map((date) => within(date, CreatedAt.all))).toEqual([true, true, true])
  })

  test("of days of a time zone has the ledger's days of that zone, and none is cut", () => {
    const days = ["2024-08-31", "2024-09-01", "2024-09-30", "2024-10-01"]
    expect(days.map((date) => within(date, september, berlin))).toEqual([false, true, true, false])
  })

  test.each([
    ["2024-08-31T22:00:00Z", true],
    ["2024-08-31T21:59:59.999999999Z", false],
    ["2024-10-01T00:30:00+02:30", false],
    ["2024-09-30T23:59:59+02:00", true],
  ])("places the instant %s exactly: %s", (date, expected) => {
    expect(within(date, september, berlin)).toBe(expected)
  })

  test("an instant has the day of the time zone", () => {
    const options = { ...Ledger.detectAll, currency: "EUR", timeZone: berlin }
    const booked = Result.getOrThrow(Booking.toEntry(row({ date: "2024-09-30T22:30:00Z" }), notation, options))
    expect([booked.date, booked.at?.text]).toEqual(["2024-10-01", "2024-09-30T22:30:00Z"])
  })

  test("has each entry without a date", () => {
    expect(within(undefined, CreatedAt.lt(at("2024-09-30T00:00:00Z")))).toBe(true)
  })
})

test.each([
  ["USD", "fiat/USD"],
  ["usd", "fiat/USD"],
  ["abc", "abc"],
  ["USDC", "USDC"],
  ["xUSD", "xUSD"],
])("the code of %s is %s", (text, code) => {
  expect(LedgerCurrency.codeOf(text)).toBe(code)
})
