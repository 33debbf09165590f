import { expect, test } from "vitest"
import { KeyHints } from "../src/ledgers/KeyHints.ts"

const hintsOf = (entries: ReadonlyArray<string>, transfers: ReadonlyArray<string | undefined>) => {
  const hints = new KeyHints()
  for (const key of entries) hints.addEntry(key)
  for (const key of transfers) hints.addTransfer(key)
  return hints.hints
}

test.each<[string, ReadonlyArray<string>, ReadonlyArray<string>, string]>([
  ["case and blanks", ["ORDER-1", "order -2"], ["order-1", "order-2"], "without case and blanks"],
  ["leading zeros", ["17", "18"], ["0017", "0018"], "without leading zeros"],
  ["punctuation", ["ORDER/1"], ["order-1"], "by their letters and digits"],
  ["a longer text", ["Payment order-1, thanks", "for order-2"], ["order-1", "order-2"], "by a part of their text"],
  ["scientific notation", ["1.01E+15"], ["1010000000000017"], "by the digits that scientific notation keeps"],
])("tells %s", (_, entries, transfers, form) => {
  expect(hintsOf(entries, transfers)[0]).toMatchObject({ form, matches: entries.length, of: entries.length })
})

test("tells nothing if a twentieth of the rows matches, or no form does", () => {
  const entries = Array.from({ length: 20 }, (_, index) => `A-${index}`)
  expect(hintsOf(entries, ["a-1", "A-2"])).toEqual([])
  expect(hintsOf([...entries, "A-20"], ["a-1", "a-2", "A-20"])).toMatchObject([
    { matches: 2, of: 20 },
    { matches: 2 },
    { matches: 2 },
  ])
  expect(hintsOf(entries, ["x", undefined])).toEqual([])
  expect(hintsOf([], ["x"])).toEqual([])
})

test("tells keys that a spreadsheet has cut, whatever the keys of the service are", () => {
  expect(hintsOf(["1.23E+11", "1.24E+11", "x"], ["a1", "a2"])).toMatchObject([
    {
      matches: 2,
      of: 3,
      text: expect.stringContaining("2 of 3 keys without a match are in scientific notation, such as 1.23E+11"),
    },
  ])
  expect(hintsOf(["1.23E+11"], ["a1"])[0]?.text).toMatch(/^1 of 1 key without a match is in/)
  expect(hintsOf(["order-1"], ["a1"])).toEqual([])
  expect(hintsOf(["1E+11", ...Array.from({ length: 20 }, (_, index) => `x${index}`)], ["a1"])).toEqual([])
})

test("keeps at most 1,000 rows and 20,000 transfers", () => {
  const keys = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)
  expect(hintsOf(keys(1_500, "K-"), keys(30_000, "k-"))[0]).toMatchObject({ matches: 1_000, of: 1_000 })
  expect(hintsOf(["K-20000"], keys(30_000, "k-"))).toEqual([])
})
