/** What to write in a query instead of a name that the mirror does not have. */
import * as Effect from "effect/Effect"
import { MirrorError } from "../MirrorError.ts"

const tables =
  "transfers, open_transfers, vanished_transfers, daily_totals, fees_by_currency, transfer_totals, transfer_changes, sync_runs, sync_windows"

/** Whether SQLite or PostgreSQL says that there is no such table or column. */
const isUnknown = (reason: string): boolean =>
  /no such (?:table|column)/.test(reason) || (/^(?:relation|column) /.test(reason) && reason.includes("does not exist"))

/** Names the tables that can be asked, and how to see their columns, if a query fails for a name. */
export const explain = Effect.mapError((error: MirrorError) =>
  isUnknown(error.reason)
    ? new MirrorError({
        ...error,
        reason: `${error.reason}. Its tables are ${tables}; SELECT * FROM transfers LIMIT 1 shows the columns of one`,
      })
    : error,
)
