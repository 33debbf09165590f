/** `transfers capabilities` */
import * as Command from "effect/cli/Command"
import { lazily } from "../../flags/GlobalFlags.ts"

export const capabilities = Command.make(
  "capabilities",
  {},
  lazily(() => import("./Run.ts")),
).pipe(
  Command.withDescription("Show the supported countries, currencies, payment methods and limits."),
  Command.withExamples([
    { command: "transfers capabilities", description: "As tables" },
    { command: "transfers capabilities --output json > capabilities.json", description: "The service's own JSON" },
    { command: "transfers capabilities --sandbox", description: "Without an account" },
  ]),
)
