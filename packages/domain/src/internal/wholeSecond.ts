/** Whole seconds, the instants that every service can be asked about, whatever precision it keeps. */

const second = 1_000_000_000n

export const isWholeSecond = (instant: bigint): boolean => instant % second === 0n

/** The first whole second that is not before an instant. */
export const ceilSecond = (instant: bigint): bigint => {
  const within = instant % second
  return within === 0n ? instant : instant - within + (within > 0n ? second : 0n)
}

/** The last whole second that is not after an instant. */
export const floorSecond = (instant: bigint): bigint => {
  const within = instant % second
  return within === 0n ? instant : instant - within - (within < 0n ? second : 0n)
}
