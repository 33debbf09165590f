/** JSON text to a value of the domain: read fast, explained on failure. */
import * as Result from "effect/Result"
import * as JsonBounds from "../../JsonBounds.ts"
import * as JsonDepth from "../../JsonDepth.ts"
import { MalformedResponse } from "../../TransferApiError.ts"
import * as NumberText from "../decimal/NumberText.ts"
import { excerpt } from "../Excerpt.ts"
import type { ShapeCheck } from "./ShapeCheck.ts"
import type { Read } from "./TransferReader.ts"

/**
 * `read` returns `undefined` exactly for the values in which `explain` finds an error, or that nest more than `levels`
 * deep in a place that it keeps. Numbers that it keeps have their text. Few services send any that need it, so a text is
 * parsed for them only once one was found. Then it was parsed twice; the texts that follow are likely to have some, too.
 */
export const fromJsonText = <A>(explain: ShapeCheck, read: Read<A>, levels = JsonDepth.maxDepth) => {
  let isLikely = false
  return (text: string, most?: number): Result.Result<A, MalformedResponse> => {
    const excess = JsonBounds.fault(text, most)
    if (excess !== undefined) return Result.fail(excess)
    const likely = isLikely ? withNumbers(read, text) : undefined
    if (likely !== undefined) return Result.succeed(likely)
    isLikely = false
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return Result.fail(
        new MalformedResponse({
          pointer: "",
          expected: "JSON",
          actual: text === "" ? "empty" : excerpt(text),
          truncated: true,
        }),
      )
    }
    const found = { numbers: false }
    const decoded = read(value, found)
    if (decoded !== undefined) {
      isLikely = found.numbers && NumberText.isNeeded(text)
      return Result.succeed(isLikely ? (read(NumberText.parse(text), found) ?? decoded) : decoded)
    }
    const fault = faultOf(explain, value)
    if (fault !== undefined) return Result.fail(new MalformedResponse(fault))
    const pointer = JsonDepth.findDeeper(value, levels)
    if (pointer === undefined) throw new Error("a reader rejected a value that its shape accepts")
    const expected = `at most ${JsonDepth.maxDepth} levels below a field`
    return Result.fail(new MalformedResponse({ pointer, expected, actual: "deeper" }))
  }
}

/** What is read of a text that holds numbers; nothing if it holds none, or has to be explained. */
const withNumbers = <A>(read: Read<A>, text: string): A | undefined => {
  const found = { numbers: false }
  try {
    const decoded = read(NumberText.parse(text), found)
    return found.numbers ? decoded : undefined
  } catch {
    return undefined
  }
}

/** Where a value breaks its shape. */
interface Fault {
  /** A JSON Pointer. */
  readonly pointer: string
  readonly expected: string
  readonly actual: string
}

export const faultOf = (shape: ShapeCheck, value: unknown): Fault | undefined => {
  const error = shape(value)
  return (
    error && {
      pointer: error.path.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
      expected: error.expected,
      actual: describe(error.path.reduce(child, value)),
    }
  )
}

const child = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined

const describe = (value: unknown): string => {
  if (value === undefined) return "missing"
  if (Array.isArray(value)) return "an array"
  if (typeof value === "object" && value !== null) return "an object"
  return `${value === null ? "" : `the ${typeof value} `}${excerpt(JSON.stringify(value))}`
}
