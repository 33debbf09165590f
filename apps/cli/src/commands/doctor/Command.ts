/** `transfers doctor` */
import * as Command from "effect/cli/Command"
import { lazily } from "../../Lazy.ts"

export const doctor = Command.make(
  "doctor",
  {},
  lazily(() => import("./Run.ts")),
).pipe(
  Command.withDescription("Diagnose the connection to the service, or the mirror of --from."),
  Command.withExamples([
    {
      command: "transfers doctor",
      description: "Check name, connection, TLS, clock, credentials, base path and responses",
    },
    { command: "transfers doctor --profile live", description: "Check a saved profile" },
    {
      command: "transfers doctor --from postgres://transfers_reader@db.example/transfers",
      description: "Check a mirror: what its role may do, its clock and how fresh it is",
    },
    { command: "transfers doctor --output json", description: "For monitoring; exit code 1 on a failure" },
  ]),
)
