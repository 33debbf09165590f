import { describe, expect, test } from "vitest"
import * as KeyHash from "../../src/partitions/KeyHash.ts"

const partitions = 128
const rows = 40_000

/** The characters of these differ in their high bits only, which a plain FNV hash never brings to the low ones. */
const bangs = (index: number): string => index.toString(2).padStart(16, "0").replaceAll("0", "!").replaceAll("1", "a")

describe.each([
  ["consecutive", (index: number) => `order-${index}`],
  ["long with a common end", (index: number) => `${index}${"0".repeat(60)}`],
  ["equal modulo 64 in each character", bangs],
  ["not ASCII", (index: number) => String.fromCodePoint(0x4e00 + (index % 20_000), 0x1f600 + (index >> 10))],
])("keys that are %s", (_, keyOf) => {
  test.each([0, 1, 2 ** 32 - 1])("spread evenly over partitions with the seed %i", (seed) => {
    const hash = KeyHash.make(seed)
    const sizes = Array.from({ length: partitions }, () => 0)
    for (let index = 0; index < rows; index++) {
      const at = hash(keyOf(index)) % partitions
      sizes[at] = (sizes[at] ?? 0) + 1
    }
    expect(Math.max(...sizes)).toBeLessThan(1.4 * (rows / partitions))
    expect(Math.min(...sizes)).toBeGreaterThan(0.6 * (rows / partitions))
  })
})
