/**
 * A law of payouts in months that follow each other: each is compared with all rows that name it, whichever month has them,
 * and whichever ledgers have them again. So the months leave open what one reconciliation of all leaves open.
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
  folder = await mkdtemp(join(tmpdir(), "transfers-payouts-"))
})
afterAll(() => rm(folder, { recursive: true }))

interface Row {
  readonly amount: number
  readonly day: number
  /** Whether the service has its transfer. */
  readonly isSent: boolean
}

/** The rows that name a payout, and its own. */
interface Payout {
  readonly parts: ReadonlyArray<Row>
  readonly paid: ReadonlyArray<Row>
}

/** In the days before and after the turn of a month, or anywhere. */
const day: Arbitrary.Arbitrary<number> = Arbitrary.map(
  Arbitrary.all([oneOf(["turn", "turn", "any"]), oneOf([31, 62]), integer(-4, 3), integer(0, 91)] as const),
  ([where, turn, near, anywhere]) => (where === "turn" ? turn + near : anywhere),
)

const rows = (amounts: ReadonlyArray<number>): Arbitrary.Arbitrary<ReadonlyArray<Row>> =>
  Arbitrary.array(
    Arbitrary.map(
      Arbitrary.all([oneOf(amounts), day, oneOf([true, true, false])] as const),
      ([amount, on, isSent]) => ({
        amount,
        day: on,
        isSent,
      }),
    ),
    { maxLength: 3 },
  )

const payout: Arbitrary.Arbitrary<Payout> = Arbitrary.map(
  Arbitrary.all([rows([10, 10, 20]), rows([10, 20, 30]), oneOf(["sum", "sum", "any"]), day] as const),
  ([parts, paid, how, on]) => {
    const sum = parts.reduce((all, { amount }) => all + amount, 0)
    return { parts, paid: how === "any" || sum === 0 ? paid : [{ amount: sum, day: on, isSent: false }] }
  },
)

const csvOf = (payouts: ReadonlyArray<Payout>, isIn: (day: number) => boolean): string =>
  [
    "external_id,amount,currency,day,po",
    ...months.map((month, index) => `witness-${index},1,EUR,${month}-15,`),
    ...payouts.flatMap(({ parts, paid }, index) => [
      ...parts.flatMap(({ amount, day: on }, nth) =>
        isIn(on) ? [`k${index}-${nth},${amount},EUR,${dayOf(on)},P${index}`] : [],
      ),
      ...paid.flatMap(({ amount, day: on }) => (isIn(on) ? [`P${index},${amount},EUR,${dayOf(on)},`] : [])),
    ]),
  ].join("\n")

/** What is open of the rows of each payout. */
const openOf = (open: OpenItems.OpenItems | undefined): string => {
  const sums = new Map<string, number>()
  for (const { key, amount } of open?.entries ?? [])
    if (key.startsWith("P")) sums.set(key, (sums.get(key) ?? 0) + Number(amount.text))
  return JSON.stringify([...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

test.each(["payouts", ...Seeds.all])(
  "P20: months one after the other compare a payout with all rows that name it, LAW_SEED=%s",
  async (seed) => {
    let breaks = 0
    const check = Arbitrary.checkEffect(
      Arbitrary.all([
        Arbitrary.array(payout, { minLength: 8, maxLength: 12 }),
        oneOf([0, 3]),
        oneOf([0, 3, 91]),
        oneOf([0, 100]),
        oneOf([false, false, true]),
      ] as const),
      ([payouts, grace, overlap, look_ups, group]) =>
        Effect.promise(async () => {
          const transfers = [
            ...months.map((name, index) => transferOf(`witness-${index}`, "1", `${name}-15`, "complete")),
            ...payouts.flatMap(({ parts }, index) =>
              parts.flatMap(({ amount, day: on, isSent }, nth) =>
                isSent ? [transferOf(`k${index}-${nth}`, String(amount), dayOf(on), "complete")] : [],
              ),
            ),
          ]
          const ledger = join(folder, "ledger.csv")
          const books = async (from: number, to: number, carried: OpenItems.OpenItems | undefined) => {
            const [first, last] = [[0, 31, 62][from] ?? 0, [30, 61, 91][to] ?? 0]
            await writeFile(
              ledger,
              csvOf(payouts, (on) => on >= first - overlap && on <= last + overlap),
            )
            const settings = settingsOf(from, to, grace, {
              look_ups,
              group,
              ledger: { columns: { date: "day", payout: "po" } },
            })
            return (await run(Effect.scoped(reconcile(ledger, transfers, settings, carried)))).open
          }
          let open: OpenItems.OpenItems | undefined
          for (const month of [0, 1, 2]) open = await books(month, month, open)
          const whole = openOf(await books(0, 2, undefined))
          breaks += whole.split("P").length - 1
          return openOf(open) === whole
        }),
      { runs: 25, seed },
    )
    expect(Arbitrary.formatCheckFailure(await Effect.runPromise(check)), `LAW_SEED=${seed} repeats it`).toBeUndefined()
    expect(breaks).toBeGreaterThan(50)
  },
)
