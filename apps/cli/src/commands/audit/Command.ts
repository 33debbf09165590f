/** `transfers audit` */
import * as Command from "effect/cli/Command"
import { filterFlags } from "../../flags/FilterFlags.ts"
import { capabilities, fees } from "../../flags/Flags.ts"
import * as Layers from "../../Layers.ts"
import { lazily } from "../../Lazy.ts"

export const audit = Command.make(
  "audit",
  { ...filterFlags, capabilities, fees },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.provide(Layers.source),
  // Before the layer is built: it may ask for settings, or read a secret from standard input.
  Command.provideEffectDiscard(lazily(async () => ({ run: (await import("./Run.ts")).check }))),
  Command.withDescription("Check existing transfers: sums, limits, currencies, times."),
  Command.withExamples([
    {
      command: "transfers audit --since yesterday",
      description: "Audit yesterday's transfers; exit code 1 on findings",
    },
    {
      command: "transfers audit --since 2024-09 --until 2024-09 --output csv > findings.csv",
      description: "A month, for a spreadsheet",
    },
    {
      command: "transfers audit --since 2024-09 --until 2024-09 --fees fees.json",
      description: "Compare the fees with an agreed schedule, too",
    },
    {
      command: "transfers audit --from september.csv --capabilities capabilities.json",
      description: "An export, without the service",
    },
    {
      command: "transfers audit --status complete --output ndjson | jq -r .code | sort | uniq -c",
      description: "Count each kind of finding",
    },
  ]),
)
