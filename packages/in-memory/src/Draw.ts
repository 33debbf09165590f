/**
 * Random numbers by key and index instead of in sequence: a draw is a pure function of both, so any part can be
 * generated alone, and again. The mixer is splitmix32's finalizer.
 */

const golden = 0x9e3779b9

const mix = (value: number): number => {
  let x = value | 0
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad)
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97)
  return (x ^ (x >>> 15)) >>> 0
}

/**
 * A key for the draws of one item among many.
 *
 * @example
 * Draw.keyOf(1, 7) === Draw.keyOf(1, 7) // => true
 * Draw.keyOf(1, 7) === Draw.keyOf(1, 8) // => false
 */
export const keyOf = (seed: number, index: number): number => mix(mix(seed + golden) ^ Math.imul(index + 1, golden)) | 0

/**
 * The n-th draw of a key: a whole number from 0 to 2³² - 1.
 *
 * @example
 * Number.isInteger(Draw.bits(Draw.keyOf(1, 7), 0)) // => true
 */
export const bits = (key: number, n: number): number => mix(key + Math.imul(n + 1, golden))

/**
 * The n-th draw of a key as a fraction: from 0 up to, not including, 1.
 *
 * @example
 * Draw.fraction(Draw.keyOf(1, 7), 0) < 1 // => true
 */
export const fraction = (key: number, n: number): number => bits(key, n) / 0x1_0000_0000

/**
 * The n-th draw of a key as a whole number from 0 up to, not including, `size`.
 *
 * @example
 * Draw.below(Draw.keyOf(1, 7), 0, 1) // => 0
 */
export const below = (key: number, n: number, size: number): number => Math.floor(fraction(key, n) * size)

/**
 * A hash below 2³² of a text, as part of a seed or of an order.
 *
 * @example
 * Draw.hashText("demo") === Draw.hashText("demo") // => true
 */
export const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = mix(hash ^ Math.imul(text.charCodeAt(index) + 1, golden))
  return hash
}

/**
 * A one-to-one map of the whole numbers below 2³² onto themselves that makes a sequence look random.
 *
 * @example
 * Draw.unscramble(9, Draw.scramble(9, 1234)) // => 1234
 */
export const scramble = (key: number, value: number): number => (Math.imul(value, golden) ^ key) >>> 0

/**
 * The inverse of {@link scramble}.
 *
 * @example
 * Draw.scramble(9, Draw.unscramble(9, 1234)) // => 1234
 */
export const unscramble = (key: number, value: number): number => Math.imul(value ^ key, inverseOfGolden) >>> 0

/** The multiplicative inverse modulo 2³², by Newton's method: each step doubles the number of right bits. */
const inverseOfGolden = ((): number => {
  let inverse = golden
  for (let rightBits = 3; rightBits < 32; rightBits *= 2) {
    inverse = Math.imul(inverse, 2 - Math.imul(golden, inverse))
  }
  return inverse
})()
