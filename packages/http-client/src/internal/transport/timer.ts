/** A timer that may be none. */

// A longer delay wraps around and would end at once.
const longest = 2 ** 31 - 1

/** Calls `onEnd` after so many milliseconds, and never after more than 24 days. Gives what stops it. */
export const startTimer = (milliseconds: number, onEnd: () => void): (() => void) => {
  if (milliseconds > longest) return () => undefined
  const timer = setTimeout(onEnd, milliseconds)
  return () => clearTimeout(timer)
}
