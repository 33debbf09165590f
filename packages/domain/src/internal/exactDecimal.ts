/**
 * decimal.js, configured once for arithmetic that never rounds. decimal.js keeps its settings on the constructor, and
 * rounds to 20 digits by default; this constructor is ours alone, so `Decimal.set` elsewhere does not reach it.
 */
import { Decimal } from "decimal.js"

const maximum = 1e9

/** Rounds only where told to: sums, differences and products are exact. Never divide with it: it would not end. */
export const ExactDecimal = Decimal.clone({
  defaults: true,
  precision: maximum,
  maxE: 9e15,
  minE: -9e15,
  toExpNeg: -9e15,
  toExpPos: 9e15,
})

/** What is handed out: as exact for any amount of the wire, but a division ends after a thousand digits. */
export const HandedDecimal = Decimal.clone({
  defaults: true,
  precision: 1000,
  maxE: 9e15,
  minE: -9e15,
  toExpNeg: -9e15,
  toExpPos: 9e15,
})
