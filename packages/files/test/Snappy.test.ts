/** Blocks of Snappy stand for the bytes that were compressed, or are rejected. */
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as S from "effect/Schema"
import { snappyCompress } from "hyparquet-writer/src/snappy.js"
import { expect, test } from "vitest"
import * as Seeds from "../../../scripts/test/Seeds.ts"
import * as Snappy from "../src/internal/parquet/Snappy.ts"
import { endless } from "./ParquetChunks.ts"

const integer = (minimum: number, maximum: number) => Arbitrary.schema(S.Int.check(S.isBetween({ minimum, maximum })))
const parts = Arbitrary.array(Arbitrary.all([integer(0, 2000), integer(1, 7)] as const), { minLength: 0, maxLength: 9 })

test.each(Seeds.all)("bytes are read as they were compressed, LAW_SEED=%s", async (seed) => {
  let compressed = 0
  const check = Arbitrary.checkEffect(
    parts,
    (drawn) =>
      Effect.sync(() => {
        const bytes = Buffer.concat(
          drawn.map(([length, period]) => Buffer.from(Array.from({ length }, (_, at) => (at % period) + period * 31))),
        )
        const block = snappyCompress(bytes)
        expect(Snappy.uncompress(block, bytes.length).every((byte, at) => byte === bytes[at])).toBe(true)
        expect(() => Snappy.uncompress(block, bytes.length + 1)).toThrow("with SNAPPY")
        expect(() => Snappy.uncompress(block.subarray(0, -1), bytes.length)).toThrow("with SNAPPY")
        if (block.length < bytes.length / 2) compressed += 1
        return true
      }),
    { runs: 100, seed },
  )
  expect(Arbitrary.formatCheckFailure(await Effect.runPromise(check))).toBeUndefined()
  expect(compressed).toBeGreaterThan(10)
})

test("literals and copies of every length are read", () => {
  expect([...Snappy.uncompress(Uint8Array.of(2, 60 << 2, 1, 7, 8), 2)]).toEqual([7, 8])
  expect([...Snappy.uncompress(Uint8Array.of(2, 63 << 2, 1, 0, 0, 0, 7, 8), 2)]).toEqual([7, 8])
  expect([...Snappy.uncompress(Uint8Array.of(6, 4, 7, 8, 1, 2), 6)]).toEqual([7, 8, 7, 8, 7, 8])
  expect([...Snappy.uncompress(Uint8Array.of(4, 4, 7, 8, 6, 2, 0), 4)]).toEqual([7, 8, 7, 8])
  expect([...Snappy.uncompress(Uint8Array.of(4, 4, 7, 8, 7, 2, 0, 0, 0), 4)]).toEqual([7, 8, 7, 8])
})

test.each<[string, Uint8Array, number]>([
  ["whose literal leads back to its tag", endless(16), 16],
  ["of another size", Uint8Array.of(3, 4, 7, 8), 2],
  ["with a size of six bytes", Uint8Array.of(0x82, 0x80, 0x80, 0x80, 0x80, 0, 4, 7, 8), 2],
  ["with a literal past its end", Uint8Array.of(2, 4, 7), 2],
  ["with a literal past its size", Uint8Array.of(1, 4, 7, 8), 1],
  ["with a copy past its size", Uint8Array.of(3, 4, 7, 8, 1, 2), 3],
  ["with a copy of nothing", Uint8Array.of(6, 4, 7, 8, 1, 0), 6],
  ["with a copy from before its start", Uint8Array.of(6, 4, 7, 8, 1, 3), 6],
  ["with half an offset", Uint8Array.of(4, 4, 7, 8, 6, 2), 4],
  ["with a copy from far before its start", Uint8Array.of(4, 4, 7, 8, 7, 254, 255, 255, 255), 4],
])("a block %s is rejected", (_, block, size) => {
  expect(() => Snappy.uncompress(block, size)).toThrow("a page is compressed in another way than with SNAPPY")
})
