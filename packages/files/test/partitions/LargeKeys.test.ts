/** What a reconciliation holds at once: few rows without a key, and few rows of one key. */
import * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
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

  test("are one outcome, up to a hundred of both sides", () => {
    const found = reconcile(50, 50)
    expect(found.map(({ outcome, whole }) => [outcome._tag, whole])).toEqual([["Ambiguous", undefined]])
  })

  test.each([
    [50, 51],
    [1000, 1000],
  ])("are parts of one outcome above that: %i and %i", (left, right) => {
    const found = reconcile(left, right)
    expect(found.length).toBeGreaterThan(1)
    expect(new Set(found.map(({ outcome, order, whole }) => JSON.stringify([outcome._tag, order, whole]))).size).toBe(1)
    expect(found[0]?.whole).toEqual({ entries: left, transfers: right })
  })

  test("are one outcome if they are grouped, with up to a hundred transfers", () => {
    const found = reconcile(300, 100, { group: true })
    expect(found.map(({ outcome, whole }) => [outcome._tag, whole])).toEqual([["Ambiguous", undefined]])
    expect(reconcile(300, 101, { group: true })[0]?.whole).toEqual({ entries: 300, transfers: 101 })
  })

  test.each([
    [20, undefined],
    [120, { entries: 60, transfers: 60 }],
  ])("have their %i transfers in the order of creation on demand", (count, whole) => {
    const found = reconcile(count / 2, count / 2, { order: "created" })
    expect(found[0]?.whole).toEqual(whole)
    const ids = found
      .flatMap(({ outcome }) => (outcome._tag === "Ambiguous" ? outcome.transfers : []))
      .map(({ id }) => id)
    expect(ids).toEqual(
      transfers(count / 2, "k")
        .map(({ id }) => id)
        .toReversed(),
    )
  })
})
