/** Whole seconds: the instants that every service understands, whatever its precision. */

export const nanosPerSecond = 1_000_000_000n

export const nanosPerMillisecond = 1_000_000n

/** A whole second as a number. */
export const of = (instant: bigint): number => Number(instant / nanosPerSecond)

export const isWholeSecond = (instant: bigint): boolean => instant % nanosPerSecond === 0n

/** The first whole second that is not before an instant. */
export const ceil = (instant: bigint): bigint => {
  const within = instant % nanosPerSecond
  return within === 0n ? instant : instant - within + (within > 0n ? nanosPerSecond : 0n)
}

/** The last whole second that is not after an instant. */
export const floor = (instant: bigint): bigint => {
  const within = instant % nanosPerSecond
  return within === 0n ? instant : instant - within - (within < 0n ? nanosPerSecond : 0n)
}
