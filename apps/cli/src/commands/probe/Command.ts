/** `transfers probe` */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { lazily, toggle } from "../../flags/GlobalFlags.ts"

export const probe = Command.make(
  "probe",
  { save: toggle("save").pipe(Flag.withDescription("Keep what this program can use in the profile")) },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.withDescription("Find out how this deployment fills the gaps of the contract."),
  Command.withExamples([
    { command: "transfers probe", description: "Order, operators, limits, cursors, errors: reads only" },
    { command: "transfers probe --profile live --save", description: "Keep the dialect for later runs" },
    { command: "transfers probe --output json > dialect.json", description: "To compare deployments" },
  ]),
)
