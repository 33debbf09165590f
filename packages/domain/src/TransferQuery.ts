/** What a partner asks for: any set of creation times, not only what one request can say. */
import type { CreatedAt } from "./CreatedAt.ts"

/** Which transfers. Without a field, all of them. */
export interface TransferQuery {
  readonly external_id?: string
  readonly created_at?: CreatedAt
}
