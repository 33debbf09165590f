/** `transfers verify` */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { text, texts } from "../../flags/Flags.ts"
import { OfflineHelp } from "../../help/OfflineHelp.ts"
import { lazily } from "../../Lazy.ts"

export const verify = Command.make(
  "verify",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("An export, with its manifest beside it; or the bundle of a close (.zip)"),
    ),
    key: text("key", "FILE", "The public key (PEM) that must have signed the bundle"),
    ledger: texts("ledger", "FILE", "A ledger that the bundle left out; repeatable"),
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.annotate(OfflineHelp, true),
  Command.withDescription("Verify an export against its manifest, or repeat a close from its bundle."),
  Command.withExamples([
    { command: "transfers verify september.csv", description: "Check size, checksum, count, order and exact totals" },
    {
      command: "transfers verify september.csv --output json",
      description: "For a script; exit code 1 on differences",
    },
    {
      command: "transfers verify close-2024-09.zip --key controller.pub.pem",
      description: "Check each file, make the books again byte for byte, and check who signed",
    },
    { command: "transfers verify all.parquet && mv all.parquet* archive/", description: "Archive only if intact" },
  ]),
)
