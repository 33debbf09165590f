/** `transfers diff` */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { lazily, toggle } from "../../flags/GlobalFlags.ts"
import { WithoutService } from "../../help/OfflineHelp.ts"

export const diff = Command.make(
  "diff",
  {
    older: Argument.String("older").pipe(Argument.withDescription("An export")),
    newer: Argument.String("newer").pipe(Argument.withDescription("A later one, of any format")),
    csv_raw: toggle("csv-raw").pipe(Flag.withDescription("The CSV files were written with --csv-raw")),
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.annotate(WithoutService, true),
  Command.withDescription("Compare two exports: transfers that are new, gone or changed."),
  Command.withExamples([
    {
      command: "transfers diff monday.csv tuesday.csv",
      description: "A line for each field that changed; exit code 1 on differences",
    },
    { command: "transfers diff old.parquet new.ndjson", description: "Formats may differ" },
    {
      command: "transfers diff a.csv b.csv --output ndjson | jq -r .id",
      description: "The ids of what differs",
    },
  ]),
)
