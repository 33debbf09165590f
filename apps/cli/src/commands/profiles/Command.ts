/** `transfers profiles` */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { lazily } from "../../flags/GlobalFlags.ts"
import { WithoutService } from "../../help/OfflineHelp.ts"

const load = () => import("./Run.ts")
const name = Argument.String("name").pipe(Argument.withDescription("The name of the profile"))

const save = Command.make(
  "save",
  { name },
  lazily(async () => ({ run: (await load()).save })),
).pipe(
  Command.withDescription("Save the settings of this run under a name."),
  Command.withExamples([
    {
      command:
        "pass show partner/key | transfers profiles save live --base-url https://api.example.com --partner-id acme --secret-key-stdin",
      description: "The key goes from one program to the other, past the shell's history",
    },
    { command: "transfers profiles save default", description: "What the environment says, for later" },
    { command: "transfers profiles save copy --profile live", description: "A copy to change" },
  ]),
)

const remove = Command.make(
  "remove",
  { name },
  lazily(async () => ({ run: (await load()).remove })),
).pipe(
  Command.annotate(WithoutService, true),
  Command.withDescription("Forget a profile."),
  Command.withExamples([
    { command: "transfers profiles remove live", description: "Forget one, its secret key with it" },
    { command: "transfers profiles", description: "See what is left" },
    { command: "transfers whoami", description: "See what is used now" },
  ]),
)

export const profiles = Command.make(
  "profiles",
  {},
  lazily(async () => ({ run: (await load()).list })),
).pipe(
  Command.annotate(WithoutService, true),
  Command.withDescription("List the saved profiles, save one, or remove one."),
  Command.withExamples([
    { command: "transfers profiles", description: "All of them, without their secrets" },
    {
      command:
        "transfers profiles save live --base-url https://api.example.com --partner-id acme --secret-key-file key",
      description: "Save one",
    },
    { command: "transfers search --profile live", description: "Use one" },
  ]),
  Command.withSubcommands([save, remove]),
)
