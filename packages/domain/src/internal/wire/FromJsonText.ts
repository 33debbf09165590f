/** JSON text to a value of the domain: read fast, and explained where that fails. */
import * as Result from "effect/Result"
import { MalformedResponse } from "../../TransferApiError.ts"
import type { Misfit, Shape } from "./ShapeCheck.ts"

/** `read` gives `undefined` for just those values in which `explain` finds something wrong. */
export const wireText =
  <A>(explain: Shape, read: (value: unknown) => A | undefined) =>
  (text: string): Result.Result<A, MalformedResponse> => {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return Result.fail(
        new MalformedResponse({ pointer: "", expected: "JSON", actual: excerpt(text), mayBeCut: true }),
      )
    }
    const decoded = read(value)
    if (decoded !== undefined) return Result.succeed(decoded)
    const misfit = explain(value)
    if (misfit === undefined) throw new Error("a reader of the wire refused what its schema accepts")
    return Result.fail(malformed(misfit, value))
  }

const malformed = ({ path, expected }: Misfit, value: unknown): MalformedResponse =>
  new MalformedResponse({
    pointer: path.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
    expected,
    actual: describe(path.reduce(child, value)),
  })

const child = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined

const describe = (value: unknown): string => {
  if (value === undefined) return "missing"
  if (Array.isArray(value)) return "an array"
  if (typeof value === "object" && value !== null) return "an object"
  return `${value === null ? "" : `the ${typeof value} `}${excerpt(JSON.stringify(value))}`
}

const excerpt = (text: string): string => (text === "" ? "empty" : text.length > 64 ? `${text.slice(0, 64)}…` : text)
