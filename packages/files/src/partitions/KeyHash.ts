/** Spreads keys evenly, and in a way that depends on a secret seed. */

/**
 * A hash function for each seed, with results from 0 to 2³² - 1.
 *
 * @example
 * KeyHash.make(1)("order-1") === KeyHash.make(1)("order-1") // => true
 * KeyHash.make(1)("order-1") === KeyHash.make(2)("order-1") // => false
 */
export const make = (seed: number): ((key: string) => number) => {
  const start = mix(seed)
  // Odd, so that no bit of a character is lost.
  const factor = mix(start ^ 0x9e3779b9) | 1
  return (key) => {
    let hash = start
    for (let index = 0; index < key.length; index++) {
      hash = Math.imul(hash ^ key.charCodeAt(index), factor)
      hash ^= hash >>> 15
    }
    return mix(hash) >>> 0
  }
}

/** The finaliser of MurmurHash3: each bit of the input changes half of those of the result. */
const mix = (value: number): number => {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
