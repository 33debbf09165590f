/** `transfers watch` */
import * as Command from "effect/cli/Command"
import { filterFlags } from "../../flags/FilterFlags.ts"
import { interval, lookBack, text, toggle } from "../../flags/Flags.ts"
import * as Layers from "../../Layers.ts"
import { lazily, lazy } from "../../Lazy.ts"

const { until: _until, stuck: _stuck, ...flags } = filterFlags

export const watch = Command.make(
  "watch",
  {
    ...flags,
    interval: interval("Polling interval", 10),
    look_back: lookBack("later ones are missed (default 3600)", 3600),
    state: text("state", "FOLDER", "Keep a mirror in this folder, and resume from it"),
    exec: text("exec", "COMMAND", "Run this for each event, with its JSON on standard input, and again if it fails"),
    once: toggle("once", "Poll once and exit, for schedulers; combine with --state"),
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.provide(({ state }) => lazy(async () => (await import("./StateFolder.ts")).layer(state))),
  Command.provide(Layers.transfers),
  // Before the layer is built: it may ask for settings, or read a secret from standard input.
  Command.provideEffectDiscard(lazily(async () => ({ run: (await import("./Run.ts")).check }))),
  Command.withDescription("Print transfers as they are created and changed."),
  Command.withExamples([
    { command: "transfers watch", description: "From now on, until Ctrl-C" },
    {
      command: "transfers watch --state watched --exec 'curl -sf --json @- https://hooks.example.com/transfers'",
      description: "Forward each event, and resume after a restart",
    },
    {
      command: "transfers watch --since today --status complete --output ndjson",
      description: "Today's transfers, as they complete",
    },
  ]),
)
