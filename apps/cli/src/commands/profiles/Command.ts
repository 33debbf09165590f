/** `transfers profiles` */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flags from "../../flags/Flags.ts"
import { OfflineHelp } from "../../help/OfflineHelp.ts"
import { lazily } from "../../Lazy.ts"

const load = () => import("./Run.ts")
const name = Argument.String("name").pipe(Argument.withDescription("The name of the profile"))

const save = Command.make(
  "save",
  { name },
  lazily(async () => ({ run: (await load()).save })),
).pipe(
  Command.withDescription("Save the current settings under a name."),
  Command.withExamples([
    {
      command:
        "pass show partner/key | transfers profiles save live --base-url https://api.example.com --partner-id acme --secret-key-stdin",
      description: "The key stays out of the shell's history",
    },
    { command: "transfers profiles save default", description: "The settings in the environment, for later" },
    { command: "transfers profiles save copy --profile live", description: "Copy a profile" },
  ]),
)

const set = Command.make(
  "set",
  { name, settled: Flags.settled, failed: Flags.failed },
  lazily(async () => ({ run: (await load()).set })),
).pipe(
  Command.withDescription("Change settings of a profile, and keep the others."),
  Command.withExamples([
    {
      command: "pass show partner/key | transfers profiles set live --secret-key-stdin",
      description: "Rotate the secret key",
    },
    { command: "transfers profiles set live --base-url https://api.example.com", description: "Move to another URL" },
    {
      command: "transfers profiles set live --settled paid --failed expired --failed declined",
      description: "Say which statuses of the deployment mean that money has moved, or will not",
    },
    { command: "transfers profiles", description: "Check what is saved" },
  ]),
)

const remove = Command.make(
  "remove",
  { name },
  lazily(async () => ({ run: (await load()).remove })),
).pipe(
  Command.annotate(OfflineHelp, true),
  Command.withDescription("Remove a profile."),
  Command.withExamples([
    { command: "transfers profiles remove live", description: "Remove a profile and its secret key" },
    { command: "transfers profiles", description: "List the remaining profiles" },
    { command: "transfers whoami", description: "Show the settings in use now" },
  ]),
)

export const profiles = Command.make(
  "profiles",
  {},
  lazily(async () => ({ run: (await load()).list })),
).pipe(
  Command.annotate(OfflineHelp, true),
  Command.withDescription("List the saved profiles; save, change or remove one."),
  Command.withExamples([
    { command: "transfers profiles", description: "List them, without their secret keys" },
    {
      command:
        "transfers profiles save live --base-url https://api.example.com --partner-id acme --secret-key-file key",
      description: "Save a profile",
    },
    { command: "transfers search --profile live", description: "Use a profile" },
  ]),
  Command.withSubcommands([save, set, remove]),
)
