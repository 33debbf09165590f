/** A stream of bytes is split into values in linear time, however it arrives. */
import { setImmediate } from "node:timers/promises"
import { expect, test } from "vitest"
import { jsonTexts, type JsonText } from "../src/internal/data/JsonTexts.ts"

const large = `{"id":"${"x".repeat(1_000_000)}"}`

const read = async (text: string, bytes: number): Promise<ReadonlyArray<JsonText>> => {
  const all = Buffer.from(text)
  const chunks = (async function* () {
    for (let at = 0; at < all.byteLength; at += bytes) {
      // So that the limit of the test can end it.
      if (at % 1000 === 0) await setImmediate()
      yield all.subarray(at, at + bytes)
    }
  })()
  const found: Array<JsonText> = []
  for await (const texts of jsonTexts(chunks)) for (const each of texts) found.push(each)
  return found
}

test.each([
  ["lines", `\n${large}\n{"id":"a"}`, [2, 3]],
  ["an array", `[\n${large},\n{"id":"a"}]`, [2, 3]],
  ["blanks", `${" ".repeat(1_000_000)}\n{"id":"a"}`, [2]],
])("%s in single bytes", { timeout: 20_000 }, async (_, text, lines) => {
  const found = await read(text, 1)
  expect(found.map(({ line }) => line)).toEqual(lines)
  expect(found).toEqual(await read(text, text.length))
  expect(found.at(-1)?.text).toBe('{"id":"a"}')
})

test(
  "an array of a million elements in one line takes about as long as one of a million lines",
  { timeout: 60_000 },
  async () => {
    const seconds = async (separator: string) => {
      const start = performance.now()
      expect(await read(`[${`0${separator}`.repeat(1_000_000)}0]`, 1 << 20)).toHaveLength(1_000_001)
      return performance.now() - start
    }
    expect(await seconds(", ")).toBeLessThan(8 * (await seconds(",\n")) + 1000)
  },
)
