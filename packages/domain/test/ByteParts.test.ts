import * as Arbitrary from "effect/Arbitrary"
import * as S from "effect/Schema"
import { expect, test } from "vitest"
import * as ByteParts from "../src/ByteParts.ts"
import { law } from "./fixtures/law.ts"

const lengths = Arbitrary.schema(S.Array(S.Int.check(S.isBetween({ minimum: 0, maximum: 40 }))))

law("parts of any length become what they are together, and stay as they were", { lengths }, ({ lengths }) => {
  const make = () => lengths.map((length, index) => new Uint8Array(length).fill(index + 1))
  const given = make()
  const parts = ByteParts.make(1e6)
  for (const part of given) expect(parts.add(part)).toBe(true)
  expect(Buffer.compare(parts.whole(), Buffer.concat(given))).toBe(0)
  expect(given).toEqual(make())
})

test("one part is not copied", () => {
  const part = Uint8Array.of(1, 2, 3)
  const parts = ByteParts.make(3)
  parts.add(part)
  parts.add(new Uint8Array())
  expect(parts.whole().buffer).toBe(part.buffer)
})

test("memory is in proportion to the bytes, however many parts they come in", () => {
  const parts = ByteParts.make(1_000_000)
  // One look at the count: a million calls of expect take longer than a million parts.
  let added = 0
  for (let index = 0; index < 1_000_000; index++) if (parts.add(Uint8Array.of(index & 255))) added++
  expect(added).toBe(1_000_000)
  expect(parts.whole().buffer.byteLength).toBeLessThanOrEqual(1_000_000)
  expect(parts.add(Uint8Array.of(0))).toBe(false)
  expect(parts.add(new Uint8Array())).toBe(false)
  expect(parts.whole().buffer.byteLength).toBe(0)
})
