/** `transfers watch` */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { filterFlags } from "../../flags/FilterFlags.ts"
import { lazily, optional, toggle, wholeNumber } from "../../flags/GlobalFlags.ts"

const { until: _, ...flags } = filterFlags

const seconds = (name: string, otherwise: number, description: string) =>
  wholeNumber(name, 1, 604_800).pipe(
    Flag.withDefault(otherwise),
    Flag.withMetavar("SECONDS"),
    Flag.withDescription(description),
  )

const run = lazily(() => import("./Run.ts"))

export const watch = Command.make(
  "watch",
  {
    ...flags,
    interval: seconds("interval", 10, "Polling interval (default 10)"),
    look_back: seconds(
      "look-back",
      3600,
      "How long after its creation a transfer may appear; later ones are missed (default 3600)",
    ),
    state: optional(
      Flag.String("state").pipe(
        Flag.withMetavar("FILE"),
        Flag.withDescription("Save progress to this file, and resume from it"),
      ),
    ),
    exec: optional(
      Flag.String("exec").pipe(
        Flag.withMetavar("COMMAND"),
        Flag.withDescription("Run this for each event, with its JSON on standard input"),
      ),
    ),
    once: toggle("once").pipe(Flag.withDescription("Poll once and exit, for schedulers; combine with --state")),
  },
  (input) => run({ ...input, until: undefined }),
).pipe(
  Command.withDescription("Print transfers as they are created and changed."),
  Command.withExamples([
    { command: "transfers watch", description: "From now on, until Ctrl-C" },
    {
      command: "transfers watch --state watch.json --exec 'curl -sf --json @- https://hooks.example.com/transfers'",
      description: "Forward each event, and resume after a restart",
    },
    {
      command: "transfers watch --since today --status complete --output ndjson",
      description: "Today's transfers, as they complete",
    },
  ]),
)
