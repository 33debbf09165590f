import { expect, test } from "vitest"
import { ScratchLines } from "../../src/partitions/ScratchLines.ts"
import { scratchInMemory } from "./scratchInMemory.ts"

const blockSize = 16 * 1024

test("gives texts of any length and script back in their order, at each call", () => {
  const scratch = scratchInMemory()
  const lines = new ScratchLines(scratch)
  const lengths = [0, 1, blockSize - 1, blockSize, 3 * blockSize, 5, 0, 20_000, 20_000]
  const texts = lengths.flatMap((length) => ["a".repeat(length), "ä\u{1f600}".repeat(length / 3)])
  for (const text of texts) lines.add(text)
  expect([...lines.texts()]).toEqual(texts)
  expect([...lines.texts()]).toEqual(texts)
  expect(lines.count).toBe(texts.length)
  expect(lines.length).toBe(texts.join("").length)
})

test("writes blocks of the size that it holds at most, and nothing before the first is full", () => {
  const scratch = scratchInMemory()
  const lines = new ScratchLines(scratch)
  for (let index = 0; index < 50; index++) lines.add("x".repeat(255))
  expect(scratch.blocks).toHaveLength(0)
  for (let index = 0; index < 1000; index++) lines.add("x".repeat(255))
  expect(scratch.blocks.map(({ length }) => length)).toEqual(Array.from({ length: 16 }, () => blockSize))
})
