/** Makes a history that breaks a promise smaller, as long as it still breaks one. */

import { isDeepStrictEqual } from "node:util"

/** Runs of a history while shrinking: enough to reach a fixed point in practice. */
const mostTries = 400

/** A list without one of its parts: half of it, a quarter, and so on down to single elements. */
export const shorter = function* <A>(all: ReadonlyArray<A>): Generator<ReadonlyArray<A>> {
  for (let size = all.length; size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < all.length; from += size) yield all.toSpliced(from, size)
  }
}

/** The smallest failing history that was found. `smaller` proposes others, the boldest first; `fails` runs one. */
export const shrink = async <History>(
  history: History,
  smaller: (history: History) => Iterable<History>,
  fails: (history: History) => Promise<boolean>,
): Promise<History> => {
  let smallest = history
  let tries = 0
  for (let isSmaller = true; isSmaller && tries < mostTries;) {
    isSmaller = false
    for (const candidate of smaller(smallest)) {
      if (isDeepStrictEqual(candidate, smallest)) continue
      if (++tries > mostTries) break
      if (await fails(candidate)) {
        smallest = candidate
        isSmaller = true
        break
      }
    }
  }
  return smallest
}
