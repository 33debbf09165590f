/** `transfers verify` */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { lazily } from "../../flags/GlobalFlags.ts"
import { WithoutService } from "../../help/OfflineHelp.ts"

export const verify = Command.make(
  "verify",
  { file: Argument.String("file").pipe(Argument.withDescription("An export; its manifest is beside it")) },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.annotate(WithoutService, true),
  Command.withDescription("Check an export file against its manifest."),
  Command.withExamples([
    { command: "transfers verify september.csv", description: "Size, checksum, count, order and exact totals" },
    {
      command: "transfers verify september.csv --output json",
      description: "For a script; exit code 1 if anything differs",
    },
    { command: "transfers verify all.parquet && mv all.parquet* archive/", description: "Archive only what is whole" },
  ]),
)
