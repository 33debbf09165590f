/** `transfers validate` */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { capabilities, optional, requiredText } from "../../flags/Flags.ts"
import * as Layers from "../../Layers.ts"
import { lazily } from "../../Lazy.ts"

export const validate = Command.make(
  "validate",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription(
        'Proposals as JSON (one, an array, or {"transfers": […]}), NDJSON or CSV; - reads standard input',
      ),
    ),
    capabilities,
    expectHash: optional(
      requiredText("expect-hash", "HASH", "Fail unless the capabilities have this hash").pipe(
        Flag.filter(
          (hash) => /^sha256:[0-9a-f]{64}$/.test(hash),
          () => "sha256: and 64 hexadecimal digits",
        ),
      ),
    ),
  },
  lazily(() => import("./Run.ts")),
).pipe(
  Command.provide(({ capabilities: path }) => (path === undefined ? Layers.source : Layers.ofCapabilities(path))),
  Command.provideEffectDiscard(lazily(async () => ({ run: (await import("./Run.ts")).check }))),
  Command.withDescription("Validate proposed transfers against the capabilities."),
  Command.withExamples([
    { command: "transfers validate proposals.json", description: "Against the service's capabilities" },
    {
      command: "transfers validate payouts.csv --capabilities capabilities.json",
      description: "A table, without the service; violations name the line and the column",
    },
    {
      command: 'transfers validate proposals.json --expect-hash "$(transfers capabilities --hash)"',
      description: "Only against the capabilities that another verdict rests on",
    },
    {
      command: "generate-payouts | transfers validate - --output json",
      description: "In a pipeline; exit code 1 on violations",
    },
  ]),
)
