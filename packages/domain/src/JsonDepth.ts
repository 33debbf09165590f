/** Bounds the nesting of untrusted JSON: a deeper value parses, but recursion over it overflows the stack. */

/** The bound for values of this domain, which nest at most six levels. */
export const maxDepth = 32

/**
 * The JSON Pointer of the first value that is more than `depth` levels deep, or `undefined` if there is none.
 *
 * @example
 * JsonDepth.findDeeper({ a: [1, { b: [] }] }, 2) // => "/a/1/b"
 */
export const findDeeper = (value: unknown, depth: number = maxDepth): string | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  if (depth < 0) return ""
  for (const [key, child] of Object.entries(value)) {
    const rest = findDeeper(child, depth - 1)
    if (rest !== undefined) return `/${key.slice(0, 64).replaceAll("~", "~0").replaceAll("/", "~1")}${rest}`
  }
  return undefined
}
