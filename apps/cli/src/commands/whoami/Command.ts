/** `transfers whoami` */
import * as Command from "effect/cli/Command"
import { lazily } from "../../flags/GlobalFlags.ts"

export const whoami = Command.make(
  "whoami",
  {},
  lazily(() => import("./Run.ts")),
).pipe(
  Command.withDescription("Show each setting and where it comes from."),
  Command.withExamples([
    { command: "transfers whoami", description: "What a command would use" },
    { command: "transfers whoami --profile live", description: "What it would use with this profile" },
    { command: "transfers whoami --output json | jq -r .base_url.source", description: "Why it is that base URL" },
  ]),
)
