/** `transfers worker` */
import * as Command from "effect/cli/Command"
import { concurrency, serve, text, toggle } from "../../flags/Flags.ts"
import { lazily } from "../../Lazy.ts"

export const worker = Command.make(
  "worker",
  {
    to: text(
      "to",
      "MIRROR",
      "The mirror that is loaded: postgres://USER@HOST/DATABASE, or a file on this machine [TRANSFERS_MIRROR]",
    ),
    concurrency,
    name: text("name", "NAME", "Name shown by transfers sync --status (default HOST:PID)"),
    metrics: serve("Serve /metrics, /healthz and /readyz"),
    once: toggle("once", "Exit when no window is left; otherwise wait for the next load"),
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.withDescription("Help transfers sync --workers with the first load of a mirror."),
  Command.withExamples([
    {
      command: "transfers worker --to postgres://finance@db.example/transfers",
      description: "Join from another machine, until interrupted",
    },
    {
      command: "transfers worker --to transfers.db --profile shop --profile wallet",
      description: "For two partners",
    },
    { command: "transfers worker --to transfers.db --once", description: "Join on this machine, until the load ends" },
  ]),
)
