/** Divides whole units in proportion to weights by the largest-remainder (Hamilton) method. */
import type { Decimal } from "decimal.js"
import * as Amount from "../../Amount.ts"

/** The parts of `text`, each with its number of fraction digits. Empty unless a weight is positive. */
export const allocate = (text: string, weights: ReadonlyArray<Decimal>): ReadonlyArray<string> => {
  const scale = Amount.scale(text)
  const signed = Amount.toUnits(text, scale)
  const sign = signed < 0n ? -1n : 1n
  const units = sign * signed
  const finest = weights.reduce((most, weight) => Math.max(most, weight.decimalPlaces()), 0)
  const whole = weights.map((weight) => Amount.toUnits(weight.toFixed(), finest))
  const total = whole.reduce((sum, weight) => sum + weight, 0n)
  if (total === 0n) return []
  const floors = whole.map((weight) => (units * weight) / total)
  const left = units - floors.reduce((sum, part) => sum + part, 0n)
  const served = new Set(
    whole
      .map((weight, index) => ({ index, remainder: (units * weight) % total }))
      .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
      .slice(0, Number(left))
      .map(({ index }) => index),
  )
  return floors.map((part, index) => Amount.fromUnits(sign * (served.has(index) ? part + 1n : part), scale))
}
