/** `transfers diff` */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Option from "effect/Option"
import { filterFlags } from "../../flags/FilterFlags.ts"
import { lazily } from "../../Lazy.ts"

export const diff = Command.make(
  "diff",
  {
    older: Argument.String("older").pipe(Argument.withDescription("An export or a mirror")),
    newer: Argument.String("newer").pipe(
      Argument.withDescription("Another, of any format; by default the mirror of --from, else the service"),
      Argument.optional,
      Argument.map(Option.getOrUndefined),
    ),
    ...filterFlags,
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.withDescription("Compare exports, mirrors and the service: added, removed and changed transfers."),
  Command.withExamples([
    {
      command: "transfers diff monday.csv tuesday.csv",
      description: "One row per changed field; exit code 1 on differences",
    },
    {
      command: "transfers diff september.csv --since 2024-09 --until 2024-09",
      description: "An export with what the service has now; name a mirror to compare with that",
    },
    {
      command: "transfers diff a.csv b.csv --output ndjson | jq -r .id",
      description: "The ids of the transfers that differ",
    },
  ]),
)
