/** `transfers diff` */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { toggle } from "../../flags/Flags.ts"
import { lazily } from "../../flags/GlobalFlags.ts"
import { OfflineHelp } from "../../help/OfflineHelp.ts"

export const diff = Command.make(
  "diff",
  {
    older: Argument.String("older").pipe(Argument.withDescription("The older export")),
    newer: Argument.String("newer").pipe(Argument.withDescription("The newer export, of any format")),
    csv_raw: toggle("csv-raw", "The CSV files were written with --csv-raw"),
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.annotate(OfflineHelp, true),
  Command.withDescription("Compare two exports: added, removed and changed transfers."),
  Command.withExamples([
    {
      command: "transfers diff monday.csv tuesday.csv",
      description: "One row per changed field; exit code 1 on differences",
    },
    { command: "transfers diff old.parquet new.ndjson", description: "The formats may differ" },
    {
      command: "transfers diff a.csv b.csv --output ndjson | jq -r .id",
      description: "The ids of the transfers that differ",
    },
  ]),
)
