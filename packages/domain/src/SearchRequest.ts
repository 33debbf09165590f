/** The parameters of one transfer search (partner-api.md, 4.2), under their names on the wire. */
import * as S from "effect/Schema"

/** The maximum number of transfers on a page, and the default limit. */
export const maxLimit = 20

/** The number of transfers on a page. */
export const Limit = S.Int.check(S.isBetween({ minimum: 1, maximum: maxLimit }))

/** The schema of a {@link SearchRequest}. */
export const SearchRequest = S.Struct({
  external_id: S.optionalKey(S.String),
  created_at: S.optionalKey(S.Array(S.String)),
  limit: S.optionalKey(Limit),
  after_cursor: S.optionalKey(S.String),
}).annotate({ identifier: "SearchRequest" })

/**
 * One request: `created_at` holds values such as `gte:2024-09-01T00:00:00Z`, all of which must hold; `after_cursor` is
 * the `end_cursor` of the previous page.
 */
export type SearchRequest = typeof SearchRequest.Type
