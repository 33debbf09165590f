import { expect, test } from "vitest"
import { SortedTexts } from "../../src/partitions/SortedTexts.ts"
import { scratchInMemory } from "./scratchInMemory.ts"

const rows = Array.from({ length: 3000 }, (_, index) => ({
  // Few orders, so that many are equal; tabs, quotes and characters beyond ASCII must survive the scratch.
  order: `${(index * 7919) % 50}\t"ä${String.fromCodePoint(0x1f600)}`,
  text: `{"index":${index}}`,
}))
const expected = rows.toSorted((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0))

test.each([0, 100, 5000, 20_000, 10_000_000])("sorts as in memory, with %i code units in memory", (limit) => {
  const scratch = scratchInMemory()
  const sorted = new SortedTexts(scratch, limit)
  for (const { order, text } of rows) sorted.add(order, text)
  expect([...sorted.rows()]).toEqual(expected)
  expect([...sorted.rows()]).toEqual(expected)
  expect(sorted.count).toBe(rows.length)
})

test("writes nothing below its limit", () => {
  const scratch = scratchInMemory()
  const sorted = new SortedTexts(scratch, 10_000_000)
  for (const { order, text } of rows) sorted.add(order, text)
  expect([...sorted.rows()]).toHaveLength(rows.length)
  expect(scratch.blocks).toHaveLength(0)
})
