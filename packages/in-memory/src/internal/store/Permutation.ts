/** A permutation of the whole numbers below a size, computable in both directions without storing it. */

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

/** A step coprime to the size visits every number; one near the golden ratio puts neighbours far apart. */
const stepOf = (size: number): number => {
  let step = Math.max(1, Math.floor(Math.min(size, 0x10_0000) * 0.618))
  while (gcd(step, size) !== 1) step--
  return step
}

/** The number at a place. */
export const numberAt = (size: number, place: number): number => (place * stepOf(size) + Math.floor(size / 3)) % size

/** The place of a number. */
export const placeOf = (size: number, number: number): number => {
  const modulus = BigInt(size)
  const inverse = inverseOf(BigInt(stepOf(size)), modulus)
  const place = ((BigInt(number) - BigInt(Math.floor(size / 3))) * inverse) % modulus
  return Number(place < 0n ? place + modulus : place)
}

/** The multiplicative inverse, by Euclid's algorithm. */
const inverseOf = (value: bigint, modulus: bigint): bigint => {
  let [a, b, x, y] = [value, modulus, 1n, 0n]
  while (b !== 0n) {
    const quotient = a / b
    ;[a, b, x, y] = [b, a - quotient * b, y, x - quotient * y]
  }
  return x
}
