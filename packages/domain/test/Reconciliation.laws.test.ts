/** Uses each row once, preserves the totals of both sides, depends on no order, and equals a slow model written apart. */
import * as Arbitrary from "effect/Arbitrary"
import { afterAll, expect } from "vitest"
import * as CreatedAt from "../src/CreatedAt.ts"
import * as Money from "../src/Money.ts"
import * as Reconciliation from "../src/Reconciliation.ts"
import * as Timestamp from "../src/Timestamp.ts"
import { integer, oneOf } from "./fixtures/arbitraries.ts"
import { law } from "./fixtures/law.ts"
import { transferWith } from "./fixtures/service.ts"
import * as SlowBooks from "./fixtures/SlowBooks.ts"

const settlement = { settledStatuses: ["complete", "paid"], failedStatuses: ["declined"] }

/** A row before it is a row of a side. */
const drawn = Arbitrary.all([
  oneOf(["a", "a", "b", "c", ""]),
  integer(1, 4),
  oneOf(["fiat/USD", "fiat/USD", "fiat/USD", "fiat/EUR"]),
  oneOf(["complete", "complete", "paid", "declined", "open", "none"]),
  integer(-3, 12),
  oneOf(["plain", "plain", "zeros", "bare"]),
] as const)
const side = Arbitrary.array(drawn, { maxLength: 9 })

type Drawn = readonly [key: string, units: number, code: string, status: string, day: number, form: string]

const dayOf = (day: number): string => new Date(Date.UTC(2024, 8, 11 + day)).toISOString().slice(0, 10)

const moneyOf = ([, units, code, , , form]: Drawn) => ({
  amount: `${units}${form === "zeros" ? ".000" : ""}`,
  currency_code: code,
})

/** Days are dealt by index, so that the order of days is that of the names. */
const entriesOf = (rows: ReadonlyArray<Drawn>): ReadonlyArray<Reconciliation.LedgerEntry> =>
  rows.map((row, index) => {
    const { amount, currency_code } = moneyOf(row)
    return {
      reference: `e${index}`,
      key: row[0],
      amount: Money.parseUnsafe(amount, currency_code as "fiat/USD"),
      ...(row[3] === "none" ? {} : { status: row[3] }),
      ...(row[5] === "bare" ? {} : { date: dayOf(row[4]) }),
    }
  })

const transfersOf = (rows: ReadonlyArray<Drawn>) =>
  rows.map((row, index) =>
    transferWith({
      id: `t${index}`,
      external_id: row[0],
      status: row[3] === "none" ? "complete" : row[3],
      kind: row[1] === 4 ? "cash_out" : "cash_in",
      created_at: `${dayOf(row[4])}T12:00:00Z`,
      source_total: row[5] === "bare" && row[1] === 1 ? null : moneyOf(row),
    }),
  )

const period = CreatedAt.between(
  Timestamp.parseUnsafe(`${dayOf(0)}T00:00:00Z`),
  Timestamp.parseUnsafe(`${dayOf(10)}T00:00:00Z`),
)

const optionsOf = (grace: number): Reconciliation.ReconciliationOptions => ({
  settlement,
  period,
  asOfDay: dayOf(9),
  graceDays: grace,
  isRequired: ({ kind }) => kind === "cash_in",
  tolerance: [Money.parseUnsafe("1", "fiat/USD"), Money.parseUnsafe("1", "fiat/EUR")],
})

const said = (outcome: Reconciliation.Outcome): string => {
  const names = [
    ...Reconciliation.entriesOf(outcome).map(({ reference }) => reference),
    ...Reconciliation.transfersOf(outcome).map(({ id }) => id),
  ].toSorted()
  const fine = outcome._tag === "OtherPeriod" && outcome.isInTransit ? ":fine" : ""
  return [`${outcome._tag}${fine}`, ...names].join(" ")
}

const seen = new Set<string>()
// Payouts have tests of their own.
const own = Reconciliation.outcomeTags.filter((tag) => tag !== "Payout")
afterAll(() => expect([...seen].toSorted()).toEqual(own.toSorted()))

law(
  "P2–P7: equals a slow model that shares no code",
  { ledger: side, service: side, grace: integer(0, 4) },
  ({ ledger, service, grace }) => {
    const { outcomes } = Reconciliation.reconcile(entriesOf(ledger), transfersOf(service), optionsOf(grace))
    for (const { _tag } of outcomes) seen.add(_tag)
    const slow = (rows: ReadonlyArray<Drawn>, prefix: "e" | "t") =>
      rows
        .map(([key, units, code, status, day, form], index) => ({
          name: `${prefix}${index}`,
          key,
          units: prefix === "t" && form === "bare" && units === 1 ? undefined : units,
          code,
          status: status !== "none" ? status : prefix === "e" ? undefined : "complete",
          day: prefix === "e" && form === "bare" ? undefined : day,
          size: units,
        }))
        .toSorted((one, other) => (one.day ?? -99) - (other.day ?? -99) || one.name.localeCompare(other.name))
    const books = {
      settled: settlement.settledStatuses,
      required: (row: SlowBooks.Row & { readonly size?: number }) => row.size !== 4,
      tolerance: 1,
      grace,
    }
    expect(outcomes.map(said).toSorted()).toEqual(SlowBooks.outcomes(slow(ledger, "e"), slow(service, "t"), books))
  },
)
const addUp = (monies: ReadonlyArray<Money.Money>) =>
  monies.reduce((sum, { amount }) => sum + BigInt(amount.toFixed(3).replace(".", "")), 0n)

law(
  "P7: uses every row within the period once, and loses no cent",
  { ledger: side, service: side, grace: integer(0, 4), group: integer(0, 1) },
  ({ ledger, service, grace, group }) => {
    const [entries, transfers] = [entriesOf(ledger), transfersOf(service)]
    const options = { ...optionsOf(grace), group: group === 1 }
    const { outcomes, totals } = Reconciliation.reconcile(entries, transfers, options)
    const [own, sent] = [outcomes.flatMap(Reconciliation.entriesOf), outcomes.flatMap(Reconciliation.transfersOf)]
    expect(sent).toHaveLength(new Set(sent).size)
    expect(sent).toEqual(expect.arrayContaining(transfers.filter((row) => CreatedAt.matches(period, row.created_at))))
    if (group === 0) {
      const isWithin = ({ date }: Reconciliation.LedgerEntry) =>
        date === undefined || (date >= dayOf(0) && date <= dayOf(9))
      expect(own).toHaveLength(new Set(own).size)
      expect(own).toEqual(expect.arrayContaining(entries.filter(isWithin)))
    }
    const all = Object.values(totals)
    expect(addUp(all.flatMap((part) => part.ledger))).toBe(addUp(own.map((row) => row.amount)))
    expect(addUp(all.flatMap((part) => part.service))).toBe(addUp(sent.flatMap((row) => row.source_total ?? [])))
    expect(all.reduce((sum, part) => sum + part.transfers, 0)).toBe(sent.length)
    expect(all.reduce((sum, part) => sum + part.entries, 0)).toBe(own.reduce((sum, { rows = 1 }) => sum + rows, 0))
    expect(all.reduce((sum, part) => sum + part.outcomes, 0)).toBe(outcomes.length)
    expect(Reconciliation.breaks(totals)).toBe(outcomes.filter(Reconciliation.isBreak).length)
  },
)

law(
  "P7: pairs the rows of a key whatever their order, and whatever other keys there are",
  { ledger: side, service: side, grace: integer(0, 4), group: integer(0, 1) },
  ({ ledger, service, grace, group }) => {
    const [entries, transfers] = [entriesOf(ledger), transfersOf(service)]
    const of = (rows: typeof entries, sent: typeof transfers) =>
      Reconciliation.reconcile(rows, sent, { ...optionsOf(grace), group: group === 1 })
        .outcomes.map(said)
        .toSorted()
    const whole = of(entries, transfers)
    expect(of(entries.toReversed(), transfers)).toEqual(whole)
    expect(of(entries, transfers.toReversed())).toEqual(whole)
    const parts = ["a", "b", "c", ""].flatMap((name) =>
      of(
        entries.filter((row) => row.key === name),
        transfers.filter((row) => row.external_id === name),
      ),
    )
    expect(parts.toSorted()).toEqual(whole)
  },
)

law("P5: matches equal multisets whole", { rows: side }, ({ rows }) => {
  const settled = rows
    .filter(([key, , , , day]) => key !== "" && day >= 0 && day <= 9)
    .map(([key, units, code, , day, form]): Drawn => [key, units, code, "none", day, form === "bare" ? "plain" : form])
  const { totals } = Reconciliation.reconcile(entriesOf(settled), transfersOf(settled.toReversed()), optionsOf(0))
  expect(totals.Matched.outcomes).toBe(settled.length)
})

law("P1: no filter changes a row of the ledger's outcome", { ledger: side, service: side }, ({ ledger, service }) => {
  const of = (isRequired: () => boolean) =>
    Reconciliation.reconcile(entriesOf(ledger), transfersOf(service), { ...optionsOf(0), isRequired })
      .outcomes.filter((outcome) => Reconciliation.entriesOf(outcome).length > 0)
      .map(said)
  expect(of(() => false)).toEqual(of(() => true))
})

law("adds the rows of a key in any parts to the same", { ledger: side, at: integer(0, 9) }, ({ ledger, at }) => {
  const entries = entriesOf(ledger)
  const sumOf = (rows: ReadonlyArray<Reconciliation.LedgerEntry>) => {
    const group = Reconciliation.group(optionsOf(0))
    for (const row of rows) group.add(row)
    return group.entries()
  }
  const plain = (rows: ReadonlyArray<Reconciliation.LedgerEntry>): unknown => JSON.parse(JSON.stringify(rows))
  expect(plain(sumOf([...entries.slice(at), ...entries.slice(0, at)]))).toEqual(plain(sumOf(entries)))
  expect(addUp(sumOf(entries).map(({ amount }) => amount))).toBe(addUp(entries.map(({ amount }) => amount)))
})
