/** What a reconciliation holds at once: few rows without a key, and few rows of one key. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import {
  type Found,
  LargeReconciliation,
  type LargeReconciliationOptions,
} from "../../src/partitions/LargeReconciliation.ts"
import { scratchInMemory } from "./scratchInMemory.ts"

const usd = Money.parseUnsafe("1", "fiat/USD")

const entries = (count: number, key: string): ReadonlyArray<Reconciliation.LedgerEntry> =>
  Array.from({ length: count }, (_, index) => ({ reference: `line ${index + 2}`.padEnd(100), key, amount: usd }))

const transfers = (count: number, external_id: string | null): ReadonlyArray<Transfer.Transfer> =>
  Array.from({ length: count }, (_, index) =>
    Result.getOrThrow(
      Transfer.fromJson(
        JSON.stringify({
          id: `tr_${index}`,
          kind: "cash_in",
          status: "complete",
          created_at: new Date(Date.UTC(2024, 8, 1) - index * 1000).toISOString(),
          external_id,
          source_total: { amount: "1", currency_code: "fiat/USD" },
        }),
      ),
    ),
  )

const large = (options: Partial<LargeReconciliationOptions> = {}) => {
  const found: Array<Found> = []
  const spread = { limit: 0, count: 1, hash: () => 0 }
  const self = new LargeReconciliation({ scratch: scratchInMemory(), spread, ...options }, (one) => found.push(one))
  const end = () => {
    const steps = self.reconcile()
    for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value
  }
  return { self, found, end }
}

describe("rows without a key", () => {
  test("are reported when there are a hundred on a side, and do not wait for the end", () => {
    const { self, found, end } = large()
    const [lonely, sent] = [entries(100, ""), transfers(150, null)]
    for (const entry of lonely.slice(0, 99)) self.addEntry(entry)
    for (const transfer of sent.slice(0, 99)) self.addTransfer(transfer)
    expect(found).toHaveLength(0)
    for (const entry of lonely.slice(99, 100)) self.addEntry(entry)
    expect(found).toHaveLength(199)
    for (const transfer of sent.slice(99)) self.addTransfer(transfer)
    expect(found).toHaveLength(199)
    const totals = end()
    expect(found).toHaveLength(250)
    expect([totals.NotAtService.outcomes, totals.NotInLedger.outcomes]).toEqual([100, 150])
  })
})

describe("rows of a key", () => {
  const reconcile = (left: number, right: number, options: Partial<LargeReconciliationOptions> = {}) => {
    const { self, found, end } = large(options)
    const [ledger, service] = [entries(left, "k"), transfers(right, "k")]
    for (const entry of ledger) self.addEntry(entry)
    for (const transfer of service) self.addTransfer(transfer)
    const totals = end()
    const expected = Reconciliation.reconcile(ledger, service, options)
    expect(JSON.stringify(totals)).toBe(JSON.stringify(expected.totals))
    return found
  }

  const most = Reconciliation.mostRows

  test("are paired, up to a thousand of each side", () => {
    expect(reconcile(most, most).map(({ outcome }) => outcome._tag)).toEqual(Array(most).fill("Matched"))
  })

  test("are one outcome, if they are ambiguous and not too many", () => {
    const found = reconcile(50, 60)
    expect(found.map(({ outcome, whole }) => [outcome._tag, whole])).toEqual([["Ambiguous", undefined]])
  })

  test.each([
    [most, most + 1],
    [2 * most, 2 * most],
  ])("are parts of one outcome above that: %i and %i", (left, right) => {
    const found = reconcile(left, right)
    expect(found.length).toBeGreaterThan(1)
    expect(new Set(found.map(({ outcome, order, whole }) => JSON.stringify([outcome._tag, order, whole]))).size).toBe(1)
    expect(found[0]?.whole).toEqual({ entries: left, transfers: right })
  })

  test("are one outcome if they are grouped, unless there are too many transfers", () => {
    const found = reconcile(3 * most, 100, { group: true })
    expect(found.map(({ outcome, whole }) => [outcome._tag, whole])).toEqual([["Ambiguous", undefined]])
    expect(reconcile(3 * most, 2 * most + 1, { group: true })[0]?.whole).toEqual({
      entries: 3 * most,
      transfers: 2 * most + 1,
    })
  })

  test.each([
    [10, undefined],
    [2 * most, { entries: 2 * most - 1, transfers: 2 * most }],
  ])("have their %i transfers in the order of creation on demand", (count, whole) => {
    const found = reconcile(count - 1, count, { order: "created" })
    expect(found[0]?.whole).toEqual(whole)
    const ids = found
      .flatMap(({ outcome }) => (outcome._tag === "Ambiguous" ? outcome.transfers : []))
      .map(({ id }) => id)
    expect(ids).toEqual(
      transfers(count, "k")
        .map(({ id }) => id)
        .toReversed(),
    )
  })
})

describe("keys that no transfer has", () => {
  const book = Array.from({ length: 30 }, (_, index) => ({
    reference: `line ${index + 2}`,
    key: `k${index}`,
    amount: usd,
    date: "2024-09-01",
  }))
  const period = CreatedAt.gte(Timestamp.parseUnsafe("2024-09-01T00:00:00Z"))

  test.each([0, 100])("are kept back for look-ups, the first ones of the ledger, with the limit %i", (limit) => {
    const seeds = [1, 2, 3].map((seed) => {
      const spread = { limit, hash: (key: string) => (key.charCodeAt(key.length - 1) * seed) % 7 }
      const { self, found, end } = large({ lookUps: 10, period, spread })
      for (const row of [...book, ...entries(150, "constant")]) self.addEntry(row)
      expect(end().NotAtService.outcomes).toBe(170)
      expect(self.unknownKeys).toEqual(book.slice(0, 10).map(({ key }) => key))
      const elsewhere = transfers(3, "k3").slice(2)
      const totals = self.lookedUp(elsewhere)
      expect([totals.OtherPeriod.outcomes, totals.NotAtService.outcomes]).toEqual([1, 179])
      expect(self.unknownKeys).toEqual([])
      return found
        .flatMap(({ outcome }) =>
          outcome._tag === "NotAtService" && outcome.entry.key !== "constant" ? [outcome] : [],
        )
        .map(({ entry, why }) => `${entry.key} ${JSON.stringify(why)}`)
        .toSorted()
    })
    expect(seeds[1]).toEqual(seeds[0])
    expect(seeds[2]).toEqual(seeds[0])
    expect(seeds[0]?.filter((text) => text.includes('"isEverywhere":true'))).toHaveLength(9)
  })
})

test("a key that looks like the end of a cell is reconciled as any other", () => {
  for (const key of ['a",', '","', "\t", '"\t,"']) {
    const { self, end } = large({ matched: false, spread: { limit: 0 } })
    for (const row of entries(1, key)) self.addEntry(row)
    for (const row of transfers(1, key)) self.addTransfer(row)
    expect(end().Matched.ledger.map(String)).toEqual(["1 fiat/USD"])
  }
})
