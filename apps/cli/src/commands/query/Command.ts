/** `transfers query` */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { csvDialect, toggle } from "../../flags/Flags.ts"
import { projectionFlags, timeout } from "../../flags/ListingFlags.ts"
import { lazily } from "../../Lazy.ts"

export const query = Command.make(
  "query",
  {
    sql: Argument.String("sql").pipe(Argument.withDescription("One statement; - reads it from standard input")),
    ...projectionFlags,
    timeout: timeout("a query, an expression or a template"),
    csv_dialect: csvDialect,
    allow_superuser: toggle(
      "allow-superuser",
      "Let a role of PostgreSQL query that can write files and run programs there",
    ),
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.withDescription("Run a read-only SQL query on a mirror."),
  Command.withExamples([
    {
      command: "transfers query --from transfers.db 'SELECT status, COUNT(*) FROM transfers GROUP BY status'",
      description: "How many transfers have each status",
    },
    {
      command: "transfers query --from transfers.db 'SELECT * FROM daily_totals ORDER BY created_day' --output csv",
      description: "Exact totals of each day, for a spreadsheet",
    },
    {
      command: "transfers query --from transfers.db --as-of 2024-10-01 'SELECT COUNT(*) FROM open_transfers'",
      description: "What was open then, as far as it was known",
    },
  ]),
)
