/** A schema's first issue as a {@link ShapeError}. */
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import type { ShapeCheck } from "./ShapeCheck.ts"

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** Checks a shape by a schema. */
export const schemaIssue = (schema: S.Codec<unknown, unknown>): ShapeCheck => {
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
