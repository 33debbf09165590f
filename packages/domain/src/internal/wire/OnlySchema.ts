/** The schema of the restrictions of a selection, as a file states them. */
import * as S from "effect/Schema"

/** The properties that a selection can restrict. */
export const properties = ["external_id", "status", "kind", "currency", "payment_method", "not_status"] as const

const isKnown = (name: string): boolean => properties.some((property) => property === name)

/** Values that properties may have. One that is absent may have any. */
export const Only = S.Record(S.String, S.Array(S.String))
  .check(
    S.makeFilter((only) => Object.keys(only).every(isKnown), {
      expected: `restrictions of ${properties.join(", ")}`,
    }),
  )
  .annotate({ identifier: "Only" })
