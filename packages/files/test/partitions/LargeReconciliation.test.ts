/** Partitioned or not, a reconciliation is the same. */
import * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Transfer from "@transferkit/domain/Transfer"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import { describe, expect, test } from "vitest"
import * as Seeds from "../../../../scripts/test/Seeds.ts"
import {
  type Found,
  LargeReconciliation,
  type LargeReconciliationOptions,
} from "../../src/partitions/LargeReconciliation.ts"
import { scratchInMemory } from "./scratchInMemory.ts"

interface Row {
  readonly key: string
  readonly amount: string
  readonly code: "fiat/USD" | "fiat/EUR"
  readonly status: string
}

const entriesOf = (rows: ReadonlyArray<Row>): ReadonlyArray<Reconciliation.LedgerEntry> =>
  rows.map(({ key, amount, code, status }, index) => ({
    reference: `line ${index + 2}`,
    key,
    amount: Money.parseUnsafe(amount, code),
    ...(status === "none" ? {} : { status }),
  }))

const transfersOf = (rows: ReadonlyArray<Row>): ReadonlyArray<Transfer.Transfer> =>
  rows.map(({ key, amount, code, status }, index) =>
    Result.getOrThrow(
      Transfer.fromJson(
        JSON.stringify({
          id: `tr_${index}`,
          kind: "cash_in",
          status,
          created_at: `2024-09-01T00:00:0${(index * 7) % 10}Z`,
          external_id: key === "" && index % 2 === 0 ? null : key,
          ...(status === "none" ? {} : { source_total: { amount, currency_code: code } }),
        }),
      ),
    ),
  )

const partitioned = (
  entries: ReadonlyArray<Reconciliation.LedgerEntry>,
  transfers: ReadonlyArray<Transfer.Transfer>,
  options: Omit<LargeReconciliationOptions, "scratch">,
) => {
  const found: Array<Found> = []
  const self = new LargeReconciliation({ scratch: scratchInMemory(), ...options }, (one) => found.push(one))
  for (const entry of entries) self.addEntry(entry)
  for (const transfer of transfers) self.addTransfer(transfer)
  const steps = self.reconcile()
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return { outcomes: joined(found), totals: step.value }
  }
}

/** In the order of the report, with the parts of a large ambiguous outcome put together. */
const joined = (found: ReadonlyArray<Found>): ReadonlyArray<Reconciliation.Outcome> => {
  const outcomes: Array<Reconciliation.Outcome> = []
  let parts:
    | { key: string; entries: Array<Reconciliation.LedgerEntry>; transfers: Array<Transfer.Transfer> }
    | undefined
  for (const { outcome, whole } of found.toSorted((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0))) {
    if (whole === undefined || outcome._tag !== "Ambiguous") outcomes.push(outcome)
    else {
      if (parts?.key !== outcome.key) {
        parts = { key: outcome.key, entries: [], transfers: [] }
        outcomes.push({ _tag: "Ambiguous", ...parts })
      }
      parts.entries.push(...outcome.entries)
      parts.transfers.push(...outcome.transfers)
    }
  }
  return outcomes
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const integer = (minimum: number, maximum: number) => Arbitrary.schema(S.Int.check(S.isBetween({ minimum, maximum })))
const oneOf = <const A>(values: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(integer(0, values.length - 1), (index) => values[index] as A)

const row: Arbitrary.Arbitrary<Row> = Arbitrary.map(
  Arbitrary.all([
    oneOf(["a", "b", "c\t\n", "ä\u{1f600}", "\ud800", "d", "e", "f", ""]),
    oneOf(["1", "1.00", "2.5", "-0.000000000000000001"]),
    oneOf(["fiat/USD", "fiat/EUR"]),
    oneOf(["complete", "declined", "none"]),
  ] as const),
  ([key, amount, code, status]) => ({ key, amount, code, status }),
)
const side = Arbitrary.array(row, { maxLength: 20 })

/** Keys with one row on each side, half of which are the same. */
const pairs = Arbitrary.map(
  Arbitrary.array(Arbitrary.all([row, row, oneOf([false, true])] as const), { maxLength: 8 }),
  (some) =>
    some.map(([entry, transfer, isSame], index) => {
      const key = `${index}","\\`
      const same = { ...entry, status: entry.status === "none" ? "complete" : entry.status }
      return { ledger: { ...entry, key }, service: { ...(isSame ? same : transfer), key } }
    }),
)

const cases = 2000

describe("reconciles in partitions as in memory", () => {
  test.each(Seeds.all)("whatever the rows, the partitions and the limit, LAW_SEED=%s", async (seed) => {
    let [spilled, counted] = [0, 0]
    const check = Arbitrary.checkEffect(
      Arbitrary.all([
        side,
        side,
        pairs,
        integer(1, 9),
        oneOf([0, 300, 700, 1500, 1e6]),
        oneOf([false, true]),
        oneOf([false, true]),
        oneOf([false, true]),
      ] as const),
      ([ledger, service, paired, count, limit, alike, group, matched]) => {
        const entries = entriesOf([...paired.map((pair) => pair.ledger), ...ledger])
        const transfers = transfersOf([...service, ...paired.map((pair) => pair.service)])
        const options = { tolerance: [Money.parseUnsafe("0.5", "fiat/USD")], group }
        const spread = { count, limit, ...(alike ? { hash: () => 0 } : {}) }
        const { outcomes, totals } = Reconciliation.reconcile(entries, transfers, options)
        const found = partitioned(entries, transfers, { ...options, spread, matched })
        const reported = outcomes.filter(({ _tag }) => matched || _tag !== "Matched")
        expect(plain(found.outcomes)).toEqual(plain(reported))
        expect(plain(found.totals)).toEqual(plain(totals))
        if (!matched && reported.length < outcomes.length) counted++
        if (limit < 1000) spilled++
        return true
      },
      { runs: cases, seed },
    )
    expect(Arbitrary.formatCheckFailure(await Effect.runPromise(check))).toBeUndefined()
    expect(spilled).toBeGreaterThan(cases / 3)
    expect(counted).toBeGreaterThan(cases / 10)
  })
})

test.each([
  ["on both sides, as one ambiguous outcome", 300, 400],
  ["in the ledger only", 300, 0],
  ["in the ledger, and a few at the service", 300, 1],
  ["at the service only", 0, 400],
])("reconciles a key with more rows than fit, %s", (_, ledger, service) => {
  const rows = (count: number): ReadonlyArray<Row> =>
    Array.from({ length: count }, (__, index) => ({
      key: index % 10 === 0 ? `${index}` : "constant",
      amount: `${index}.5`,
      code: "fiat/USD",
      status: "complete",
    }))
  const [entries, transfers] = [entriesOf(rows(ledger)), transfersOf(rows(service))]
  for (const group of [false, true]) {
    const found = partitioned(entries, transfers, { group, spread: { count: 4, limit: 4000 } })
    const { outcomes, totals } = Reconciliation.reconcile(entries, transfers, { group })
    expect(plain(found.outcomes)).toEqual(plain(outcomes))
    expect(plain(found.totals)).toEqual(plain(totals))
  }
})

test("does not depend on the order in which transfers arrive, if they are in the order of creation", () => {
  const transfers = transfersOf(
    Array.from({ length: 40 }, (_, index) => ({
      key: index % 5 === 0 ? "" : `${index % 17}`,
      amount: "1",
      code: "fiat/USD",
      status: "complete",
    })),
  )
  const entries = entriesOf([{ key: "3", amount: "1", code: "fiat/USD", status: "none" }])
  const reports = [transfers, transfers.toReversed(), transfers.toSorted((a, b) => (a.id < b.id ? -1 : 1))].flatMap(
    (own) =>
      [100, 1e6].map((limit) =>
        JSON.stringify(partitioned(entries, own, { order: "created", spread: { limit } }).outcomes),
      ),
  )
  expect(new Set(reports).size).toBe(1)
  expect(reports[0]).toContain("Ambiguous")
})
