/** What to write in a query instead of a name that the mirror does not have. */
import * as Effect from "effect/Effect"
import { MirrorError } from "../MirrorError.ts"

const tables =
  "transfers, open_transfers, vanished_transfers, daily_totals, fees_by_currency, transfer_totals, transfer_changes, sync_runs, sync_windows"

/** What SQLite and PostgreSQL say of a table or a column. */
const unknown = /no such (?:table|column)|(?:relation|column) .* does not exist/

/** Names the tables that can be asked, and how to see their columns, if a query fails for a name. */
export const explain = Effect.mapError((error: MirrorError) =>
  unknown.test(error.reason)
    ? new MirrorError({
        ...error,
        reason: `${error.reason}. Its tables are ${tables}; SELECT * FROM transfers LIMIT 1 shows the columns of one`,
      })
    : error,
)
