import { expect, test } from "vitest"
import * as TextLines from "../src/ledgers/TextLines.ts"

const read = async (chunks: ReadonlyArray<string>, most = 10) => {
  const batches: Array<ReadonlyArray<string>> = []
  const source = (async function* () {
    yield* chunks
  })()
  for await (const batch of TextLines.read(source, most)) batches.push(batch)
  return batches.flat()
}

test.each<[ReadonlyArray<string>, ReadonlyArray<string>]>([
  [[], []],
  [["a"], ["a"]],
  [["a\nb\r\nc\rd"], ["a", "b", "c", "d"]],
  [["\n\r\r\n\r"], ["", "", "", ""]],
  [
    ["a\r", "\nb\r", "c\r", "\r\n"],
    ["a", "b", "c", ""],
  ],
  [
    ["a", "b", "c\n", "d"],
    ["abc", "d"],
  ],
  [["a\r"], ["a"]],
  [["a\n"], ["a"]],
])("the lines of %j are %j", async (chunks, lines) => {
  expect(await read(chunks)).toEqual(lines)
})

test("a line may be as long as the most, and a longer one is the last", async () => {
  const [longest, longer] = ["x".repeat(10), "x".repeat(11)]
  expect(await read([longest, "\na"])).toEqual([longest, "a"])
  expect(await read(["a\n", longer, "x\nb"])).toEqual(["a", longer])
})
