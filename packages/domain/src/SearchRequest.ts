/** The parameters of one transfer search (partner-api.md, 4.2), under their names on the wire. */

/** The maximum number of transfers on a page, and the default limit. */
export const maxLimit = 20

/** One request. */
export interface SearchRequest {
  readonly external_id?: string
  /** Bounds such as `gte:2024-09-01T00:00:00Z`, all of which must hold. */
  readonly created_at?: ReadonlyArray<string>
  /** The number of transfers on the page, from 1 to {@link maxLimit}. */
  readonly limit?: number
  /** The `end_cursor` of the previous page. */
  readonly after_cursor?: string
}
