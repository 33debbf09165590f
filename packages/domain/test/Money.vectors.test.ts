/** Money agrees, text for text, with Python's `decimal`; vectors/money.py wrote the vectors. */
import { readFileSync } from "node:fs"
import * as Result from "effect/Result"
import { expect, test } from "vitest"
import * as Money from "../src/Money.ts"

interface Vector {
  readonly a: string
  readonly b: string
  readonly add: string
  readonly subtract: string
  readonly multiply: string
  readonly compare: number
  readonly scale: number
  readonly round: Record<Money.RoundingMode, string>
}

/** `divide` is null for a division by zero. */
interface Division {
  readonly a: string
  readonly b: string
  readonly scale: number
  readonly divide: Record<Money.RoundingMode, string> | null
}

interface Vectors {
  readonly sum: string
  readonly vectors: ReadonlyArray<Vector>
  readonly divisions: ReadonlyArray<Division>
}

const { sum, vectors, divisions }: Vectors = JSON.parse(
  readFileSync(new URL("vectors/money.json", import.meta.url), "utf8"),
)
const usd = (text: string) => Money.parseUnsafe(text, "fiat/USD")
const get = Result.getOrThrow
const modes = ["up", "down", "ceiling", "floor", "half-up", "half-down", "half-even"] as const

test("agrees with 500 vectors of Python's decimal", () => {
  expect(vectors).toHaveLength(500)
  for (const { a, b, scale, ...expected } of vectors) {
    expect({
      add: get(Money.add(usd(a), usd(b))).text,
      subtract: get(Money.subtract(usd(a), usd(b))).text,
      multiply: get(Money.multiply(usd(a), b)).text,
      compare: get(Money.compare(usd(a), usd(b))),
      round: Object.fromEntries(modes.map((mode) => [mode, Money.round(usd(a), scale, mode).text])),
    }).toEqual(expected)
  }
})

test("agrees with the sum of the vectors", () => {
  const [first = usd("0"), ...rest] = vectors.map(({ a }) => usd(a))
  expect(get(Money.sum([first, ...rest])).text).toBe(sum)
})

test("agrees with 500 divisions of Python's decimal, by a number and by an amount", () => {
  expect(divisions).toHaveLength(500)
  expect(divisions.filter(({ divide }) => divide === null).length).toBeGreaterThan(3)
  for (const { a, b, scale, divide } of divisions) {
    if (divide === null) {
      const failed = Result.fail(new Money.DivisionByZero({ dividend: String(usd(a)) }))
      expect(Money.divide(usd(a), b, { scale, rounding: "up" })).toEqual(failed)
      expect(Money.ratio(usd(a), usd(b), { scale, rounding: "up" })).toEqual(failed)
    } else {
      const quotients = modes.map((rounding) => [
        rounding,
        get(Money.divide(usd(a), b, { scale, rounding })).text,
        get(Money.ratio(usd(a), usd(b), { scale, rounding })),
      ])
      expect(quotients).toEqual(modes.map((mode) => [mode, divide[mode], divide[mode]]))
    }
  }
})
