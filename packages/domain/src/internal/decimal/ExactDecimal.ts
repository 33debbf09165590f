/**
 * decimal.js configured for arithmetic that never rounds. decimal.js keeps its settings on the constructor and rounds
 * to 20 digits by default; these constructors are private, so `Decimal.set` elsewhere does not affect them.
 */
import { Decimal } from "decimal.js"

const maximum = 1e9

/** Sums, differences and products are exact. Never divide with it: the quotient may not terminate. */
export const ExactDecimal = Decimal.clone({
  defaults: true,
  precision: maximum,
  maxE: 9e15,
  minE: -9e15,
  toExpNeg: -9e15,
  toExpPos: 9e15,
})

/** The `Decimal` returned to callers: exact for any wire amount; division stops at 1,000 digits. */
export const PublicDecimal = Decimal.clone({
  defaults: true,
  precision: 1000,
  maxE: 9e15,
  minE: -9e15,
  toExpNeg: -9e15,
  toExpPos: 9e15,
})
