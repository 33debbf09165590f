/** Pairs without guessing. */
import { describe, expect, test } from "vitest"
import * as CreatedAt from "../src/CreatedAt.ts"
import * as Money from "../src/Money.ts"
import * as Reconciliation from "../src/Reconciliation.ts"
import * as Timestamp from "../src/Timestamp.ts"
import { transferWith } from "./fixtures/service.ts"

const entry = (key: string, amount: string, status?: string): Reconciliation.LedgerEntry => ({
  reference: `line ${key}`,
  key,
  amount: Money.parseUnsafe(amount, "fiat/USD"),
  ...(status === undefined ? {} : { status }),
})
const transfer = (external_id: string | null, amount: string, status = "complete") =>
  transferWith({
    id: `tr ${external_id} ${amount}`,
    external_id,
    status,
    source_total: { amount, currency_code: "fiat/USD" },
  })

const tags = (reconciliation: Reconciliation.Reconciliation) => reconciliation.outcomes.map((outcome) => outcome._tag)
const only = (ledger: Reconciliation.LedgerEntry, service: ReturnType<typeof transfer>, options = {}) =>
  Reconciliation.reconcile([ledger], [service], options).outcomes[0]

describe("a pair", () => {
  test("matches by value, not by text", () => {
    expect(only(entry("a", "1.1"), transfer("a", "1.10"))?._tag).toBe("Matched")
  })

  test("differs by the service's amount minus the ledger's", () => {
    expect(only(entry("a", "10.00"), transfer("a", "9.99"))).toMatchObject({
      _tag: "Differs",
      differences: [{ _tag: "AmountDiffers", difference: Money.parseUnsafe("-0.01", "fiat/USD") }],
    })
  })

  test("differs in amount and status at once", () => {
    expect(only(entry("a", "1", "declined"), transfer("a", "2", "complete"))).toMatchObject({
      differences: [{ _tag: "AmountDiffers" }, { _tag: "StatusDiffers", ledger: "declined", transfer: "complete" }],
    })
  })

  test("has no amount difference if the currencies differ", () => {
    const euros = { ...entry("a", "1"), amount: Money.parseUnsafe("1", "fiat/EUR") }
    expect(only(euros, transfer("a", "1"))).toMatchObject({
      differences: [{ _tag: "CurrencyDiffers", ledger: "fiat/EUR", transfer: "fiat/USD" }],
    })
  })

  test("reports that the transfer does not have the amount", () => {
    const bare = transferWith({ external_id: "a", source_total: null })
    expect(only(entry("a", "1"), bare)).toMatchObject({ differences: [{ _tag: "AmountMissing" }] })
  })

  test.each([
    ["1.00", "1.01", "Matched"],
    ["1.00", "0.99", "Matched"],
    ["1.00", "1.011", "Differs"],
    ["1.00", "0.989", "Differs"],
  ])("%s against %s within 0.01: %s", (ledger, service, tag) => {
    const tolerance = [Money.parseUnsafe("0.01", "fiat/USD")]
    expect(only(entry("a", ledger), transfer("a", service), { tolerance })?._tag).toBe(tag)
  })

  test("ignores a tolerance in another currency", () => {
    const tolerance = [Money.parseUnsafe("1", "fiat/EUR")]
    expect(only(entry("a", "1.00"), transfer("a", "1.01"), { tolerance })?._tag).toBe("Differs")
  })

  test("is paired by any chosen field and compared by any amount", () => {
    const options = { key: "id", amount: "service_fee" } as const
    expect(only(entry("tr a 1", "4"), transfer("a", "1"), options)?._tag).toBe("Matched")
  })
})

/** An outcome as text: its tag, then amounts and statuses of its rows. */
const said = (outcome: Reconciliation.Outcome): string =>
  [
    outcome._tag,
    ...Reconciliation.entriesOf(outcome).map((row) => row.amount.text),
    ...Reconciliation.transfersOf(outcome).map((row) => `${row.source_total?.text} ${row.status}`),
  ].join(" ")

/** `100 declined` is an amount and a status; the status is optional. */
const rows = (text: string): ReadonlyArray<readonly [amount: string, status?: string]> =>
  text === "" ? [] : text.split(", ").map((row) => row.split(" ") as [string, string?])

describe("P2–P7: the rows of a key", () => {
  test.each([
    ["100", "100 complete", "Matched 100 100 complete"],
    ["100", "200 complete", "Differs 100 200 complete"],
    ["100", "", "NotAtService 100"],
    ["", "100 complete", "NotInLedger 100 complete"],
    ["100", "100 declined", "NotSettled 100 100 declined"],
    ["100", "90 executing", "NotSettled 100 90 executing"],
    ["", "100 declined", "NothingToBook 100 declined"],
    ["", "100 executing", "NothingToBook 100 executing"],
    ["100", "100 declined, 100 complete", "Matched 100 100 complete; NothingToBook 100 declined"],
    ["100", "100 declined, 200 complete", "Differs 100 200 complete; NothingToBook 100 declined"],
    ["100, 200", "100 complete, 200 complete", "Matched 100 100 complete; Matched 200 200 complete"],
    ["100, 50", "100 complete", "Matched 100 100 complete; NotAtService 50"],
    ["100, 100", "100 complete", "Ambiguous 100 100 100 complete"],
    ["100", "100 complete, 100 complete", "Ambiguous 100 100 complete 100 complete"],
    ["100", "100 complete, 100 executing", "Matched 100 100 complete; NothingToBook 100 executing"],
    ["100 declined", "100 declined, 50 complete", "Matched 100 100 declined; NotInLedger 50 complete"],
    ["100, 100", "100 complete, 100 complete", "Matched 100 100 complete; Matched 100 100 complete"],
    ["100, 60, 70", "100 complete, 50 complete", "Matched 100 100 complete; Ambiguous 60 70 50 complete"],
    ["100, 60", "100 complete, 50 complete", "Matched 100 100 complete; Differs 60 50 complete"],
    ["100, 50", "100 declined", "NotSettled 100 50 100 declined"],
    ["100 declined, 50", "100 declined", "Matched 100 100 declined; NotSettled 50"],
    ["100 declined", "90 declined", "Differs 100 90 declined"],
    ["100 complete", "100 declined", "NotSettled 100 100 declined"],
    ["100 lost", "100 complete", "Differs 100 100 complete"],
    ["100 lost, 100", "100 complete", "Matched 100 100 complete; NotAtService 100"],
    ["100, 50", "100 complete, 50 executing", "Matched 100 100 complete; NotSettled 50 50 executing"],
    ["100, 50", "100 complete, 60 executing", "Matched 100 100 complete; NotAtService 50; NothingToBook 60 executing"],
    ["100, 50 declined", "100 declined, 50 complete", "Differs 50 100 declined; Differs 100 50 complete"],
    ["1.0, 2", "2.00 complete, 1 complete", "Matched 1.0 1 complete; Matched 2 2.00 complete"],
  ])("%s | %s: %s", (booked, sent, expected) => {
    const ledger = rows(booked).map(([amount, status]) => entry("a", amount, status))
    const transfers = rows(sent).map(([amount, status]) => transfer("a", amount, status))
    expect(Reconciliation.reconcile(ledger, transfers).outcomes.map(said).join("; ")).toBe(expected)
  })

  test("without a key never pair with each other", () => {
    expect(tags(Reconciliation.reconcile([entry("", "1")], [transfer(null, "1"), transfer("", "1")]))).toEqual([
      "NotAtService",
      "NotInLedger",
      "NotInLedger",
    ])
  })

  test("are ambiguous if there are too many to hold", () => {
    const many = (count: number) => Array<Reconciliation.LedgerEntry>(count).fill(entry("a", "1"))
    const sent = (count: number) => Array.from({ length: count }, () => transfer("a", "1"))
    const most = Reconciliation.mostRows
    expect(Reconciliation.reconcile(many(most), sent(most)).totals.Matched.outcomes).toBe(most)
    expect(tags(Reconciliation.reconcile(many(most + 1), sent(most + 1)))).toEqual(["Ambiguous"])
  })

  test("P8: say which rows have the key's transfer, and whether the key was looked up", () => {
    const taken = Reconciliation.reconcile(
      [entry("a", "100"), { ...entry("a", "50"), reference: "line 9" }],
      [transfer("a", "100")],
    )
    expect(taken.outcomes[1]).toMatchObject({ why: { _tag: "Taken", by: ["line a"] } })
    const isEverywhere = (key: string) => key === "b"
    const { outcomes } = Reconciliation.reconcile([entry("a", "1"), entry("b", "1"), entry("", "1")], [], {
      isEverywhere,
    })
    expect(outcomes).toMatchObject([
      { why: { _tag: "NotFound", isEverywhere: false } },
      { why: { _tag: "NotFound", isEverywhere: true } },
      { why: { _tag: "NoKey" } },
    ])
  })

  test("have the classes of the deployment, which are not derived from a status' name", () => {
    const settlement = { settledStatuses: ["paid", "complete"], failedStatuses: ["dead"] }
    const of = (booked: string, sent: string) =>
      Reconciliation.reconcile(
        rows(booked).map(([amount, status]) => entry("a", amount, status)),
        rows(sent).map(([amount, status]) => transfer("a", amount, status)),
        { settlement },
      ).outcomes.map(said)
    expect(of("100", "100 paid")).toEqual(["Matched 100 100 paid"])
    expect(of("100", "100 declined")).toEqual(["NotSettled 100 100 declined"])
    expect(of("", "100 declined, 100 dead")).toEqual(["NothingToBook 100 declined", "NothingToBook 100 dead"])
    expect(of("100 paid, 100 complete", "100 complete, 100 paid")).toEqual([
      "Matched 100 100 paid",
      "Matched 100 100 complete",
    ])
    expect(of("100 paid", "100 complete")).toEqual(["Differs 100 100 complete"])
  })
})

describe("P1: filters", () => {
  const isRequired = ({ status }: { readonly status: string }) => status === "paid"
  const settlement = { settledStatuses: ["paid", "complete"], failedStatuses: [] }
  const of = (ledger: ReadonlyArray<Reconciliation.LedgerEntry>) =>
    Reconciliation.reconcile(ledger, [transfer("a", "1"), transfer("b", "2", "paid")], { isRequired, settlement })

  test("narrow what must be booked", () => {
    expect(of([]).outcomes).toMatchObject([{ _tag: "NothingToBook", why: "filtered" }, { _tag: "NotInLedger" }])
  })

  test("make no transfer unknown", () => {
    expect(tags(of([entry("a", "1"), entry("b", "2")]))).toEqual(["Matched", "Matched"])
  })
})

describe("with group", () => {
  const grouped = (
    ledger: ReadonlyArray<Reconciliation.LedgerEntry>,
    service: ReadonlyArray<ReturnType<typeof transfer>>,
  ) => Reconciliation.reconcile(ledger, service, { group: true })

  test("the rows of a key are added exactly", () => {
    const rows = [
      entry("a", "941.13"),
      entry("b", "1"),
      entry("a", "-0.000000000000000001"),
      entry("a", "0.000000000000000001"),
    ]
    const { outcomes, totals } = grouped(rows, [transfer("a", "941.13"), transfer("b", "1")])
    expect(outcomes).toMatchObject([
      { _tag: "Matched", entry: { reference: "line a", rows: 3 } },
      { _tag: "Matched", entry: { reference: "line b" } },
    ])
    expect(totals.Matched).toMatchObject({ outcomes: 2, entries: 4, transfers: 2 })
  })

  test("rows without a status have that of the others", () => {
    const [outcome] = grouped([entry("a", "2"), entry("a", "-1", "complete")], [transfer("a", "1")]).outcomes
    expect(outcome).toMatchObject({ _tag: "Matched", entry: { status: "complete", rows: 2 } })
  })

  test("a payment and its refund are both kept", () => {
    const [outcome] = grouped([entry("a", "100"), entry("a", "-100"), entry("a", "20")], [transfer("a", "20")]).outcomes
    expect(outcome).toMatchObject({
      _tag: "Matched",
      entry: {
        rows: 3,
        gross: { in: Money.parseUnsafe("120", "fiat/USD"), out: Money.parseUnsafe("-100", "fiat/USD") },
      },
    })
    const [plain] = grouped([entry("a", "100"), entry("a", "1")], [transfer("a", "101")]).outcomes
    expect(plain).not.toHaveProperty("entry.gross")
  })

  test("rows of several currencies or statuses stay apart", () => {
    const euros = { ...entry("a", "1"), amount: Money.parseUnsafe("1", "fiat/EUR") }
    expect(tags(grouped([entry("a", "1"), euros], [transfer("a", "2")]))).toEqual(["Ambiguous"])
    expect(tags(grouped([entry("a", "1"), euros], [transfer("a", "1")]))).toEqual(["Matched", "NotAtService"])
    expect(tags(grouped([entry("a", "1", "x"), entry("a", "1", "y")], [transfer("a", "2")]))).toEqual(["Ambiguous"])
  })

  test("rows without a key are not added", () => {
    expect(tags(grouped([entry("", "1"), entry("", "1")], []))).toEqual(["NotAtService", "NotAtService"])
  })
})

test("does not overflow the stack on many rows without a key", () => {
  const [row, one] = [entry("", "1"), transfer(null, "1")]
  const { totals } = Reconciliation.reconcile(Array(200_000).fill(row), Array(200_000).fill(one))
  expect([totals.NotAtService.outcomes, totals.NotInLedger.outcomes]).toEqual([200_000, 200_000])
})

test("the totals are in the order of the currencies' codes", () => {
  const euros = { ...entry("b", "2"), amount: Money.parseUnsafe("2", "fiat/EUR") }
  const { totals } = Reconciliation.reconcile([entry("a", "1"), euros, entry("c", "0.50")], [])
  expect(totals.NotAtService.ledger.map(String)).toEqual(["2 fiat/EUR", "1.50 fiat/USD"])
})

test("amounts that are equal as texts, but not in their currency, differ", () => {
  const euros = { ...entry("a", "1.00"), amount: Money.parseUnsafe("1.00", "fiat/EUR") }
  expect(only(euros, transfer("a", "1.00"))?._tag).toBe("Differs")
})

test("a difference within the tolerance is reported, and none if there is none", () => {
  const tolerance = [Money.parseUnsafe("0.01", "fiat/USD")]
  expect(only(entry("a", "1.00"), transfer("a", "0.99"), { tolerance })).toMatchObject({
    difference: Money.parseUnsafe("-0.01", "fiat/USD"),
  })
  expect(only(entry("a", "1.0"), transfer("a", "1.00"), { tolerance })).not.toHaveProperty("difference")
  expect(only(entry("a", "1.00"), transfer("a", "1.00"), { tolerance })).not.toHaveProperty("difference")
})

test("equal texts of amount and status match", () => {
  expect(only(entry("a", "1.00", "complete"), transfer("a", "1.00"))?._tag).toBe("Matched")
  expect(only(entry("a", "1.0", "complete"), transfer("a", "1.00"))?._tag).toBe("Matched")
})

describe("the turn of a month", () => {
  const at = (id: string, day: string, amount = "10", status = "complete") =>
    transferWith({
      id,
      external_id: "k",
      status,
      created_at: `2024-${day}T10:00:00Z`,
      source_total: { amount, currency_code: "fiat/USD" },
    })
  const booked = (day: string, amount = "10", carried?: string): Reconciliation.LedgerEntry => ({
    ...entry("k", amount),
    reference: `${carried === undefined ? "" : "carried "}${day}`,
    date: `2024-${day}`,
    ...(carried === undefined ? {} : { carried }),
  })
  const period = CreatedAt.between(
    Timestamp.parseUnsafe("2024-10-01T00:00:00Z"),
    Timestamp.parseUnsafe("2024-11-01T00:00:00Z"),
  )
  const earlier: Reconciliation.EarlierBooks = {
    isOpen: ({ id }) => id.startsWith("open"),
    isUnused: ({ id }) => id.startsWith("unused"),
    named: () => 0,
    payouts: new Map(),
    seen: ({ date }) => (date === "2024-09-29" ? 1 : 0),
  }
  const outcomes = (
    ledger: ReadonlyArray<Reconciliation.LedgerEntry>,
    service: ReadonlyArray<ReturnType<typeof at>>,
    options: Reconciliation.ReconciliationOptions,
  ) =>
    Reconciliation.reconcile(ledger, service, { period, graceDays: 3, ...options }).outcomes.map((outcome) =>
      [
        `${outcome._tag}${Reconciliation.isBreak(outcome) ? "!" : ""}`,
        ...Reconciliation.entriesOf(outcome).map(({ reference }) => reference),
        ...Reconciliation.transfersOf(outcome).map(({ id }) => id),
      ].join(" "),
    )

  test.each([
    [
      "a row that is booked twice has no transfer",
      [booked("09-29"), booked("10-01")],
      [at("t", "09-29")],
      ["NotAtService! 10-01"],
    ],
    [
      "a transfer that is there twice has no row",
      [booked("09-29")],
      [at("t 1", "09-29"), at("t 2", "10-01")],
      ["NotInLedger! t 2"],
    ],
    [
      "so has a row of which the other is after the period",
      [booked("10-31"), booked("11-01")],
      [at("t", "11-01")],
      ["NotAtService! 10-31"],
    ],
    [
      "those next to the period are the ones left",
      [booked("10-31"), booked("11-02")],
      [at("t 1", "11-01"), at("t 2", "11-05")],
      ["OtherPeriod 10-31 t 1"],
    ],
    [
      "a row before the period is not for a transfer after it",
      [booked("09-30"), booked("10-31")],
      [at("t", "11-01")],
      ["OtherPeriod 10-31 t"],
    ],
    [
      "rows outside that differ are those of each other, too",
      [booked("09-29", "9"), booked("10-01", "7")],
      [at("t", "09-30")],
      ["NotAtService! 10-01"],
    ],
  ])("%s", (_name, ledger, service, expected) => {
    expect(outcomes(ledger, service, {})).toEqual(expected)
  })

  test.each([
    ["a used transfer is shown, and is a break", [booked("10-01")], [at("used", "09-29")], ["OtherPeriod! 10-01 used"]],
    ["an unused one may be booked", [booked("10-01")], [at("unused", "09-29")], ["OtherPeriod 10-01 unused"]],
    ["an open one is matched", [booked("10-20")], [at("open", "09-10")], ["Matched 10-20 open"]],
    [
      "a used one takes no row from another",
      [booked("10-01")],
      [at("used", "09-29"), at("own", "10-02")],
      ["Matched 10-01 own"],
    ],
    [
      "a used one of the same amount is shown first, and each only once",
      [booked("10-02"), booked("10-03", "7"), booked("10-04", "8")],
      [at("used 1", "09-28", "7"), at("used 2", "09-29")],
      ["OtherPeriod! 10-02 used 2", "OtherPeriod! 10-03 used 1", "NotAtService! 10-04"],
    ],
    ["a failed one was never used", [booked("10-01")], [at("t", "09-29", "10", "declined")], ["NotSettled! 10-01 t"]],
    ["an earlier row has its own transfer", [booked("09-29")], [at("own", "10-01")], ["NotInLedger! own"]],
    ["a row that they had is none of an open one", [booked("09-29")], [at("open", "09-28")], ["NotInLedger! open"]],
    ["a late row is that of an open transfer", [booked("09-28")], [at("open", "09-28")], ["Matched 09-28 open"]],
    ["a late row without a transfer is a break", [booked("09-28")], [at("used", "09-28")], ["OtherPeriod! 09-28 used"]],
    [
      "of two rows alike, they had one",
      [booked("09-29"), { ...booked("09-29"), reference: "again" }],
      [at("open", "09-28")],
      ["Matched again open"],
    ],
    [
      "a copy of a carried row is no other row",
      [booked("09-29", "10.0", "2024-09-29"), booked("09-29")],
      [at("open 1", "09-28"), at("open 2", "09-29")],
      ["Ambiguous! carried 09-29 open 1 open 2"],
    ],
  ])("of books that follow earlier ones: %s", (_name, ledger, service, expected) => {
    expect(outcomes(ledger, service, { earlier })).toEqual(expected)
  })
})
