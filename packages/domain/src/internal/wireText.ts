/** JSON text to a value of the domain: read fast, and explained by the schema where that fails. */
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { MalformedResponse } from "../TransferApiError.ts"

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** `read` gives `undefined` for just those values that `schema` refuses. */
export const wireText = <A>(schema: S.Codec<unknown, unknown>, read: (value: unknown) => A | undefined) => {
  const check = S.decodeUnknownResult(schema)
  return (text: string): Result.Result<A, MalformedResponse> => {
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
    const checked = check(value)
    if (Result.isSuccess(checked)) throw new Error("a reader of the wire refused what its schema accepts")
    return Result.fail(explain(checked.failure, value))
  }
}

const explain = (error: S.SchemaError, value: unknown): MalformedResponse => {
  const [issue] = issuesOf(error.issue).issues
  const path = (issue?.path ?? []).map((part) => String(typeof part === "object" ? part.key : part))
  return new MalformedResponse({
    pointer: path.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
    expected: (issue?.message ?? "something else").replace(/^Expected /, "").replace("Missing key", "present"),
    actual: describe(path.reduce(child, value)),
  })
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
