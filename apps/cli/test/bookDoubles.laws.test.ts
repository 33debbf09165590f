/**
 * A law of months that follow each other, for rows and transfers that are there several times, at the turn of a month above
 * all: they lose nothing that one reconciliation of all months leaves open, and leave open nothing that it matches.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type * as OpenItems from "@transferkit/books/OpenItems"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as Seeds from "../../../scripts/test/Seeds.ts"
import { dayOf, integer, months, oneOf, reconcile, run, settingsOf, transferOf } from "./BookMonths.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-doubles-"))
})
afterAll(() => rm(folder, { recursive: true }))

interface Row {
  readonly amount: string
  readonly day: number
  readonly status: string
}

/** The rows of a key. */
interface Key {
  readonly booked: ReadonlyArray<Row>
  readonly sent: ReadonlyArray<Row>
}

/** In the days before and after the turn of a month, or anywhere. */
const day: Arbitrary.Arbitrary<number> = Arbitrary.map(
  Arbitrary.all([oneOf(["turn", "turn", "turn", "any"]), oneOf([31, 62]), integer(-4, 3), integer(0, 91)] as const),
  ([where, turn, near, anywhere]) => (where === "turn" ? turn + near : anywhere),
)

const rows = (statuses: ReadonlyArray<string>): Arbitrary.Arbitrary<ReadonlyArray<Row>> =>
  Arbitrary.array(
    Arbitrary.map(
      Arbitrary.all([oneOf(["10", "10", "10.00", "7"]), day, oneOf(statuses)] as const),
      ([amount, on, status]) => ({ amount, day: on, status }),
    ),
    { maxLength: 3 },
  )

const key: Arbitrary.Arbitrary<Key> = Arbitrary.map(
  Arbitrary.all([rows([""]), rows(["complete", "complete", "complete", "declined", "executing"])] as const),
  ([booked, sent]) => ({ booked, sent }),
)

const csvOf = (keys: ReadonlyArray<Key>, isIn: (day: number) => boolean): string =>
  [
    "external_id,amount,currency,day",
    ...months.map((month, index) => `witness-${index},1,EUR,${month}-15`),
    ...keys.flatMap(({ booked }, index) =>
      booked.flatMap(({ amount, day: on }) => (isIn(on) ? [`k${index},${amount},EUR,${dayOf(on)}`] : [])),
    ),
  ].join("\n")

/** What is open of each key: transfers that are settled less rows, in cents. Other transfers are no money. */
const openOf = (open: OpenItems.OpenItems): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  const add = (name: string, cents: number) => sums.set(name, (sums.get(name) ?? 0) + cents)
  const centsOf = (amount: { readonly text: string } | undefined) => Math.round(Number(amount?.text ?? 0) * 100)
  for (const { key: name, amount } of open.entries) add(name, -centsOf(amount))
  for (const { external_id = "", status, source_total } of open.transfers)
    if (status === "complete") add(external_id ?? "", centsOf(source_total ?? undefined))
  return new Map([...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Seeds that it once failed with. */
const regressions = ["turn", "6d88e0c0"]

test.each([...regressions, ...Seeds.all])(
  "P24: months one after the other lose no double, and invent none, LAW_SEED=%s",
  async (seed) => {
    let doubles = 0
    const check = Arbitrary.checkEffect(
      Arbitrary.all([
        Arbitrary.array(key, { minLength: 8, maxLength: 12 }),
        oneOf([0, 3]),
        oneOf([0, 3, 91]),
        oneOf([0, 100]),
        oneOf([false, false, true]),
      ] as const),
      ([keys, grace, overlap, look_ups, group]) =>
        Effect.promise(async () => {
          const transfers = [
            ...months.map((name, index) => transferOf(`witness-${index}`, "1", `${name}-15`, "complete")),
            ...keys.flatMap(({ sent }, index) =>
              sent.map(({ amount, day: on, status }, nth) =>
                transferOf(`${index}-${nth}`, amount, dayOf(on), status, `k${index}`),
              ),
            ),
          ]
          const ledger = join(folder, "ledger.csv")
          const books = async (from: number, to: number, carried: OpenItems.OpenItems | undefined) => {
            const [first, last] = [31 * from, [30, 61, 91][to] ?? 0]
            await writeFile(
              ledger,
              csvOf(keys, (on) => on >= first - overlap && on <= last + overlap),
            )
            const settings = settingsOf(from, to, grace, { look_ups, group })
            return (await run(Effect.scoped(reconcile(ledger, transfers, settings, carried)))).open
          }
          let open: OpenItems.OpenItems | undefined
          for (const month of [0, 1, 2]) open = await books(month, month, open)
          const whole = openOf(await books(0, 2, undefined))
          doubles += whole.size
          // The rows of a month are not added to those of another, which may be of other transfers.
          const shown = (sums: ReadonlyMap<string, number>) =>
            JSON.stringify([...sums].filter(([, cents]) => !group || cents !== 0))
          return open !== undefined && shown(openOf(open)) === shown(whole)
        }),
      { runs: 25, seed },
    )
    expect(Arbitrary.formatCheckFailure(await Effect.runPromise(check)), `LAW_SEED=${seed} repeats it`).toBeUndefined()
    expect(doubles).toBeGreaterThan(50)
  },
)

/** Rows and transfers of one amount, in the first days of a month. */
const turning: Arbitrary.Arbitrary<Key> = Arbitrary.map(
  Arbitrary.all([
    Arbitrary.array(integer(31, 33), { maxLength: 2 }),
    Arbitrary.array(integer(31, 33), { maxLength: 2 }),
  ] as const),
  ([booked, sent]) => ({
    booked: booked.map((on) => ({ amount: "10", day: on, status: "" })),
    sent: sent.map((on) => ({ amount: "10", day: on, status: "complete" })),
  }),
)

test.each(Seeds.all)(
  "what is a pair of the month before is no counterpart in a month, also without earlier books, LAW_SEED=%s",
  async (seed) => {
    let doubles = 0
    const check = Arbitrary.checkEffect(
      Arbitrary.all([Arbitrary.array(turning, { minLength: 8, maxLength: 12 }), integer(28, 30)] as const),
      ([keys, before]) =>
        Effect.promise(async () => {
          const openWith = async (all: ReadonlyArray<Key>) => {
            const ledger = join(folder, "turn.csv")
            await writeFile(
              ledger,
              csvOf(all, () => true),
            )
            const transfers = all.flatMap(({ sent }, index) =>
              sent.map(({ amount, day: on, status }, nth) =>
                transferOf(`${index}-${nth}`, amount, dayOf(on), status, `k${index}`),
              ),
            )
            const settings = settingsOf(1, 1, 3, { look_ups: 0, group: false })
            return openOf((await run(Effect.scoped(reconcile(ledger, transfers, settings, undefined)))).open)
          }
          const pair = { amount: "10", day: before }
          const more = keys.map(({ booked, sent }) => ({
            booked: [{ ...pair, status: "" }, ...booked],
            sent: [{ ...pair, status: "complete" }, ...sent],
          }))
          const [without, beside] = [await openWith(keys), await openWith(more)]
          doubles += [...without].filter(([name, cents]) => name.startsWith("k") && cents < 0).length
          const shown = (sums: ReadonlyMap<string, number>) => JSON.stringify([...sums])
          return shown(without) === shown(beside)
        }),
      // 25 make 64 doubles on average, but 45 with the seed 4de57b11.
      { runs: 40, seed },
    )
    expect(Arbitrary.formatCheckFailure(await Effect.runPromise(check)), `LAW_SEED=${seed} repeats it`).toBeUndefined()
    expect(doubles).toBeGreaterThan(50)
  },
)
