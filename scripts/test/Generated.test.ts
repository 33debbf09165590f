import { expect, test } from "vitest"
import * as Generated from "../Generated.ts"
import * as TransferOf from "../TransferOf.ts"

test("every file that is made of the sources is up to date (pnpm generate writes them)", () => {
  expect(Generated.outdated()).toEqual([])
  expect(Generated.all().size).toBeGreaterThan(15)
})

test("TransferOf has the fields in the order of the table, with their docstrings", () => {
  const source = `export const fields = {
  id: "id",
  /** What the bank charged. */
  bank_fee: "money",
  settled_at: "instant",
}`
  expect(TransferOf.render({ id: "id", bank_fee: "money", settled_at: "instant" }, source)).toContain(
    `export interface TransferOf<Money, Timestamp> {
  readonly id: string
  /** What the bank charged. */
  readonly bank_fee?: Money
  readonly settled_at?: Timestamp
}
`,
  )
})
