/** Reads a JSON text that somebody wrote: a file, a line, or a part of a bundle. Every reader of such texts is this one. */
import * as Result from "effect/Result"
import * as NumberText from "./internal/decimal/NumberText.ts"
import * as JsonBounds from "./JsonBounds.ts"
import * as JsonDepth from "./JsonDepth.ts"
import * as JsonSyntax from "./JsonSyntax.ts"

/** How to read a text. */
export interface Options {
  /**
   * The number of its first line in its file.
   * @default 1
   */
  readonly firstLine?: number
  /**
   * How deep it may nest.
   * @default 32
   */
  readonly levels?: number
  /**
   * Whether a number that JavaScript would write otherwise keeps its text, as of JsonValue: where values are shown again.
   * @default false
   */
  readonly keepsDigits?: boolean
}

/**
 * The value of a text; or says, as a clause, why there is none: it is no JSON, nests too deep, has far more values than
 * text, or an object that has a name twice, of which other programs read the other value.
 *
 * @example
 * JsonText.parse('{"a":[1]}') // => Result.succeed({ a: [1] })
 * JsonText.parse('{"a":1,}') // => Result.fail("it is not JSON: line 1, column 8: expected a name in double quotes, found }")
 * JsonText.parse('{"a":1,"a":2}') // => Result.fail('line 1, column 8: its object has "a" already: remove one of the two')
 * JsonText.parse("[".repeat(300_000)) // => Result.fail("it has more than 250000 commas, lists or objects")
 */
export const parse = (
  text: string,
  { firstLine = 1, levels = JsonDepth.maxDepth, keepsDigits = false }: Options = {},
): Result.Result<unknown, string> => {
  const most = JsonBounds.ofLength(text.length)
  if (JsonBounds.isExceeded(text, most)) return Result.fail(JsonBounds.tooMany(most))
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return Result.fail(JsonSyntax.faultOf(text, firstLine) ?? `it is not JSON: ${String(error)}`)
  }
  const deeper = JsonDepth.findDeeper(value, levels)
  if (deeper !== undefined) return Result.fail(JsonDepth.tooDeep(deeper, levels))
  const repeat = JsonSyntax.repeatOf(text, firstLine)
  if (repeat !== undefined) return Result.fail(repeat)
  return Result.succeed(keepsDigits && NumberText.isNeeded(text) ? NumberText.parse(text) : value)
}
