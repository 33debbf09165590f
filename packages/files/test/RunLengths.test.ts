/** Every run of numbers that the writer makes is read back, and none that stands for another number of them. */
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as S from "effect/Schema"
import { ByteWriter } from "hyparquet-writer"
import { writeRleBitPackedHybrid } from "hyparquet-writer/src/encoding.js"
import { expect, test } from "vitest"
import * as Seeds from "../../../scripts/test/Seeds.ts"
import * as RunLengths from "../src/internal/parquet/RunLengths.ts"

const integer = (minimum: number, maximum: number) => Arbitrary.schema(S.Int.check(S.isBetween({ minimum, maximum })))
const runs = Arbitrary.array(Arbitrary.all([integer(1, 40), integer(0, 8191)] as const), { minLength: 1, maxLength: 9 })

const written = (numbers: ReadonlyArray<number>, width: number): Uint8Array => {
  const writer = new ByteWriter()
  writeRleBitPackedHybrid(writer, [...numbers], width)
  return writer.getBytes()
}

test.each(Seeds.all)("numbers of 0 to 13 bits are read as they were written, LAW_SEED=%s", async (seed) => {
  let read = 0
  const check = Arbitrary.checkEffect(
    Arbitrary.all([runs, integer(0, 13)] as const),
    ([drawn, width]) =>
      Effect.sync(() => {
        const numbers = drawn.flatMap(([length, value]) => Array.from({ length }, () => value % 2 ** width))
        const bytes = written(numbers, width)
        expect([...RunLengths.decode(bytes, width, numbers.length)]).toEqual(numbers)
        for (const count of [0, numbers.length - 8, numbers.length + 8]) {
          if (count >= 0) expect(() => RunLengths.decode(bytes, width, count)).toThrow()
        }
        if (width > 0) expect(() => RunLengths.decode(bytes.subarray(0, -1), width, numbers.length)).toThrow()
        read += 1
        return true
      }),
    { runs: 200, seed },
  )
  expect(Arbitrary.formatCheckFailure(await Effect.runPromise(check))).toBeUndefined()
  expect(read).toBe(200)
})
