/** Pairs without guessing, uses each row once, and preserves the totals of both sides. */
import * as Arbitrary from "effect/Arbitrary"
import { describe, expect, test } from "vitest"
import * as Money from "../src/Money.ts"
import * as Reconciliation from "../src/Reconciliation.ts"
import { integer, oneOf } from "./fixtures/arbitraries.ts"
import { law } from "./fixtures/law.ts"
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
    expect(only(entry("a", "1", "complete"), transfer("a", "2", "declined"))).toMatchObject({
      differences: [{ _tag: "AmountDiffers" }, { _tag: "StatusDiffers", ledger: "complete", transfer: "declined" }],
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

describe("several candidates", () => {
  test("are ambiguous on either side, even if one matches", () => {
    const twice = [transfer("a", "1"), transfer("a", "2")]
    expect(tags(Reconciliation.reconcile([entry("a", "1")], twice))).toEqual(["Ambiguous"])
    expect(tags(Reconciliation.reconcile([entry("a", "1"), entry("a", "1")], [transfer("a", "1")]))).toEqual([
      "Ambiguous",
    ])
  })

  test("without a counterpart are each missing", () => {
    expect(tags(Reconciliation.reconcile([entry("a", "1"), entry("a", "1")], []))).toEqual([
      "NotAtService",
      "NotAtService",
    ])
  })

  test("rows without a key never pair with each other", () => {
    expect(tags(Reconciliation.reconcile([entry("", "1")], [transfer(null, "1"), transfer("", "1")]))).toEqual([
      "NotAtService",
      "NotInLedger",
      "NotInLedger",
    ])
  })
})

describe("attempts at one payment", () => {
  const declined = transfer("a", "10", "declined")
  const again = transfer("a", "12", "declined")
  const complete = transfer("a", "12")
  const of = (ledger: ReadonlyArray<Reconciliation.LedgerEntry>, transfers: ReadonlyArray<typeof declined>) =>
    Reconciliation.reconcile(ledger, transfers).outcomes.map((outcome) =>
      outcome._tag === "Matched" ||
      outcome._tag === "Differs" ||
      outcome._tag === "NothingToBook" ||
      outcome._tag === "NotInLedger"
        ? `${outcome._tag} ${outcome.transfer.status} ${outcome.transfer.source_total?.text}`
        : outcome._tag,
    )
  const [paid, refused] = ["Matched complete 12", "NothingToBook declined 10"]

  test.each([
    [
      "an entry without a status pairs with the attempt that was not declined",
      [entry("a", "12")],
      [declined, complete],
      [paid, refused],
    ],
    ["also if that came first", [entry("a", "12")], [complete, declined], [paid, refused]],
    ["also if its amount differs", [entry("a", "11")], [declined, complete], ["Differs complete 12", refused]],
    [
      "also if all attempts have its amount",
      [entry("a", "12")],
      [again, complete],
      [paid, "NothingToBook declined 12"],
    ],
    ["but not if only a declined one has its amount", [entry("a", "10")], [declined, complete], ["Ambiguous"]],
    ["a status names its attempt", [entry("a", "12", "complete")], [declined, complete], [paid, refused]],
    [
      "also the declined one, and the other is missing",
      [entry("a", "10", "declined")],
      [declined, complete],
      ["Matched declined 10", "NotInLedger complete 12"],
    ],
    ["whatever the amount", [entry("a", "10", "complete")], [declined, complete], ["Differs complete 12", refused]],
    [
      "a status that no attempt has leaves the one that was not declined",
      [entry("a", "12", "approved")],
      [declined, complete],
      ["Differs complete 12", refused],
    ],
    [
      "of several with its status, the amount decides",
      [entry("a", "10", "declined")],
      [declined, again],
      ["Matched declined 10", "NothingToBook declined 12"],
    ],
    [
      "of declined ones alone, the amount decides",
      [entry("a", "10")],
      [declined, again],
      ["Matched declined 10", "NothingToBook declined 12"],
    ],
    ["but not if none or several have it", [entry("a", "11")], [declined, again], ["Ambiguous"]],
    [
      "several entries pair by their statuses",
      [entry("a", "10", "declined"), entry("a", "12", "complete")],
      [complete, declined],
      ["Matched declined 10", paid],
    ],
    [
      "but not without a status each",
      [entry("a", "10", "declined"), entry("a", "12")],
      [complete, declined],
      ["Ambiguous"],
    ],
    [
      "nor with two of one status",
      [entry("a", "10", "complete"), entry("a", "12", "complete")],
      [complete, declined],
      ["Ambiguous"],
    ],
    [
      "nor with a status that no attempt has",
      [entry("a", "10", "lost"), entry("a", "12", "complete")],
      [complete, declined],
      ["Ambiguous"],
    ],
    [
      "two that were not declined are ambiguous",
      [entry("a", "12", "complete")],
      [transfer("a", "12", "executing"), complete],
      ["Ambiguous"],
    ],
  ])("%s", (_, ledger, transfers, outcomes) => {
    expect(of(ledger, transfers)).toEqual(outcomes)
  })

  test("are at most fifty", () => {
    const many = (count: number) => [...Array(count).fill(declined), complete]
    expect(of([entry("a", "12")], many(Reconciliation.mostAttempts - 1))[0]).toBe(paid)
    expect(of([entry("a", "12")], many(Reconciliation.mostAttempts))).toEqual(["Ambiguous"])
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

  test("rows of several currencies or statuses stay apart, and are ambiguous", () => {
    const euros = { ...entry("a", "1"), amount: Money.parseUnsafe("1", "fiat/EUR") }
    expect(tags(grouped([entry("a", "1"), euros], [transfer("a", "1")]))).toEqual(["Ambiguous"])
    expect(tags(grouped([entry("a", "1", "x"), entry("a", "1", "y")], [transfer("a", "2")]))).toEqual(["Ambiguous"])
  })

  test("rows without a key are not added", () => {
    expect(tags(grouped([entry("", "1"), entry("", "1")], []))).toEqual(["NotAtService", "NotAtService"])
  })
})

const key = oneOf(["a", "b", "c", "d", ""])
const amount = oneOf(["1", "1.00", "2.5", "0.000000000000000001"])
const status = oneOf(["complete", "declined"])
const side = Arbitrary.array(Arbitrary.all([key, amount, status] as const), { maxLength: 7 })

const transferOf = ([name, value, state]: readonly [string, string, string], index: number) =>
  transferWith({
    id: `tr_${index}`,
    external_id: name,
    status: state,
    source_total: { amount: value, currency_code: "fiat/USD" },
  })

const addUp = (monies: ReadonlyArray<Money.Money>) =>
  monies.reduce((sum, { amount: value }) => sum + BigInt(value.toFixed(18).replace(".", "")), 0n)

law(
  "uses every row once, and loses no cent",
  { ledger: side, service: side, seed: integer(0, 3), group: integer(0, 1) },
  ({ ledger, service, seed, group }) => {
    const entries = ledger.map(([name, value, state], index) => ({
      ...entry(name, value, seed > 1 ? state : undefined),
      reference: `line ${index}`,
    }))
    const transfers = service.map(transferOf)
    const { outcomes, totals } = Reconciliation.reconcile(entries, transfers, { group: group === 1 })
    const used = outcomes.flatMap((outcome) => {
      if (outcome._tag === "Ambiguous") return [...outcome.entries, ...outcome.transfers]
      if (outcome._tag === "NotInLedger" || outcome._tag === "NothingToBook") return [outcome.transfer]
      return outcome._tag === "NotAtService" ? [outcome.entry] : [outcome.entry, outcome.transfer]
    })
    expect(used).toHaveLength(new Set(used).size)
    if (group === 0) expect(new Set(used)).toEqual(new Set([...entries, ...transfers]))
    const all = Object.values(totals)
    expect(addUp(all.flatMap((part) => part.ledger))).toBe(addUp(entries.map((row) => row.amount)))
    expect(addUp(all.flatMap((part) => part.service))).toBe(addUp(transfers.flatMap((row) => row.source_total ?? [])))
    const rows = all.reduce((sum, part) => sum + part.entries + part.transfers, 0)
    expect(rows).toBe(entries.length + transfers.length)
    expect(all.reduce((sum, part) => sum + part.outcomes, 0)).toBe(outcomes.length)
  },
)

law(
  "pairs the rows of a key whatever their order, and whatever other keys there are",
  { ledger: side, service: side, seed: integer(0, 3) },
  ({ ledger, service, seed }) => {
    const entries = ledger.map(([name, value, state]) => entry(name, value, seed % 2 === 1 ? state : undefined))
    const transfers = service.map(transferOf)
    const of = (rows: typeof entries, others: ReadonlyArray<unknown>) =>
      Reconciliation.reconcile(
        rows,
        transfers.filter((one) => others.includes(one)),
      )
        .outcomes.flatMap((outcome) => {
          if (outcome._tag === "NotAtService") return [`NotAtService ${outcome.entry.key}`]
          const own = outcome._tag === "Ambiguous" ? outcome.transfers : [outcome.transfer]
          return own.map(({ id }) => `${outcome._tag} ${id}`)
        })
        .toSorted()
    const whole = of(entries, transfers)
    expect(of(entries.toReversed(), transfers)).toEqual(whole)
    transfers.reverse()
    expect(of(entries, transfers)).toEqual(whole)
    const parts = ["a", "b", "c", "d", ""].flatMap((name) =>
      of(
        entries.filter((row) => row.key === name),
        transfers.filter((row) => row.external_id === name),
      ),
    )
    expect(parts.toSorted()).toEqual(whole)
  },
)

law("adds the rows of a key in any parts to the same", { ledger: side, at: integer(0, 7) }, ({ ledger, at }) => {
  const entries = ledger.map(([, value]) => entry("a", value))
  const [head, tail] = [entries.slice(0, at), entries.slice(at)]
  const of = (rows: typeof entries) =>
    Reconciliation.group(rows).map(({ amount: sum, rows: count = 1 }) => [addUp([sum]), count])
  expect(of([...Reconciliation.group(head), ...tail])).toEqual(of(entries))
  expect(of(entries)).toEqual(entries.length === 0 ? [] : [[addUp(entries.map((row) => row.amount)), entries.length]])
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

test("a difference within the tolerance is told, and none if there is none", () => {
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
