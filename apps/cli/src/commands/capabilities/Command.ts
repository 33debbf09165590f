/** `transfers capabilities` */
import * as Command from "effect/cli/Command"
import { toggle } from "../../flags/Flags.ts"
import * as Layers from "../../Layers.ts"
import { lazily } from "../../Lazy.ts"

export const capabilities = Command.make(
  "capabilities",
  { hash: toggle("hash", "Print only their hash, as in the verdicts of the validation lambda") },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.provide(Layers.source),
  Command.withDescription("Show the supported countries, currencies, payment methods and limits."),
  Command.withExamples([
    { command: "transfers capabilities", description: "As tables" },
    { command: "transfers capabilities --output json > capabilities.json", description: "The service's own JSON" },
    { command: "transfers capabilities --hash", description: "For transfers validate --expect-hash" },
    { command: "transfers capabilities --sandbox", description: "Without an account" },
  ]),
)
