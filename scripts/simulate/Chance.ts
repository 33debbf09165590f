/** Numbers in [0, 1) that are the same for the same seed. */
export type Chance = () => number

export const make = (seed: number): Chance => {
  let state = seed >>> 0
  // Mulberry32: neighbouring seeds give unrelated numbers.
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const oneOf = <A>(chance: Chance, values: readonly [A, ...ReadonlyArray<A>]): A =>
  values[Math.floor(chance() * values.length)] ?? values[0]

/** A whole number from `least` to `most`. */
export const whole = (chance: Chance, least: number, most: number): number =>
  least + Math.floor(chance() * (most - least + 1))
