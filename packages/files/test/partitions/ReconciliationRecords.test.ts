/** Rows of a ledger and transfers come back from their texts, and equal ones are found in them. */
import * as Money from "@transferkit/domain/Money"
import type { LedgerEntry } from "@transferkit/domain/Reconciliation"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as ReconciliationRecords from "../../src/partitions/ReconciliationRecords.ts"

const entry = (more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  reference: "line 2",
  key: "order-1",
  amount: Money.parseUnsafe("1.50", "fiat/USD"),
  ...more,
})

const transfer = (more: object = {}) =>
  Result.getOrThrow(
    Transfer.fromJson(
      JSON.stringify({
        id: "tr_1",
        kind: "cash_in",
        status: "complete",
        created_at: "2024-09-01T00:00:00Z",
        external_id: "order-1",
        source_total: { amount: "1.50", currency_code: "fiat/USD" },
        payment_method: "ach",
        ...more,
      }),
    ),
  )

const entryFormat = ReconciliationRecords.entryFormat({})
const transferFormat = ReconciliationRecords.transferFormat({})
const placed = (row: LedgerEntry, isWithin = true) => ({ place: "p", row, isWithin })
const held = (row: Transfer.Transfer, isWithin = true, isRequired = true) => ({
  place: "q",
  isWithin,
  isRequired,
  row,
})
const encoded = (row: LedgerEntry) => entryFormat.encode(placed(row))
const sent = (row: Transfer.Transfer) => transferFormat.encode(held(row))

describe("an entry", () => {
  test.each([
    entry(),
    entry({ status: "declined", date: "2024-09-01", rows: 3 }),
    entry({ date: "2024-09-01", at: Timestamp.parseUnsafe("2024-08-31T23:00:00-02:00"), carried: "2024-08-30" }),
    entry({ key: 'a",' }),
    entry({ key: "a\\" }),
    entry({ rows: 2 }),
    entry({ at: Timestamp.parseUnsafe("2024-08-31T23:00:00Z") }),
    entry({ key: '\t,"\t' }),
    entry({ key: `a","\\`, reference: "\n", status: "" }),
  ])("comes back from its text: %j", (row) => {
    expect(entryFormat.decode([encoded(row), encoded(entry())])).toStrictEqual([placed(row), placed(entry())])
  })

  test("outside the period comes back as such", () => {
    expect(entryFormat.decode([entryFormat.encode(placed(entry(), false))])).toStrictEqual([placed(entry(), false)])
  })

  test("is about as long as its texts", () => {
    const lengthOf = (row: LedgerEntry) => entryFormat.lengthOf(placed(row))
    const longer = entry({
      key: "order-1xxx",
      reference: "line 2xxxxx",
      amount: Money.parseUnsafe("1.5000000", "fiat/USD"),
    })
    expect(lengthOf(longer) - lengthOf(entry())).toBe(13)
    expect(lengthOf(entry())).toBeGreaterThan(90)
  })
})

describe("a transfer", () => {
  test("is slim: only what is compared and reported", () => {
    const { id, kind, status, created_at } = transfer()
    const slim = { id, kind, status, created_at }
    expect(ReconciliationRecords.slim(transfer(), {})).toStrictEqual({
      ...slim,
      external_id: "order-1",
      source_total: Money.parseUnsafe("1.50", "fiat/USD"),
    })
    expect(ReconciliationRecords.slim(transfer(), { key: "id", amount: "service_fee" })).toStrictEqual(slim)
    expect(ReconciliationRecords.slim(transfer({ external_id: null, source_total: null }), {})).toStrictEqual(slim)
  })

  test.each([{}, { source_total: null }, { status: "declined", external_id: `a","\\` }])(
    "comes back from its text: %j",
    (more) => {
      const row = ReconciliationRecords.slim(transfer(more), {})
      expect(JSON.stringify(transferFormat.decode([sent(row)]))).toBe(JSON.stringify([held(row)]))
      const free = transferFormat.encode(held(row, false, false))
      expect(transferFormat.decode([free])).toMatchObject([{ isWithin: false, isRequired: false }])
    },
  )

  test.each([true, false])(
    "comes back with what it is worth in dollars, if that was asked for (required: %s)",
    (isRequired) => {
      const euro = { amount: "200.00", currency_code: "fiat/EUR" }
      const source_total_usd = { amount: "220.00", currency_code: "fiat/USD" }
      const whole = transfer({ source_total: euro, source_total_usd })
      const format = ReconciliationRecords.transferFormat({ inDollars: true })
      const row = ReconciliationRecords.slim(whole, { inDollars: true })
      expect(row.source_total_usd?.text).toBe("220.00")
      const [back] = format.decode([format.encode(held(row, true, isRequired))])
      expect(back).toMatchObject({ isRequired })
      expect(JSON.stringify(back?.row)).toBe(JSON.stringify(row))
      expect(ReconciliationRecords.slim(whole, {})).not.toHaveProperty("source_total_usd")
    },
  )

  test("comes back from its text, if its key is its id", () => {
    const format = ReconciliationRecords.transferFormat({ key: "id" })
    const row = ReconciliationRecords.slim(transfer(), { key: "id" })
    expect(JSON.stringify(format.decode([format.encode(held(row))]))).toBe(JSON.stringify([held(row)]))
    expect(format.keyOf(held(row))).toBe("tr_1")
  })

  test("is about as long as its texts, without a key, too", () => {
    const lengthOf = (row: Transfer.Transfer) => transferFormat.lengthOf(held(row))
    const longer = transfer({
      id: "tr_1x",
      external_id: "order-1xxx",
      source_total: { amount: "1.5000000", currency_code: "fiat/USD" },
    })
    expect(lengthOf(longer) - lengthOf(transfer())).toBe(9)
    expect(lengthOf(transfer()) - lengthOf(transfer({ external_id: null, source_total: null }))).toBe(11)
    expect(lengthOf(transfer())).toBeGreaterThan(110)
  })
})

describe("two texts", () => {
  const equal = (row: LedgerEntry, more: object = {}) =>
    ReconciliationRecords.equalAmount(encoded(row), sent(transfer(more)))

  test("are equal if the entry's key, amount, currency and status are the transfer's", () => {
    expect(equal(entry({ status: "complete" }))).toEqual(Money.parseUnsafe("1.50", "fiat/USD"))
    expect(equal(entry())).toEqual(Money.parseUnsafe("1.50", "fiat/USD"))
  })

  test.each<[string, Partial<LedgerEntry>]>([
    ["key", { key: "order-" }],
    ["longer key", { key: "order-12" }],
    ["amount", { amount: Money.parseUnsafe("1.5", "fiat/USD") }],
    ["currency", { amount: Money.parseUnsafe("1.50", "fiat/EUR") }],
    ["status", { status: "declined" }],
    ["end of the status", { status: "completx" }],
    ["longer status", { status: "complete " }],
    ["shorter status", { status: "complet" }],
    ["empty status", { status: "" }],
  ])("are not with another %s", (_, more) => {
    expect(equal(entry({ status: "complete", ...more }))).toBeUndefined()
  })

  test("are equal by an unsettled status only if the entry names it", () => {
    const declined = { status: "declined" }
    expect(equal(entry(declined), declined)).toEqual(Money.parseUnsafe("1.50", "fiat/USD"))
    expect(equal(entry(), declined)).toBeUndefined()
    expect(equal(entry(declined))).toBeUndefined()
  })

  test("are equal by the classes of the deployment", () => {
    const settlement = { settledStatuses: ["paid"], failedStatuses: [] }
    const [left, right] = [
      ReconciliationRecords.entryFormat({ settlement }).encode(placed(entry())),
      (status: string) => ReconciliationRecords.transferFormat({ settlement }).encode(held(transfer({ status }))),
    ]
    expect(ReconciliationRecords.equalAmount(left, right("paid"))).toEqual(Money.parseUnsafe("1.50", "fiat/USD"))
    expect(ReconciliationRecords.equalAmount(left, right("complete"))).toBeUndefined()
  })

  test.each([
    [false, true],
    [true, false],
    [false, false],
  ])("are not equal if one is outside the period: %s, %s", (left, right) => {
    const texts = [entryFormat.encode(placed(entry(), left)), transferFormat.encode(held(transfer(), right))] as const
    expect(ReconciliationRecords.equalAmount(...texts)).toBeUndefined()
  })

  test.each(['a",', '","', "\t,", '\\"\t,"', "a\\", 'a\\"', 'a\\",', 'a\\\\"', '"', '",0,"'])(
    "are equal with the key %j, which looks like the end of a cell",
    (key) => {
      expect(equal(entry({ key }), { external_id: key })).toEqual(Money.parseUnsafe("1.50", "fiat/USD"))
      expect(entryFormat.keyIn?.(encoded(entry({ key })))).toBe(JSON.stringify(key))
    },
  )

  test("show their key", () => {
    const [left, right] = [entryFormat.keyIn?.(encoded(entry())), transferFormat.keyIn?.(sent(transfer()))]
    expect([left, right]).toEqual(['"order-1"', '"order-1"'])
  })
})
