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
    interval: seconds("interval", 10, "Between two looks (default 10)"),
    look_back: seconds(
      "look-back",
      3600,
      "How long after its creation a transfer may turn up; one that turns up later is missed (default 3600)",
    ),
    state: optional(
      Flag.String("state").pipe(
        Flag.withMetavar("FILE"),
        Flag.withDescription("Remember here what was seen, and go on from it"),
      ),
    ),
    exec: optional(
      Flag.String("exec").pipe(
        Flag.withMetavar("COMMAND"),
        Flag.withDescription("Run this for each event, its JSON on standard input"),
      ),
    ),
    once: toggle("once").pipe(Flag.withDescription("Look once and end, for use with --state by a scheduler")),
  },
  (input) => run({ ...input, until: undefined }),
).pipe(
  Command.withDescription("Print transfers as they are created and as they change."),
  Command.withExamples([
    { command: "transfers watch", description: "From now on, until Ctrl-C" },
    {
      command: "transfers watch --state watch.json --exec 'curl -sf --json @- https://hooks.example.com/transfers'",
      description: "Pass each event on; after a restart, go on where it stopped",
    },
    {
      command: "transfers watch --since today --status complete --output ndjson",
      description: "Today's, as they complete",
    },
  ]),
)
