/** The number of fraction digits that a caller may ask for. */

const most = 1000

/** Throws a `RangeError` for any other number: without it, rounding would print nonsense. */
export const assertFractionDigits = (digits: number): void => {
  if (Number.isInteger(digits) && digits >= 0 && digits <= most) return
  throw new RangeError(`Cannot round to ${digits} fraction digits: give a whole number from 0 to ${most}.`)
}
