/**
 * Bounds an untrusted JSON text before it is parsed. It is bounded in bytes, but 16 MiB of `{}` become a gigabyte once they
 * are parsed, and 130 kB of a zip file hold 20 MB of `[`. A page of 100 transfers has about 6,000 values.
 */
import { MalformedResponse } from "./TransferApiError.ts"

/** The most commas, lists and objects of a text, each. */
export const most = 250_000

/**
 * Whether a text has more than a number of commas, lists or objects: each value follows a comma, or what opens its list or
 * object. A text that is shorter is not looked at.
 *
 * @example
 * JsonBounds.isExceeded("[{},{},{}]", 3) // => false
 * JsonBounds.isExceeded("[{},{},{}]", 2) // => true
 */
export const isExceeded = (text: string, limit: number = most): boolean =>
  text.length > limit && [",", "[", "{"].some((mark) => hasMore(text, mark, limit))

const hasMore = (text: string, mark: string, limit: number): boolean => {
  let count = 0
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) if (++count > limit) return true
  return false
}

/**
 * The same of a response, as its error.
 *
 * @example
 * JsonBounds.fault("[1,2,3]", 1)?.expected // => "at most 1 values"
 */
export const fault = (text: string, limit: number = most): MalformedResponse | undefined =>
  isExceeded(text, limit)
    ? new MalformedResponse({ pointer: "", expected: `at most ${limit} values`, actual: "more" })
    : undefined

/**
 * The reason to reject a text, as a clause.
 *
 * @example
 * JsonBounds.tooMany(2) // => "it has more than 2 commas, lists or objects"
 */
export const tooMany = (limit: number): string => `it has more than ${limit} commas, lists or objects`

/**
 * The bound of a text of some length: a comma, a list and an object every 16 characters, of which files that people and
 * programs write have less than half, and {@link most} of a short text.
 *
 * @example
 * JsonBounds.ofLength(1000) // => 250000
 * JsonBounds.ofLength(64 * 1024 * 1024) // => 4194304
 */
export const ofLength = (length: number): number => Math.max(most, Math.floor(length / 16))
