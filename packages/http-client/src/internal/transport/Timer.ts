/** A time limit, which may be infinite. */

// A longer delay would wrap around and end immediately.
const longest = 2 ** 31 - 1

/** Calls `onEnd` after the given milliseconds, or never if that is more than 24 days. Returns a function that stops it. */
export const startTimer = (milliseconds: number, onEnd: () => void): (() => void) => {
  if (milliseconds > longest) return () => undefined
  const timer = setTimeout(onEnd, milliseconds)
  return () => clearTimeout(timer)
}
