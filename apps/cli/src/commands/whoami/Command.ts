/** `transfers whoami` */
import * as Command from "effect/cli/Command"
import { lazily } from "../../Lazy.ts"

export const whoami = Command.make(
  "whoami",
  {},
  lazily(() => import("./Run.ts")),
).pipe(
  Command.withDescription("Show each setting and its source."),
  Command.withExamples([
    { command: "transfers whoami", description: "The settings in use" },
    { command: "transfers whoami --profile live", description: "The settings with this profile" },
    { command: "transfers whoami --output json | jq -r .base_url.source", description: "The source of the base URL" },
  ]),
)
