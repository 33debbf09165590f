/** Partitioned or not, a reconciliation is the same. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import { describe, expect, test } from "vitest"
import * as Seeds from "../../../../scripts/test/Seeds.ts"
import * as Thorough from "../../../../scripts/test/Thorough.ts"
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
  readonly day: number
  /** The payout that the row of a ledger names. */
  readonly payout: string
}

const dayOf = (day: number): string => `2024-09-${String(day).padStart(2, "0")}`

const entriesOf = (rows: ReadonlyArray<Row>): ReadonlyArray<Reconciliation.LedgerEntry> =>
  rows.map(({ key, amount, code, status, day, payout }, index) => ({
    reference: `line ${index + 2}`,
    key,
    amount: Money.parseUnsafe(amount, code),
    ...(status === "none" ? {} : { status }),
    ...(day === 30 ? {} : { date: dayOf(day) }),
    ...(payout === "" ? {} : { payout }),
  }))

const transfersOf = (rows: ReadonlyArray<Row>): ReadonlyArray<Transfer.Transfer> =>
  rows.map(({ key, amount, code, status, day }, index) =>
    Result.getOrThrow(
      Transfer.fromJson(
        JSON.stringify({
          id: `tr_${index}`,
          kind: amount === "2.5" ? "cash_out" : "cash_in",
          status,
          created_at: `${dayOf(day)}T00:00:0${(index * 7) % 10}Z`,
          payment_method: index % 3 === 0 ? "ach" : "pix",
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
  elsewhere: ReadonlyArray<Transfer.Transfer> = [],
) => {
  const found: Array<Found> = []
  const self = new LargeReconciliation({ scratch: scratchInMemory(), ...options }, (one) => found.push(one))
  for (const entry of entries) self.addEntry(entry)
  for (const transfer of transfers) self.addTransfer(transfer)
  const steps = self.reconcile()
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done !== true) continue
    const keys = self.unknownKeys
    const totals = self.lookedUp(elsewhere.filter(({ external_id = "" }) => keys.includes(external_id)))
    return { outcomes: joined(found), totals, keys, statuses: Object.fromEntries(self.statuses) }
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

/** Without the fields that are not kept. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, field) => (name === "payment_method" ? undefined : field)))

const integer = (minimum: number, maximum: number) => Arbitrary.schema(S.Int.check(S.isBetween({ minimum, maximum })))
const oneOf = <const A>(values: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(integer(0, values.length - 1), (index) => values[index] as A)

const row: Arbitrary.Arbitrary<Row> = Arbitrary.map(
  Arbitrary.all([
    oneOf(["a", "b", "c\t\n", "ä\u{1f600}", "\ud800", "d", "e", "f", ""]),
    oneOf(["1", "1.00", "2.5", "-0.000000000000000001"]),
    oneOf(["fiat/USD", "fiat/EUR"]),
    oneOf(["complete", "complete", "declined", "open", "none"]),
    oneOf([1, 3, 5, 6, 8, 15, 30]),
    oneOf(["", "", "a", "d", "paid"]),
  ] as const),
  ([key, amount, code, status, day, payout]) => ({ key, amount, code, status, day, payout }),
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

const cases = Thorough.times(600, 2000)

const period = CreatedAt.between(
  Timestamp.parseUnsafe(`${dayOf(4)}T00:00:00Z`),
  Timestamp.parseUnsafe(`${dayOf(21)}T00:00:00Z`),
)

/** In the order of the ledger. */
const unknownKeys = (outcomes: ReadonlyArray<Reconciliation.Outcome>): ReadonlyArray<string> => [
  ...new Set(
    outcomes.flatMap((outcome) => {
      const unpaired = outcome._tag === "Expected" ? outcome.outcome : outcome
      return unpaired._tag === "NotAtService" && unpaired.why._tag === "NotFound" ? [unpaired.entry.key] : []
    }),
  ),
]

describe("reconciles in partitions as in memory", () => {
  test.each(Seeds.all)("whatever the rows, the partitions and the limit, LAW_SEED=%s", async (seed) => {
    let [spilled, counted, lookedUp, paid] = [0, 0, 0, 0]
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
        oneOf([0, 0, 3]),
        oneOf([0, 2, 100]),
        side,
      ] as const),
      ([ledger, service, paired, count, limit, alike, group, matched, graceDays, lookUps, far]) => {
        const entries = entriesOf([...paired.map((pair) => pair.ledger), ...ledger])
        const transfers = transfersOf([...service, ...paired.map((pair) => pair.service)])
        const elsewhere = transfersOf(far.map((one) => ({ ...one, day: 25 })))
        const options = {
          tolerance: [Money.parseUnsafe("0.5", "fiat/USD")],
          group,
          graceDays,
          period: graceDays === 0 ? CreatedAt.all : period,
          asOfDay: dayOf(20),
          isRequired: ({ payment_method }: Transfer.Transfer) => payment_method === "pix",
          settlement: { settledStatuses: ["complete", "none"], failedStatuses: ["declined"] },
        }
        const spread = { count, limit, ...(alike ? { hash: () => 0 } : {}) }
        const found = partitioned(entries, transfers, { ...options, spread, matched, lookUps }, elsewhere)
        const unknown = unknownKeys(Reconciliation.reconcile(entries, transfers, options).outcomes).slice(0, lookUps)
        expect(found.keys).toEqual(unknown)
        const more = elsewhere.filter(({ external_id = "" }) => unknown.includes(external_id))
        const isEverywhere = (key: string) => unknown.includes(key)
        const { outcomes, totals } = Reconciliation.reconcile(entries, [...transfers, ...more], {
          ...options,
          isEverywhere,
        })
        lookedUp += more.length
        paid += outcomes.filter(({ _tag }) => _tag === "Payout").length
        const reported = outcomes.filter(({ _tag }) => matched || _tag !== "Matched")
        expect(plain(found.outcomes)).toEqual(plain(reported))
        expect(plain(found.totals)).toEqual(plain(totals))
        const isWithin = Reconciliation.within(options).transfer
        const byStatus = Map.groupBy(transfers.filter(isWithin), ({ status }) => status)
        expect(found.statuses).toEqual(Object.fromEntries([...byStatus].map(([name, own]) => [name, own.length])))
        if (!matched && reported.length < outcomes.length) counted++
        if (limit < 1000) spilled++
        return true
      },
      { runs: cases, seed },
    )
    expect(Arbitrary.formatCheckFailure(await Effect.runPromise(check))).toBeUndefined()
    expect(spilled).toBeGreaterThan(cases / 3)
    expect(counted).toBeGreaterThan(cases / 10)
    expect(lookedUp).toBeGreaterThan(cases / 10)
    expect(paid).toBeGreaterThan(cases / 10)
  })
})

test.each([
  ["on both sides, as one ambiguous outcome", 1200, 1300],
  ["in the ledger only", 2400, 0],
  ["in the ledger, and a few at the service", 2400, 1],
  ["at the service only", 0, 2400],
])("reconciles a key with more rows than fit, %s", (_, ledger, service) => {
  const rows = (count: number): ReadonlyArray<Row> =>
    Array.from({ length: count }, (__, index) => ({
      key: index % 10 === 0 ? `${index}` : "constant",
      amount: `${index}.5`,
      code: "fiat/USD",
      status: "complete",
      day: 1,
      payout: "",
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
      day: 1,
      payout: "",
    })),
  )
  const entries = entriesOf([{ key: "3", amount: "1", code: "fiat/USD", status: "none", day: 1, payout: "" }])
  const reports = [transfers, transfers.toReversed(), transfers.toSorted((a, b) => (a.id < b.id ? -1 : 1))].flatMap(
    (own) =>
      [100, 1e6].map((limit) =>
        JSON.stringify(partitioned(entries, own, { order: "created", spread: { limit } }).outcomes),
      ),
  )
  expect(new Set(reports).size).toBe(1)
  expect(reports[0]).toContain("Ambiguous")
})
