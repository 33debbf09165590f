/** What a schema has to say about a value, as a {@link Misfit}. */
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import type { Shape } from "./ShapeCheck.ts"

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** Finds the first place that a schema refuses. */
export const schemaMisfit = (schema: S.Codec<unknown, unknown>): Shape => {
  const check = S.decodeUnknownResult(schema)
  return (value) => {
    const checked = check(value)
    if (Result.isSuccess(checked)) return undefined
    const [issue] = issuesOf(checked.failure.issue).issues
    return {
      path: (issue?.path ?? []).map((part) => String(typeof part === "object" ? part.key : part)),
      expected: (issue?.message ?? "something else").replace(/^Expected /, "").replace("Missing key", "present"),
    }
  }
}
