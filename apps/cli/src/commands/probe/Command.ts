/** `transfers probe` */
import * as Command from "effect/cli/Command"
import { toggle } from "../../flags/Flags.ts"
import * as Layers from "../../Layers.ts"
import { lazily } from "../../Lazy.ts"

export const probe = Command.make(
  "probe",
  { save: toggle("save", "Save the answers this program can use to the profile") },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.provide(Layers.transfers),
  Command.provideEffectDiscard(lazily(async () => ({ run: (await import("./Run.ts")).check }))),
  Command.withDescription("Detect how this deployment fills the gaps of the contract."),
  Command.withExamples([
    { command: "transfers probe", description: "Detect order, operators, limits, cursors and errors; only reads" },
    { command: "transfers probe --profile live --save", description: "Save the dialect for later runs" },
    { command: "transfers probe --output json > dialect.json", description: "For a comparison of deployments" },
  ]),
)
