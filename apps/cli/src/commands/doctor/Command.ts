/** `transfers doctor` */
import * as Command from "effect/cli/Command"
import { lazily } from "../../flags/GlobalFlags.ts"

export const doctor = Command.make(
  "doctor",
  {},
  lazily(() => import("./Run.ts")),
).pipe(
  Command.withDescription("Find out what is wrong between here and the service."),
  Command.withExamples([
    { command: "transfers doctor", description: "Name, connection, TLS, clock, credentials, base path, answers" },
    { command: "transfers doctor --profile live", description: "The same for a saved profile" },
    { command: "transfers doctor --output json", description: "For a monitor; exit code 1 on a failure" },
  ]),
)
