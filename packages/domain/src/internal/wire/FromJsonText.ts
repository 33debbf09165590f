/** JSON text to a value of the domain: read fast, explained on failure. */
import * as Result from "effect/Result"
import * as JsonDepth from "../../JsonDepth.ts"
import { MalformedResponse } from "../../TransferApiError.ts"
import type { ShapeError, ShapeCheck } from "./ShapeCheck.ts"

/**
 * `read` returns `undefined` exactly for the values in which `explain` finds an error, or that nest more than `levels`
 * deep in a place that it keeps.
 */
export const fromJsonText =
  <A>(explain: ShapeCheck, read: (value: unknown) => A | undefined, levels = JsonDepth.maxDepth) =>
  (text: string): Result.Result<A, MalformedResponse> => {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return Result.fail(
        new MalformedResponse({ pointer: "", expected: "JSON", actual: excerpt(text), truncated: true }),
      )
    }
    const decoded = read(value)
    if (decoded !== undefined) return Result.succeed(decoded)
    const error = explain(value)
    if (error !== undefined) return Result.fail(malformed(error, value))
    const pointer = JsonDepth.findDeeper(value, levels)
    if (pointer === undefined) throw new Error("a reader rejected a value that its schema accepts")
    const expected = `at most ${JsonDepth.maxDepth} levels below a field`
    return Result.fail(new MalformedResponse({ pointer, expected, actual: "deeper" }))
  }

const malformed = ({ path, expected }: ShapeError, value: unknown): MalformedResponse =>
  new MalformedResponse({
    pointer: path.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
    expected: inWords(expected),
    actual: describe(path.reduce(child, value)),
  })

/** A partner's engineer reads these errors, and does not know what our types are called. */
const words = new Map([
  ["string", "text"],
  ["boolean", "true or false"],
  ["object", "an object"],
  ["array", "a list"],
  ["Amount", "an amount as text"],
  ["CurrencyCode", "a currency code as text"],
  ["Timestamp", "an RFC 3339 timestamp"],
  ["Money", "an object with amount and currency_code"],
  ["Transfer", "a transfer: an object"],
  ["TransferPage", "a page of transfers: an object"],
  ["PageInfo", "an object"],
  ["Capabilities", "the capabilities: an object"],
])

/** A type as words. An open enumeration is text: naming its known values would mislead. */
const inWords = (type: string): string => {
  const parts = type.split(" | ")
  const named = parts.includes("string") ? parts.filter((part) => !part.startsWith('"')) : parts
  return named.map((part) => words.get(part) ?? part).join(" or ")
}

const child = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined

const describe = (value: unknown): string => {
  if (value === undefined) return "missing"
  if (Array.isArray(value)) return "an array"
  if (typeof value === "object" && value !== null) return "an object"
  return `${value === null ? "" : `the ${typeof value} `}${excerpt(JSON.stringify(value))}`
}

const excerpt = (text: string): string => (text === "" ? "empty" : text.length > 64 ? `${text.slice(0, 64)}…` : text)
