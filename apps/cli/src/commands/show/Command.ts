/** `transfers show` */
import * as Command from "effect/cli/Command"
import { csvDialect, identifier, text } from "../../flags/Flags.ts"
import { columns, projectionFlags } from "../../flags/ListingFlags.ts"
import * as Layers from "../../Layers.ts"
import { lazily } from "../../Lazy.ts"

export const show = Command.make(
  "show",
  {
    id: identifier("An external_id; with --from also an id; in an export also a transaction hash or a wallet"),
    columns,
    time_zone: text("time-zone", "ZONE", "The time zone of times in tables, such as Europe/Berlin (default UTC)"),
    ...projectionFlags,
    csv_dialect: csvDialect,
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.provide(Layers.source),
  // Before the layer is built: it may ask for settings, or read a secret from standard input.
  Command.provideEffectDiscard(lazily(async () => ({ run: (await import("./Run.ts")).check }))),
  Command.withDescription("Show all that is known of a transfer; from a mirror, its history as well."),
  Command.withExamples([
    { command: "transfers show order-1001", description: "Every field" },
    { command: "transfers show order-1001 --from transfers.db", description: "Every field, and what changed when" },
    { command: "transfers show order-1001 --jq .status", description: "One of its fields" },
  ]),
)
