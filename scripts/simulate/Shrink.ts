/** Makes a history that breaks a promise smaller, as long as it still breaks one. */
import type { History } from "./History.ts"

/** Runs of a history while shrinking: enough to reach a fixed point in practice. */
const mostTries = 400

/** Smaller histories, the boldest first. */
const candidates = function* (history: History): Generator<History> {
  for (const list of ["faults", "changes", "lives", "ages"] as const) {
    const all = history[list]
    for (let size = all.length; size >= 1; size = Math.floor(size / 2)) {
      for (let from = 0; from < all.length; from += size) yield { ...history, [list]: all.toSpliced(from, size) }
    }
  }
  const simplest = {
    rateLimit: undefined,
    hasTail: false,
    since: undefined,
    until: undefined,
    lteToken: undefined,
    concurrency: 1,
    limit: 20,
    windowSize: 480,
    order: "newest-first",
  } as const
  for (const [name, value] of Object.entries(simplest)) yield { ...history, [name]: value }
  if (history.displaced > 1) yield { ...history, displaced: 1 }
  if (history.displaced > 0) yield { ...history, displaced: history.displaced - 1 }
  if (history.lives.some(({ clockOffset }) => clockOffset !== 0)) {
    yield { ...history, lives: history.lives.map((life) => ({ ...life, clockOffset: 0 })) }
  }
}

const sizeOf = (history: History): number => JSON.stringify(history).length

/** The smallest failing history that was found. `fails` runs one. */
export const shrink = async (history: History, fails: (history: History) => Promise<boolean>): Promise<History> => {
  let smallest = history
  let tries = 0
  for (let isSmaller = true; isSmaller && tries < mostTries;) {
    isSmaller = false
    for (const candidate of candidates(smallest)) {
      if (JSON.stringify(candidate) === JSON.stringify(smallest)) continue
      if (++tries > mostTries) break
      if (await fails(candidate)) {
        isSmaller = sizeOf(candidate) < sizeOf(smallest) || isSmaller
        smallest = candidate
        isSmaller = true
        break
      }
    }
  }
  return smallest
}
