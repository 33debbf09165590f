import { expect, test } from "vitest"
import { IdSet } from "../src/IdSet.ts"

/** Ids as services give them: counted, random, long, and apart in one place only. */
const families: ReadonlyArray<readonly [name: string, of: (index: number) => string]> = [
  ["numbers", (index) => String(index)],
  ["padded numbers", (index) => `tr_${String(index).padStart(12, "0")}`],
  ["UUIDs that count", (index) => `00000000-0000-4000-8000-${index.toString(16).padStart(12, "0")}`],
  ["counted at the front", (index) => `${index.toString(36)}-${"x".repeat(40)}`],
  ["runs of one letter", (index) => "a".repeat(index % 3000) + (index >= 3000 ? Math.floor(index / 3000) : "")],
  ["other scripts", (index) => `überweisung-${index}-転送`],
]

const count = 100_000

test.each(families)("tells %s apart, and knows each again", (_, of) => {
  const ids = new IdSet()
  const reference = new Set<string>()
  for (let index = 0; index < count; index++) {
    const id = of(index)
    const isNew = !reference.has(id)
    reference.add(id)
    if (ids.add(id) !== isNew) throw new Error(`${id} was ${isNew ? "taken for another" : "not known again"}`)
  }
  expect(ids.size).toBe(reference.size)
  for (let index = 0; index < count; index += 7) expect(ids.add(of(index))).toBe(false)
})

test("starts with ids that were seen before, the empty one and those with zeros", () => {
  const before = ["", "\0", "\0\0", "\0\0\0\0\0\0\0\0", "a", "a\0"]
  const ids = new IdSet(before)
  expect(ids.size).toBe(before.length)
  expect(before.map((id) => ids.add(id))).toEqual(before.map(() => false))
  expect(ids.add("b")).toBe(true)
})

test("keeps an id in no more than 43 bytes, whatever its length", () => {
  const held = () => process.memoryUsage().arrayBuffers
  const before = held()
  const ids = new IdSet()
  const total = 400_000
  for (let index = 0; index < total; index++) ids.add(`${index}`.padStart(64, "-"))
  // The last table only; those it has outgrown may not have been collected yet.
  expect((2 ** Math.ceil(Math.log2((total * 4) / 3)) * 16) / total).toBeLessThanOrEqual(43)
  expect(held() - before).toBeLessThan(total * 43 * 2)
  expect(ids.size).toBe(total)
})

test("knows apart ids that were made to collide in MurmurHash3 with its own numbers", () => {
  const ids = new IdSet(["id-A2201-victim0"])
  expect(ids.add("id-B9325\u36ec\u9d4c\u332e\u19c9\uff25\u36ca\ud449\u0c06")).toBe(true)
})
