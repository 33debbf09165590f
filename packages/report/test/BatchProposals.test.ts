/** Proposals do not depend on where the breaks come from: memory, or partitions of any size in any order. */
import { createHash } from "node:crypto"
import * as BreakIdentity from "@transferkit/domain/BreakIdentity"
import * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Transfer from "@transferkit/domain/Transfer"
import { LargeReconciliation } from "@transferkit/files/partitions/LargeReconciliation"
import type { Place } from "@transferkit/files/partitions/Scratch"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import { expect, test } from "vitest"
import * as Seeds from "../../../scripts/test/Seeds.ts"
import { BatchProposals } from "../src/BatchProposals.ts"

const scratch = () => {
  const blocks: Array<Uint8Array> = []
  return {
    seed: 1,
    append: (bytes: Uint8Array): Place => ({ offset: blocks.push(Uint8Array.from(bytes)) - 1, length: bytes.length }),
    read: ({ offset }: Place) => Buffer.from(blocks[offset] ?? []),
  }
}

const entry = (index: number, cents: number): Reconciliation.LedgerEntry => ({
  reference: `line ${index + 2}`,
  key: `P${index}`,
  amount: Money.parseUnsafe((cents / 100).toFixed(2), "fiat/EUR"),
})

const transfer = (index: number, cents: number): Transfer.Transfer =>
  Result.getOrThrow(
    Transfer.fromJson(
      JSON.stringify({
        id: `tr_${index}`,
        external_id: `k${index}`,
        kind: "cash_in",
        status: "complete",
        created_at: `2024-09-0${1 + (index % 7)}T10:00:00Z`,
        payment_method: "sepa",
        source_total: { amount: (cents / 100).toFixed(2), currency_code: "fiat/EUR" },
      }),
    ),
  )

const cents = Arbitrary.schema(S.Int.check(S.isBetween({ minimum: 100, maximum: 900_000 })))
const limit = Arbitrary.schema(S.Int.check(S.isBetween({ minimum: 0, maximum: 2000 })))
const options: Reconciliation.ReconciliationOptions = {}

/** The proposals of the breaks that `each` names. */
const proposalsOf = (each: (use: (outcome: Reconciliation.Outcome) => void) => void) => {
  const proposals = new BatchProposals(options)
  each((outcome) => {
    const text = JSON.stringify(BreakIdentity.of(outcome, options))
    proposals.add(outcome, createHash("sha256").update(text).digest("hex"))
  })
  return JSON.stringify(proposals.all(() => false))
}

test.each(Seeds.all)("are those of memory, LAW_SEED=%s", async (seed) => {
  let proposed = 0
  const check = Arbitrary.checkEffect(
    Arbitrary.all([Arbitrary.array(cents, { minLength: 2, maxLength: 9 }), limit] as const),
    ([amounts, most]) => {
      const transfers = amounts.map((amount, index) => transfer(index, amount))
      // What all of them make, what the first two make, and what nothing makes.
      const sums = [amounts.reduce((sum, one) => sum + one, 0), (amounts[0] ?? 0) + (amounts[1] ?? 0), 17]
      const entries = sums.map((sum, index) => entry(index, sum))
      const inMemory = proposalsOf((use) => Reconciliation.reconcile(entries, transfers, options).outcomes.forEach(use))
      const onDisk = proposalsOf((use) => {
        const large = new LargeReconciliation(
          { ...options, scratch: scratch(), spread: { count: 3, limit: most } },
          (found) => use(found.outcome),
        )
        for (const row of entries) large.addEntry(row)
        for (const row of transfers.toReversed()) large.addTransfer(row)
        for (const _ of large.reconcile());
      })
      expect(onDisk).toBe(inMemory)
      if (inMemory.includes('"step"')) proposed++
      return true
    },
    { runs: 60, seed },
  )
  expect(Arbitrary.formatCheckFailure(await Effect.runPromise(check))).toBeUndefined()
  expect(proposed).toBeGreaterThan(20)
})

test("names at most 100,000 transfers in all: equal rows would name all of them each", () => {
  const proposals = new BatchProposals(options)
  const transfers = Array.from({ length: 1000 }, (_, index) => transfer(index, 100_000 + index * 7))
  const sum = transfers.reduce((all, _, index) => all + 100_000 + index * 7, 0)
  for (const one of transfers) proposals.add({ _tag: "NotInLedger", transfer: one }, one.id)
  const why = { _tag: "NotFound", isEverywhere: true } as const
  for (let index = 0; index < 120; index++)
    proposals.add({ _tag: "NotAtService", entry: entry(index, sum), why }, `row ${index}`)
  const all = proposals.all(() => false)
  expect(all.filter(({ identity }) => identity !== undefined)).toHaveLength(100)
  expect(all.at(-1)?.proposal).toEqual({
    key: "P119",
    reference: "line 121",
    ledger: entry(0, sum).amount,
    why: "1,000 transfers may make the amount, too many to name: all proposals together name at most 100,000 transfers",
  })
})
