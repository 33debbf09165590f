/** A query for transfers. Its creation times may be any set, not only one that a single request can express. */
import type { CreatedAt } from "./CreatedAt.ts"

/** The transfers to return. An absent field does not restrict them. */
export interface TransferQuery {
  readonly external_id?: string
  readonly created_at?: CreatedAt
}
