/** Rounding to a number of fraction digits, by a mode. */
import { Decimal } from "decimal.js"
import { ExactDecimal } from "./ExactDecimal.ts"
import { assertFractionDigits } from "./FractionDigits.ts"

const modes = {
  up: Decimal.ROUND_UP,
  down: Decimal.ROUND_DOWN,
  ceiling: Decimal.ROUND_CEIL,
  floor: Decimal.ROUND_FLOOR,
  "half-up": Decimal.ROUND_HALF_UP,
  "half-down": Decimal.ROUND_HALF_DOWN,
  "half-even": Decimal.ROUND_HALF_EVEN,
} as const

export type Mode = keyof typeof modes

/** The exact decimal with `scale` fraction digits. Throws a `RangeError` for a scale or mode that makes no sense. */
export const round = (exact: Decimal, scale: number, mode: Mode): string => {
  assertFractionDigits(scale)
  if (!Object.hasOwn(modes, mode)) {
    const known = Object.keys(modes).join(", ")
    throw new RangeError(`Cannot round by ${JSON.stringify(mode)}: the rounding modes are ${known}.`)
  }
  return exact.toFixed(scale, modes[mode])
}

/** The quotient with `scale` fraction digits, rounded once. The divisor is not zero. */
export const quotient = (dividend: Decimal, divisor: Decimal, scale: number, mode: Mode): string => {
  assertFractionDigits(scale)
  // One digit more than is kept, and another that stands for all that follow: enough to round by any mode.
  const shifted = dividend.times(new ExactDecimal(`1e${scale + 1}`))
  const truncated = shifted.divToInt(divisor)
  const isExact = truncated.times(divisor).eq(shifted)
  const marked = truncated.times(10).plus(isExact ? 0 : dividend.s * divisor.s)
  return round(marked.times(new ExactDecimal(`1e${-scale - 2}`)), scale, mode)
}
