/** Bounds the nesting of untrusted JSON: a deeper value parses, but recursion over it overflows the stack. */
import * as Result from "effect/Result"
import * as NumberText from "./internal/decimal/NumberText.ts"
import * as JsonBounds from "./JsonBounds.ts"

/** The bound for values of this domain, which nest at most six levels. */
export const maxDepth = 32

/**
 * The JSON Pointer of the first value that is more than `depth` levels deep, or `undefined` if there is none.
 *
 * @example
 * JsonDepth.findDeeper({ a: [1, { b: [] }] }, 2) // => "/a/1/b"
 */
export const findDeeper = (value: unknown, depth: number = maxDepth): string | undefined => {
  if (typeof value !== "object" || value === null || NumberText.is(value)) return undefined
  if (depth < 0) return ""
  for (const [key, child] of Object.entries(value)) {
    const rest = findDeeper(child, depth - 1)
    if (rest !== undefined) return `/${key.slice(0, 64).replaceAll("~", "~0").replaceAll("/", "~1")}${rest}`
  }
  return undefined
}

/**
 * Parses a JSON text that nests at most `depth` levels; or says, as a clause, why it cannot. A number that
 * JavaScript would write otherwise keeps its text, as raw JSON.
 *
 * @example
 * JsonDepth.parse('{"a":[1]}') // => Result.succeed({ a: [1] })
 * Result.map(JsonDepth.parse('{"a":1.10}'), JSON.stringify) // => Result.succeed('{"a":1.10}')
 * Result.isFailure(JsonDepth.parse("[".repeat(99) + "]".repeat(99))) // => true
 */
export const parse = (text: string, depth: number = maxDepth): Result.Result<unknown, string> => {
  const most = JsonBounds.ofLength(text.length)
  if (JsonBounds.isExceeded(text, most)) return Result.fail(JsonBounds.tooMany(most))
  let value: unknown
  try {
    value = NumberText.parse(text)
  } catch (error) {
    // The texts of numbers are found by recursion, which overflows in a deep value; its place is found without them.
    const pointer = error instanceof RangeError ? findDeeper(JSON.parse(text), depth) : undefined
    if (pointer !== undefined) return Result.fail(tooDeep(pointer, depth))
    return Result.fail(`it is not JSON: ${error instanceof Error ? error.message : error}`)
  }
  const deeper = findDeeper(value, depth)
  return deeper === undefined ? Result.succeed(value) : Result.fail(tooDeep(deeper, depth))
}

/**
 * The reason to reject a value, as a clause. `pointer` is from {@link findDeeper}; 200 characters of it are repeated.
 *
 * @example
 * JsonDepth.tooDeep("/a/1/b") // => "the value at /a/1/b is more than 32 levels deep"
 */
export const tooDeep = (pointer: string, depth: number = maxDepth): string =>
  `the value at ${pointer.length > 200 ? `${pointer.slice(0, 200)}…` : pointer} is more than ${depth} levels deep`
