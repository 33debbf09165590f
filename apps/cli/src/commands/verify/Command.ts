/** `transfers verify` */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { OfflineHelp } from "../../help/OfflineHelp.ts"
import { lazily } from "../../Lazy.ts"

export const verify = Command.make(
  "verify",
  { file: Argument.String("file").pipe(Argument.withDescription("An export, with its manifest beside it")) },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.annotate(OfflineHelp, true),
  Command.withDescription("Verify an export against its manifest."),
  Command.withExamples([
    { command: "transfers verify september.csv", description: "Check size, checksum, count, order and exact totals" },
    {
      command: "transfers verify september.csv --output json",
      description: "For a script; exit code 1 on differences",
    },
    { command: "transfers verify all.parquet && mv all.parquet* archive/", description: "Archive only if intact" },
  ]),
)
