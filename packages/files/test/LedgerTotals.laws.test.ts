/** A total is left out of a ledger only with proof: it is exactly the sum of the rows above it. */
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as S from "effect/Schema"
import { expect, test } from "vitest"
import * as Seeds from "../../../scripts/test/Seeds.ts"
import { readText } from "./Ledgers.ts"

const integer = (minimum: number, maximum: number) => Arbitrary.schema(S.Int.check(S.isBetween({ minimum, maximum })))
const part = Arbitrary.array(integer(-99_999, 99_999), { minLength: 2, maxLength: 6 })
const parts = Arbitrary.array(part, { minLength: 1, maxLength: 4 })

const text = (cents: number): string => (cents / 100).toFixed(2)
const sum = (amounts: ReadonlyArray<number>): number => amounts.reduce((total, one) => total + one, 0)

/** Groups of bookings, each with its total below; `off` is added to the last total. */
const ledgerOf = (groups: ReadonlyArray<ReadonlyArray<number>>, off: number): string => {
  let line = 0
  const rows = groups.flatMap((amounts, index) => [
    ...amounts.map((amount) => `k${line++},${text(amount)},EUR`),
    `,${text(sum(amounts) + (index === groups.length - 1 ? off : 0))},EUR`,
  ])
  return ["external_id,amount,currency", ...rows].join("\n")
}

test.each(Seeds.all)("totals of a ledger are proven, and a cent disproves one, LAW_SEED=%s", async (seed) => {
  let groupsRead = 0
  const check = Arbitrary.checkEffect(
    Arbitrary.all([parts, integer(1, 3)] as const),
    ([groups, off]) =>
      Effect.promise(async () => {
        const all = groups.flat()
        const { rows = [], reading } = await readText(ledgerOf(groups, 0))
        expect(rows.map((row) => row.split(" | ")[2])).toEqual(all.map((amount) => `${text(amount)} fiat/EUR`))
        expect(reading?.rows).toBe(all.length)
        groupsRead += groups.length
        // It may be the sum of fewer rows, or of more, which proves it.
        const others = all.map((_, index) => sum(all.slice(index)))
        if (others.includes(sum(groups.at(-1) ?? []) + off)) return true
        // Nothing proves the last total, so its row stays, or is asked about; it never vanishes.
        const wrong = await readText(ledgerOf(groups, off))
        if (wrong.reason === undefined) expect(wrong.rows).toHaveLength(all.length + 1)
        return true
      }),
    { runs: 60, seed },
  )
  expect(Arbitrary.formatCheckFailure(await Effect.runPromise(check))).toBeUndefined()
  expect(groupsRead).toBeGreaterThan(60)
})
