import * as Amount from "@transferkit/domain/Amount"
import { expect, test } from "vitest"
import { draws } from "../../../scripts/test/mutations.ts"
import * as Seeds from "../../../scripts/test/Seeds.ts"
import { ColumnSum } from "../src/ledgers/ColumnSum.ts"

test("equals the sum of any amounts exactly, and nothing near it", () => {
  let sums = 0
  for (const seed of Seeds.all) {
    const draw = draws(`${seed}/ColumnSum`)
    for (let run = 0; run < 200; run++) {
      const sum = new ColumnSum()
      let units = 0n
      for (let rows = 0; rows < 20; rows++) {
        const value = BigInt(draw(2 ** 52)) % 10n ** BigInt(1 + draw(18))
        const text = Amount.fromUnits(draw(2) === 0 ? value : -value, draw(7))
        sum.add(text)
        units += Amount.toUnits(text, 18)
        const whole = Amount.fromUnits(units, 18)
        expect(sum.equals(whole), `LAW_SEED=${Seeds.drawn}`).toBe(true)
        expect(sum.equals(Amount.withoutZeros(whole))).toBe(true)
        expect(sum.equals(Amount.fromUnits(units + 1n, 18))).toBe(false)
        sums++
      }
    }
  }
  expect(sums).toBeGreaterThan(3_000)
})

test("equals nothing if an amount has more digits than it keeps, until it begins anew", () => {
  const sum = new ColumnSum()
  sum.add("0.0000000000000000001")
  expect(sum.equals("0.0000000000000000001")).toBe(false)
  expect(sum.count).toBe(1)
  sum.reset()
  sum.add("5")
  expect(sum.equals("5.00")).toBe(true)
  expect(sum.equals("5.0000000000000000001")).toBe(false)
})
