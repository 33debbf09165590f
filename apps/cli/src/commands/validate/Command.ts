/** `transfers validate` */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { text } from "../../flags/Flags.ts"
import { lazily } from "../../flags/GlobalFlags.ts"

export const validate = Command.make(
  "validate",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription(
        'Proposals as JSON (one, an array, or {"transfers": […]}) or NDJSON; - reads standard input',
      ),
    ),
    capabilities: text("capabilities", "FILE", "Use capabilities saved as JSON instead of the service's"),
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.withDescription("Validate proposed transfers against the capabilities."),
  Command.withExamples([
    { command: "transfers validate proposals.json", description: "Against the service's capabilities" },
    {
      command: "transfers validate proposals.json --capabilities capabilities.json",
      description: "Without the service",
    },
    {
      command: "generate-payouts | transfers validate - --output json",
      description: "In a pipeline; exit code 1 on violations",
    },
  ]),
)
